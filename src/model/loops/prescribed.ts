import { childPath, readFields, readNumber } from "../../declare/plain-data.ts";
import { readCoordinate } from "../coordinate.ts";
import type { Prescription } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

/** Zero motion. */
export const NO_MOTION: Prescription = { offset: 0, rate: 0, amplitude: 0, frequency: 0, phase: 0 };

const MOTION_KEYS = Object.keys(NO_MOTION) as (keyof Prescription)[];

export const prescribed: LoopKind = {
  name: "prescribed",
  about: "A prescribed coordinate, at any force: offset + rate t + amplitude sin(frequency t + phase).",
  measuredAtEngagement: "offset",
  required: ["hinge", "motion"],
  optional: [],
  read: (fields, path, modelNames, problems) => {
    const before = problems.length;
    const coordinate = readCoordinate(fields.hinge, childPath(path, "hinge"), modelNames, problems);
    const motionPath = childPath(path, "motion");
    const motionFields = readFields(fields.motion, motionPath, MOTION_KEYS, problems) ?? {};
    const motion: Partial<Record<keyof Prescription, number>> = {};
    for (const key of MOTION_KEYS) {
      const value =
        motionFields[key] === undefined ? undefined : readNumber(motionFields[key], childPath(motionPath, key), problems);
      if (value !== undefined) motion[key] = value;
    }
    if (coordinate === undefined || problems.length > before) return undefined;
    return {
      type: "coordinates",
      parameters: { hinge: fields.hinge, motion },
      terms: [{ ...coordinate, factor: 1 }],
      motion: { ...NO_MOTION, ...motion },
    };
  },
};
