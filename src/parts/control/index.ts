/** Controllers: laws for hinges, tasks, attitude and rovers, and what their users need to plan a task. */

export type { Controller, Intent } from "../../sim/run/controller.ts";
export {
  CONTROLLERS,
  type ControllerDescription,
  type ControllerKindName,
  createController,
  registerController,
} from "./controllers.ts";
export { type ControllerDeclaration, type ControllerKind, controllerKind } from "./kind.ts";
export type { LinkDescription } from "./link/with-link.ts";
export type { PosePart, Task } from "./tasks/read-tasks.ts";
export { POSE_PARTS } from "./tasks/read-tasks.ts";
export type { MoveValues } from "./tasks/reference.ts";
export { MOVE, type Move, movesReference, plannedReference, type Reference } from "./tasks/reference.ts";
export { type Manipulability, manipulabilityOf, reactionNullSpaceOf } from "./tasks/singular/manipulability.ts";
export type { RobotQuantity } from "./tasks/task-rows.ts";
export type { TaskStackOptions } from "./tasks/task-stack.ts";
export { type TaskStack, taskStack } from "./tasks/task-stack.ts";
export { registerTorqueOptimum, type TorqueOptimum, type TorqueOptimumFactory } from "./tasks/torque-optimum.ts";
export type { AssumedBody } from "./with-assumed-model.ts";
