import { type CoordinateReference, FREEDOM_UNITS } from "../../declare/parameters.ts";
import type { Prescription } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

/** Zero motion. */
export const NO_MOTION: Prescription = { offset: 0, rate: 0, amplitude: 0, frequency: 0, phase: 0 };

/** A coordinate that a loop acts on. */
export const COORDINATE = {
  type: "coordinate",
  setting: "never",
  about: 'Name of a hinge of one freedom, or of one freedom of a hinge as "hinge.part".',
} as const;

export const prescribed: LoopKind = {
  name: "prescribed",
  about: "A prescribed coordinate, at any force: offset + rate t + amplitude sin(frequency t + phase).",
  measuredAtEngagement: "offset",
  parameters: {
    hinge: COORDINATE,
    motion: {
      type: "object",
      id: "motion",
      about: "offset + rate t + amplitude sin(frequency t + phase).",
      of: {
        offset: {
          type: "number",
          unit: FREEDOM_UNITS.coordinate,
          default: 0,
          about: "Value at t = 0 without oscillation.",
        },
        rate: { type: "number", unit: FREEDOM_UNITS.speed, default: 0, about: "Constant speed." },
        amplitude: { type: "number", unit: FREEDOM_UNITS.coordinate, default: 0, about: "Amplitude of the oscillation." },
        frequency: { type: "number", unit: "rad/s", default: 0, about: "Angular frequency of the oscillation." },
        phase: { type: "number", unit: "rad", default: 0, about: "Phase of the oscillation." },
      },
    },
  },
  create: (values) => {
    const hinge = values.hinge as CoordinateReference | undefined;
    const motion = values.motion as Partial<Prescription> | undefined;
    if (hinge === undefined || motion === undefined) return undefined;
    return {
      type: "coordinates",
      parameters: { hinge: hinge.name, motion },
      terms: [{ q: hinge.q, u: hinge.u, factor: 1 }],
      motion: { ...NO_MOTION, ...motion },
    };
  },
};
