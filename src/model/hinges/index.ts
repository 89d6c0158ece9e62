/** Every kind of hinge, by name. To add a kind, add its file and its line here. */
import { ModelError, valueText } from "../../errors.ts";
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

/** Adds a kind of hinge. Models and files can use it from then on, also for loops. */
export function registerHinge(kind: HingeKind): void {
  if (Object.hasOwn(kinds, kind.name))
    throw new ModelError("registerHinge", [
      {
        path: "name",
        message: "there is a kind of hinge of this name",
        value: valueText(kind.name),
        advice: "Choose another name",
      },
    ]);
  kinds[kind.name] = kind;
}
