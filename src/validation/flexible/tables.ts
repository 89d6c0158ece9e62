/** The tables of Yoshikawa and Hosoda (1991): virtual links of two rods, and their identification. */
import { gridSearch } from "../../analysis/identification/grid-search.ts";
import { identify } from "../../analysis/identification/identify.ts";
import type { Measurement } from "../../analysis/identification/measurement.ts";
import { createModel } from "../../model/build/create-model.ts";
import type { BodyDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import type { Validation, ValidationTable } from "../validation.ts";
import { alphaOf, row } from "./rods.ts";

/** Table 2: lengths, mass centres, masses and inertias of the links after the clamped link, and the stiffness of their joints. */
const TABLE_2 = [
  {
    rod: { length: 0.61, mass: 0.4807, diameter: 0.01 },
    p: [0.0061, 0.2806, 0.3233],
    s: [0.0031, 0.1403, 0.1617],
    m: [0.0048, 0.2211, 0.2548],
    I: [4.495e-8, 1.452e-3, 2.221e-3],
    k: [1800, 1100],
    measured: [24.5, 138.5, 2.16e-4, 4.08e-4, 4.08e-4, 8.69e-4],
    digits: [1e-6, 1e-6, 5e-10, 5e-10, 5e-10],
    recomputed: [25.491342, 142.619608, 2.97629e-4, 6.29409e-4, 1.464646e-3],
    step: 100,
    parts: [0.01, 0.46, 0.53],
    best: 1.302599,
  },
  {
    rod: { length: 0.6, mass: 0.1473, diameter: 0.006 },
    p: [0.036, 0.294, 0.27],
    s: [0.018, 0.147, 0.135],
    m: [0.0088, 0.0722, 0.0663],
    I: [9.744e-7, 5.201e-4, 4.028e-4],
    k: [54, 76],
    measured: [9.25, 72.75, 4.682e-3, 1.326e-2, 1.326e-2, 5.315e-2],
    digits: [1e-6, 1e-6, 5e-10, 5e-11, 5e-9],
    recomputed: [9.37243, 72.775937, 6.849877e-3, 1.3997076e-2, 3.167641e-2],
    step: 1,
    parts: [0.06, 0.49, 0.45],
    best: 0.19976,
  },
] as const;

function tableModel({ p, s, m, I, k }: (typeof TABLE_2)[number]): Model {
  const link = (i: number): BodyDescription => ({
    name: `link-${i + 1}`,
    ...(i > 0 && { parent: `link-${i}` }),
    mass: m[i]!,
    com: [s[i]!, 0, 0],
    inertia: [I[i]!, I[i]!, I[i]!],
    hinge: i === 0 ? { kind: "fixed" } : { kind: "revolute", at: [p[i - 1]!, 0, 0] },
    ...(i === 2 && { frames: { tip: { at: [p[2]!, 0, 0] } } }),
  });
  return createModel({
    name: "link",
    bodies: [0, 1, 2].map(link),
    springs: [{ name: "joints", joints: k.map((v, i) => ({ hinge: `link-${i + 2}`, stiffness: [v] })) }],
  });
}

const measurementsOf = ({ measured }: (typeof TABLE_2)[number]): Measurement[] => {
  const [f1, f2, ...statics] = measured;
  const kinds = ["deflection-by-force", "slope-by-force", "deflection-by-moment", "slope-by-moment"] as const;
  return [
    { kind: "frequency", mode: 1, value: f1, weight: 100 },
    { kind: "frequency", mode: 2, value: f2, weight: 100 },
    ...statics.map((value, i): Measurement => ({ kind: kinds[i]!, value })),
  ];
};

export const flexibleTables: Validation = {
  name: "flexible-tables",
  title: "Virtual links of two rods: characteristics from Table 2, and their identification",
  source: "Yoshikawa and Hosoda 1991, Tables 1 and 2, recomputed independently where they are misprinted",
  scenario: "flexible-two-link",
  async tables() {
    return TABLE_2.flatMap((link, i): ValidationTable[] => {
      const alpha = alphaOf(tableModel(link));
      const { parts, stiffnesses } = gridSearch(link.rod, measurementsOf(link), {
        cut: 0.01,
        stub: 0.01,
        stiffness: link.step,
        longest: 0.49,
      });
      const free = identify(link.rod, measurementsOf(link));
      const names = [
        "f1",
        "f2",
        "u_P / P",
        i === 1 ? "φ_P / P = u_M / M (printed 0.013400, a misprint for 0.01400)" : "φ_P / P = u_M / M",
        "φ_M / M",
      ];
      const units = ["Hz", "Hz", "m/N", "rad/N", "rad/(N m)"];
      return [
        {
          title: `Link ${i + 1}: model values α_m of the printed Table 2${i === 0 ? " (I(1,1) is a misprint, e-6 for e-8)" : ""}`,
          origin: "independent program",
          rows: link.recomputed.map((v, k) => row(names[k]!, units[k]!, [v], [alpha[k]!], link.digits[k]!)),
        },
        {
          title: `Link ${i + 1}: identified from the measurements of Table 1`,
          origin: "paper",
          rows: [
            row("on the paper's grid: lengths over L", "", [...link.parts], [...parts], 1e-12),
            row("on the paper's grid: stiffnesses", "N m/rad", [...link.k], [...stiffnesses], 1e-9),
            { ...row("free search: criterion, eq. 1", "", [link.best], [free.criterion], 5e-6), origin: "independent program" },
          ],
        },
      ];
    });
  },
};
