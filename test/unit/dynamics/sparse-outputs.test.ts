/** Outputs without their structural zeros: entries of the mass matrix, and columns of Jacobians. */
import { describe, expect, it } from "vitest";
import { frameKinematics, massMatrix, massMatrixEntries, movingSpeeds } from "../../../src/dynamics/programs.ts";
import { ArgumentError } from "../../../src/errors.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";

const CASES = Array.from({ length: 10 }, (_, seed) => {
  const model = createModel(randomModel(seed, { freedoms: 1 + 2 * seed, shape: "tree" }));
  return { name: model.name, model, ...randomState(model, seed) };
});

describe.each(CASES)("$name", ({ model, q, u }) => {
  it("has the entries of the full mass matrix, and zeros elsewhere", () => {
    const { mass: full } = compile(massMatrix(model)).evaluateAt({ q });
    const { mass: entries } = compile(massMatrix(model, { entries: "lower" })).evaluateAt({ q });
    const { rows, columns } = massMatrixEntries(model);
    expect(entries.length).toBe(rows.length);
    const assembled = new Float64Array(model.nu ** 2);
    entries.forEach((value, k) => {
      expect(columns[k]!).toBeLessThanOrEqual(rows[k]!);
      assembled[model.nu * rows[k]! + columns[k]!] = assembled[model.nu * columns[k]! + rows[k]!] = value;
    });
    expect(assembled).toEqual(full);
  });

  it("has the columns of the full Jacobian that move the frame, and zeros elsewhere", () => {
    const frame = model.bodies.at(-1)!.name;
    const full = compile(frameKinematics(model, [frame])).evaluateAt({ q, u });
    const moving = compile(frameKinematics(model, [frame], { columns: "moving", outputs: ["jacobian"] })).evaluateAt({ q, u });
    const speeds = movingSpeeds(model, frame);
    const assembled = new Float64Array(6 * model.nu);
    for (let row = 0; row < 6; row++)
      for (const [k, j] of speeds.entries()) assembled[model.nu * row + j] = moving.jacobian[speeds.length * row + k]!;
    expect(assembled).toEqual(full.jacobian);
    expect(Object.keys(moving)).toEqual(["jacobian"]);
  });
});

describe("wrong options", () => {
  const { model } = CASES[3]!;
  const frame = model.bodies[0]!.name;
  it.each([
    ["options.entries", () => massMatrix(model, { entries: "upper" as never })],
    ["options.columns", () => frameKinematics(model, [frame], { columns: "some" as never })],
    ["options.outputs[0]", () => frameKinematics(model, [frame], { outputs: ["mass" as never] })],
    ["frame", () => movingSpeeds(model, "nowhere")],
  ])("%s is refused by name", (argument, call) => {
    expect(call).toThrow(argument === "frame" ? /nowhere/ : ArgumentError);
    if (argument !== "frame") expect(call).toThrow(argument);
  });
});
