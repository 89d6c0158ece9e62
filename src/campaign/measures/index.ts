/** All kinds of measures. */
import { event } from "./event.ts";
import { expression } from "./expression.ts";
import { extreme } from "./extreme.ts";
import { final } from "./final.ts";
import { integral } from "./integral.ts";
import type { MeasureKind } from "./kind.ts";

export const MEASURES: Readonly<Record<string, MeasureKind>> = Object.fromEntries(
  [extreme, final, event, integral, expression].map((kind) => [kind.name, kind]),
);
