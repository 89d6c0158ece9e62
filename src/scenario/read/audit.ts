/** Tolerances of the audit. */

import type { NumberParameter, Parameter } from "../../declare/parameters.ts";
import { NO_NAMES, readWritten } from "../../declare/parse-parameters.ts";
import type { Problem } from "../../errors.ts";
import { type AuditChannel, type AuditTolerances, DEFAULT_TOLERANCES } from "../../sim/record/audit.ts";

/** Meaning of each tolerance. */
const ABOUT: Readonly<Record<AuditChannel, string>> = {
  energy: "Largest relative drift of energy",
  "linear momentum": "Largest relative drift of linear momentum",
  "angular momentum": "Largest relative drift of angular momentum",
  "quaternion norm": "Largest deviation of quaternion norms from 1",
  "loop closure": "Largest residual of a loop equation, m or rad",
  "loop speed": "Largest residual rate of a loop equation, m/s or rad/s",
};

/** Audit channel of each key of the file, e.g. linearMomentum: "linear momentum". */
export const AUDIT_CHANNELS: Readonly<Record<string, AuditChannel>> = Object.fromEntries(
  (Object.keys(DEFAULT_TOLERANCES) as AuditChannel[]).map((channel) => [
    channel.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()),
    channel,
  ]),
);

export const AUDIT = {
  type: "object",
  optional: true,
  about: "Tolerances of the audit.",
  of: Object.fromEntries(
    Object.entries(AUDIT_CHANNELS).map(([key, channel]): [string, NumberParameter] => [
      key,
      {
        type: "number",
        unit: "",
        above: 0,
        default: DEFAULT_TOLERANCES[channel],
        about: `${ABOUT[channel]}. The run ends if it is exceeded.`,
      },
    ]),
  ),
} as const satisfies Parameter;

export function readTolerances(value: unknown, problems: Problem[]): AuditTolerances {
  if (value === undefined) return {};
  const read = (readWritten(AUDIT, value, NO_NAMES, problems, { path: "audit" }) ?? {}) as Readonly<Record<string, number>>;
  return Object.fromEntries(Object.entries(read).map(([key, tolerance]) => [AUDIT_CHANNELS[key]!, tolerance]));
}
