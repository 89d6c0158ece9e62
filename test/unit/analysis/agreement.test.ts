/** The verdict of castor eval: differences by rounding are accepted, larger ones are not. */
import { readFileSync } from "node:fs";
import { createModel, type FormulationName, homeOf } from "castor";
import { parseModel, parseState } from "castor/formats";
import { beforeAll, describe, expect, it } from "vitest";
import { type Evaluation, evaluate } from "../../../src/analysis/evaluate.ts";
import { AGREEMENT_TOLERANCE, compareFormulations } from "../../../src/analysis/evaluation/agreement.ts";
import type { FormulationResults } from "../../../src/analysis/evaluation/formulation-results.ts";
import { evaluationText } from "../../../src/cli/text/evaluation-text.ts";
import { createStyle } from "../../../src/cli/text/terminal.ts";

const NAMES: readonly FormulationName[] = ["articulated", "kane", "matrix"];
const scenario = (name: string): string =>
  readFileSync(new URL(`../../../scenarios/satellite-manipulator/${name}`, import.meta.url), "utf8");

let evaluation: Evaluation;
beforeAll(() => {
  const model = parseModel(scenario("model.yaml"));
  const state = parseState(scenario("state.yaml"), model);
  evaluation = evaluate(model, { ...state, u: state.u.map((_, i) => 0.1 * (i + 1)) }, { formulations: NAMES, frames: [] });
});

/** The evaluation with the largest value of one quantity of kane changed. */
function changed(quantity: keyof FormulationResults, change: (value: number) => number): Evaluation {
  const kane = evaluation.formulations.kane!;
  const largest = Math.max(...kane[quantity].map(Math.abs));
  const results = { ...kane, [quantity]: kane[quantity].map((v) => (Math.abs(v) === largest ? change(v) : v)) };
  const wrong = { ...evaluation, formulations: { ...evaluation.formulations, kane: results } };
  return { ...wrong, agreement: compareFormulations(wrong) };
}

describe("agreement", () => {
  it("holds for three formulations", () => {
    const { agree, largest } = compareFormulations(evaluation);
    expect(agree).toBe(true);
    expect(largest).toBeLessThan(1e-13);
    expect(largest).toBeGreaterThan(0);
  });

  it.each(["accelerations", "reactions", "momentum"] as const)("detects %s with a relative error of 1e-6", (quantity) => {
    const { agree, largest, differences } = compareFormulations(changed(quantity, (v) => v * (1 + 1e-6)));
    expect(agree).toBe(false);
    expect(largest).toBeGreaterThan(AGREEMENT_TOLERANCE);
    const worst = differences.filter((d) => d.relative > AGREEMENT_TOLERANCE);
    expect(worst.every((d) => d.between.includes("kane"))).toBe(true);
    expect(worst.map((d) => d.quantity)).toContain(quantity);
  });

  it("treats NaN as disagreement", () => {
    expect(compareFormulations(changed("accelerations", () => Number.NaN))).toMatchObject({ agree: false, largest: Number.NaN });
  });

  it("prints the disagreement", () => {
    const wrong = changed("accelerations", (v) => v + 1);
    const page = { width: 80, style: createStyle(false) };
    expect(evaluationText(wrong, page)).toMatch(/^✗ articulated, kane and matrix disagree by \d\.\de-?\d+ \(limit 1e-10\)$/m);
  });

  it("holds for quantities whose terms cancel", () => {
    // In equilibrium, momentum, accelerations and reactions are rounding errors, whose relative difference is meaningless.
    const model = createModel({
      name: "balance",
      gravity: [0, 0, -9.81],
      bodies: [
        { name: "beam", mass: 3, com: [0.1, 0, 0.3], inertia: [1, 2, 2], hinge: { kind: "revolute", axis: "y" } },
        { name: "weight", parent: "beam", mass: 0.6, inertia: "none", hinge: { kind: "fixed", at: [-0.5, 0, 0] } },
      ],
    });
    const still = { u: new Float64Array(1), tau: new Float64Array(1), wrenches: [] };
    expect(evaluate(model, { q: homeOf(model), ...still }, { formulations: NAMES }).agreement.agree).toBe(true);
  });
});
