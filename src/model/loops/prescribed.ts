import { childPath, readFields, readNumber } from "../../declare/plain-data.ts";
import { readCoordinate } from "../coordinate.ts";
import type { Prescription } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

/** Zero motion. */
export const NO_MOTION: Prescription = { offset: 0, rate: 0, amplitude: 0, frequency: 0, phase: 0 };

const MOTION_KEYS = Object.keys(NO_MOTION) as (keyof Prescription)[];

export const prescribed: LoopKind = {
  name: "prescribed",
  about: "A coordinate that moves as told, at any force: offset + rate t + amplitude sin(frequency t + phase).",
  measuredAtEngagement: "offset",
  required: ["hinge", "motion"],
  optional: [],
  read: (fields, path, places, problems) => {
    const before = problems.length;
    const coordinate = readCoordinate(fields.hinge, childPath(path, "hinge"), places, problems);
    const at = childPath(path, "motion");
    const parts = readFields(fields.motion, at, MOTION_KEYS, problems) ?? {};
    const given: Partial<Record<keyof Prescription, number>> = {};
    for (const part of MOTION_KEYS) {
      const value = parts[part] === undefined ? undefined : readNumber(parts[part], childPath(at, part), problems);
      if (value !== undefined) given[part] = value;
    }
    if (coordinate === undefined || problems.length > before) return undefined;
    return {
      type: "coordinates",
      parameters: { hinge: fields.hinge, motion: given },
      terms: [{ ...coordinate, factor: 1 }],
      motion: { ...NO_MOTION, ...given },
    };
  },
};
