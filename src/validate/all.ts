/** Every validation, by paper or machine. Adding one is adding its file and its name here. */
import { blockOnIncline, freeFloatingArm } from "./small-machines.ts";
import { tr942Example1 } from "./tr-942-example-1.ts";
import type { Validation } from "./validation.ts";

export const VALIDATIONS: readonly Validation[] = [tr942Example1, freeFloatingArm, blockOnIncline];
