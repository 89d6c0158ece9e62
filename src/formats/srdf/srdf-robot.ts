/** The URDF robot that an SRDF file describes. */
import type { RobotLink } from "../robot/robot-draft.ts";
import type { Namer } from "../robot/safe-names.ts";

/** What an SRDF file refers to. */
export interface SrdfRobot {
  readonly links: readonly RobotLink[];
  readonly bodyNames: ReadonlyMap<string, string>;
  readonly hingeNames: ReadonlyMap<string, string>;
  /** Namers of bodies and hinges, whose names loops must not have. */
  readonly taken: readonly Namer[];
}
