/** All validations, by paper or machine. To add one, add its file and its name here. */
import { attachment } from "./attachment/attachment.ts";
import { babyboot } from "./benchmarks/babyboot.ts";
import { a01, a02, a03, a04, a05 } from "./benchmarks/iftomm.ts";
import { blockOnIncline, freeFloatingArm } from "./benchmarks/small-machines.ts";
import { capture } from "./contact/capture.ts";
import { contactBouncing } from "./contact/contact.ts";
import { cradle } from "./contact/cradle.ts";
import { grasp } from "./contact/grasp.ts";
import { impulses } from "./contact/impulses.ts";
import { lander } from "./contact/lander.ts";
import { peg } from "./contact/peg.ts";
import { stack } from "./contact/stack.ts";
import { dockingCapture } from "./docking/capture.ts";
import { dockingControl } from "./docking/control.ts";
import { dockingMethod } from "./docking/method.ts";
import { dockingMotion } from "./docking/motion.ts";
import { flexibleArm } from "./flexible/arm.ts";
import { flexibleBeams } from "./flexible/beams.ts";
import { identification } from "./flexible/identification.ts";
import { flexibleSatellite } from "./flexible/satellite.ts";
import { starts } from "./flexible/starts.ts";
import { flexibleTables } from "./flexible/tables.ts";
import { modelica } from "./modelica/modelica.ts";
import { baseTranslation } from "./multi-arm/base-translation.ts";
import { foothold } from "./multi-arm/foothold.ts";
import { multiArm } from "./multi-arm/multi-arm.ts";
import { jointTorques } from "./rover/joint-torques.ts";
import { roverLink } from "./rover/link.ts";
import { rover } from "./rover/rover.ts";
import { roverStatics } from "./rover/statics.ts";
import { wheelSoil } from "./rover/wheel-soil.ts";
import { disturbances } from "./space-structures/disturbances.ts";
import { tr942Example1 } from "./space-structures/example-1.ts";
import { tr942Example2 } from "./space-structures/example-2.ts";
import { massCentreCoordinates } from "./space-structures/mass-centre.ts";
import type { Validation } from "./validation.ts";

export const VALIDATIONS: readonly Validation[] = [
  tr942Example1,
  tr942Example2,
  disturbances,
  massCentreCoordinates,
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
  foothold,
  baseTranslation,
  capture,
  impulses,
  lander,
  grasp,
  cradle,
  peg,
  stack,
  dockingMethod,
  dockingMotion,
  dockingCapture,
  dockingControl,
  roverStatics,
  rover,
  roverLink,
  jointTorques,
  wheelSoil,
  flexibleTables,
  flexibleBeams,
  flexibleArm,
  flexibleSatellite,
  identification,
  starts,
  attachment,
  modelica,
];
