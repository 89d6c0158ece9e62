/** Every validation, by paper or machine. Adding one is adding its file and its name here. */
import { babyboot } from "./babyboot.ts";
import { capture } from "./capture.ts";
import { contactBouncing } from "./contact.ts";
import { dockingCapture } from "./docking-capture.ts";
import { dockingMethod } from "./docking-method.ts";
import { dockingMotion } from "./docking-motion.ts";
import { flexibleArm } from "./flexible/arm.ts";
import { flexibleBeams } from "./flexible/beams.ts";
import { flexibleSatellite } from "./flexible/satellite.ts";
import { flexibleTables } from "./flexible/tables.ts";
import { a01, a02, a03, a04, a05 } from "./iftomm.ts";
import { multiArm } from "./multi-arm.ts";
import { rover } from "./rover.ts";
import { roverStatics } from "./rover-statics.ts";
import { blockOnIncline, freeFloatingArm } from "./small-machines.ts";
import { tr942Example1 } from "./tr-942-example-1.ts";
import { tr942Example2 } from "./tr-942-example-2.ts";
import type { Validation } from "./validation.ts";
import { wheelSoil } from "./wheel-soil.ts";

export const VALIDATIONS: readonly Validation[] = [
  tr942Example1,
  tr942Example2,
  a01,
  a02,
  a03,
  a04,
  a05,
  babyboot,
  freeFloatingArm,
  blockOnIncline,
  contactBouncing,
  multiArm,
  capture,
  dockingMethod,
  dockingMotion,
  dockingCapture,
  roverStatics,
  rover,
  wheelSoil,
  flexibleTables,
  flexibleBeams,
  flexibleArm,
  flexibleSatellite,
];
