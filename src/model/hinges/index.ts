/** Every kind of hinge, by name. To add a kind, add its file and its line here. */
import type { HingeKind } from "../hinge.ts";
import { cylindrical } from "./cylindrical.ts";
import { fixed } from "./fixed.ts";
import { free } from "./free.ts";
import { general } from "./general.ts";
import { helical } from "./helical.ts";
import { planar } from "./planar.ts";
import { prismatic } from "./prismatic.ts";
import { revolute } from "./revolute.ts";
import { spherical } from "./spherical.ts";
import { universal } from "./universal.ts";

export const HINGES = { fixed, revolute, prismatic, helical, cylindrical, universal, spherical, planar, free, general } as const;

export type HingeKindName = keyof typeof HINGES;

/** The parameters of a kind, all optional. */
export type HingeParameters<K extends HingeKindName = HingeKindName> =
  (typeof HINGES)[K] extends HingeKind<infer P> ? Partial<P> : never;
