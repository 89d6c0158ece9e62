/** All kinds of designs. */
import { grid } from "./grid.ts";
import type { DesignKind } from "./kind.ts";
import { latinHypercube } from "./latin-hypercube.ts";
import { list } from "./list.ts";
import { monteCarlo } from "./monte-carlo.ts";
import { sensitivity } from "./sensitivity.ts";
import { sobol } from "./sobol.ts";

export const DESIGNS: Readonly<Record<string, DesignKind>> = Object.fromEntries(
  [monteCarlo, latinHypercube, sobol, grid, list, sensitivity].map((kind) => [kind.name, kind]),
);
