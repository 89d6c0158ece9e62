/** All sections, in the order in which they run. */
import type { BenchSection } from "../run/section.ts";
import { cOutput } from "./c-output.ts";
import { campaign } from "./campaign.ts";
import { contact } from "./contact/contact.ts";
import { docking } from "./contact/docking.ts";
import { heap } from "./contact/heap.ts";
import { control } from "./control.ts";
import { drift } from "./drift.ts";
import { flexible } from "./flexible.ts";
import { forward } from "./forward.ts";
import { logged } from "./logged.ts";
import { loops } from "./loops.ts";
import { quantities } from "./quantities.ts";
import { rover } from "./rovers/rover.ts";
import { traverse } from "./rovers/traverse.ts";
import { runs } from "./runs.ts";
import { large, scaling } from "./scaling.ts";
import { scenarios } from "./scenarios.ts";
import { start } from "./start.ts";
import { stepping } from "./stepping.ts";
import { throughput } from "./throughput.ts";
import { workPrecision } from "./work-precision.ts";

export const SECTIONS: readonly BenchSection[] = [
  forward,
  quantities,
  cOutput,
  scaling,
  large,
  throughput,
  logged,
  drift,
  workPrecision,
  loops,
  control,
  stepping,
  contact,
  heap,
  docking,
  campaign,
  flexible,
  rover,
  traverse,
  scenarios,
  runs,
  start,
];
