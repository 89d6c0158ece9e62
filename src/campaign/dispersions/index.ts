/** All kinds of dispersions. */
import { ball } from "./ball.ts";
import { direction } from "./direction.ts";
import { discrete } from "./discrete.ts";
import { inertia } from "./inertia.ts";
import type { DispersionKind } from "./kind.ts";
import { normal } from "./normal.ts";
import { rotation } from "./rotation.ts";
import { table } from "./table.ts";
import { uniform } from "./uniform.ts";

export const DISPERSIONS: Readonly<Record<string, DispersionKind>> = Object.fromEntries(
  [normal, uniform, discrete, table, ball, direction, rotation, inertia].map((kind) => [kind.name, kind]),
);
