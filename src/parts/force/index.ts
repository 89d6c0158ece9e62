/** Force elements: springs, drives, loads, friction, contact, wheels on ground, devices. */

export { withCmgs, withReactionWheels } from "./devices/reaction-wheels.ts";
export { createForce, FORCES } from "./forces.ts";
export { customForce } from "./loads/custom.ts";
