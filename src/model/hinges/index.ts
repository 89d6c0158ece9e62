/** Every kind of hinge, by name. To add a kind, add its file and its line here. */
import type { Parameters } from "../../declare/parameters.ts";
import { registerKind } from "../../declare/register-kind.ts";
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

const kinds: Record<string, HingeKind> = { ...HINGES };

/** All kinds by name, with those that were registered. */
export const hingeKinds = (): Readonly<Record<string, HingeKind>> => kinds;

/**
 * Adds a kind of hinge, declared with `hingeKind`. Models and files can use it from then on, also for loops.
 * @throws ArgumentError if the name is taken
 */
export const registerHinge = <D extends Parameters>(kind: HingeKind<D>): HingeKind<D> =>
  registerKind(kinds, kind, "kind of hinge");
