/**
 * The wrench of a loop's row and its rate while M moves in F. The row is traced once as a function of R and p,
 * and replayed on dual numbers value + ε rate, with Ṙ = ω̃ R and ṗ = v.
 */
import { type Program, reachableNodes, trace } from "../../kernel/trace/program.ts";
import { abs, add, cos, div, max, min, mul, neg, type Scalar, select, sin, sqrt, sub } from "../../kernel/trace/scalar.ts";
import type { LoopRow } from "../../model/loop.ts";
import { type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, type Vec3 } from "../../spatial/vec3.ts";

/** Pose and velocity of M in F, in F axes. */
export interface RelativeMotion {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly w: Vec3;
  readonly v: Vec3;
}

/** Torque and force of a row in F axes, and their rates. */
export interface MovingWrench {
  readonly torque: Vec3;
  readonly force: Vec3;
  readonly torqueRate: Vec3;
  readonly forceRate: Vec3;
}

interface Dual {
  readonly value: Scalar;
  readonly rate: Scalar;
}

export function movingWrench(row: LoopRow, { R, p, w, v }: RelativeMotion): MovingWrench {
  const numbers = row.variable?.numbers ?? [];
  const program = trace(row.label, { R: 9, p: 3, numbers: numbers.length }, ({ R, p, numbers }) => ({
    ...(row.variable?.with(numbers) ?? row).wrench(matrixOf(R), vectorOf(p)),
  }));
  const [x, y, z] = transpose(R);
  const rates = transpose([cross(w, x), cross(w, y), cross(w, z)]).flat();
  const inputs = [
    ...R.flat().map((value, i) => ({ value, rate: rates[i]! })),
    ...p.map((value, i) => ({ value, rate: v[i]! })),
    ...numbers.map((value) => ({ value, rate: 0 })),
  ];
  const outputs = replay(program, inputs);
  const vectorAt = (from: number, of: "value" | "rate"): Vec3 => vectorOf(outputs.slice(from, from + 3).map((d) => d[of]));
  return {
    torque: vectorAt(0, "value"),
    force: vectorAt(3, "value"),
    torqueRate: vectorAt(0, "rate"),
    forceRate: vectorAt(3, "rate"),
  };
}

const vectorOf = (v: readonly Scalar[]): Vec3 => v as unknown as Vec3;
const matrixOf = (a: readonly Scalar[]): Mat3 => [vectorOf(a.slice(0, 3)), vectorOf(a.slice(3, 6)), vectorOf(a.slice(6, 9))];

/** The outputs of a program for dual inputs, traced into the graph of these inputs. */
function replay(program: Program, inputs: readonly Dual[]): Dual[] {
  const { graph } = program;
  const duals = new Map<number, Dual>();
  for (const id of reachableNodes(program)) {
    const op = graph.opOf(id);
    if (op === "const") duals.set(id, { value: graph.valueOf(id), rate: 0 });
    else if (op === "input") duals.set(id, inputs[graph.valueOf(id)]!);
    else {
      const operands: Dual[] = [];
      graph.eachArg(id, (arg) => operands.push(duals.get(arg)!));
      duals.set(id, DUAL_RULES[op](operands[0]!, operands[1]!, operands[2]!));
    }
  }
  return program.results.map((id) => duals.get(id)!);
}

type DualRule = (a: Dual, b: Dual, c: Dual) => Dual;

const DUAL_RULES = {
  add: (a, b) => ({ value: add(a.value, b.value), rate: add(a.rate, b.rate) }),
  sub: (a, b) => ({ value: sub(a.value, b.value), rate: sub(a.rate, b.rate) }),
  mul: (a, b) => ({ value: mul(a.value, b.value), rate: add(mul(a.rate, b.value), mul(a.value, b.rate)) }),
  div: (a, b) => {
    const value = div(a.value, b.value);
    return { value, rate: div(sub(a.rate, mul(value, b.rate)), b.value) };
  },
  neg: (a) => ({ value: neg(a.value), rate: neg(a.rate) }),
  sqrt: (a) => {
    const value = sqrt(a.value);
    return { value, rate: div(a.rate, mul(2, value)) };
  },
  sin: (a) => ({ value: sin(a.value), rate: mul(cos(a.value), a.rate) }),
  cos: (a) => ({ value: cos(a.value), rate: neg(mul(sin(a.value), a.rate)) }),
  abs: (a) => ({ value: abs(a.value), rate: select(a.value, a.rate, neg(a.rate)) }),
  min: (a, b) => ({ value: min(a.value, b.value), rate: select(sub(b.value, a.value), a.rate, b.rate) }),
  max: (a, b) => ({ value: max(a.value, b.value), rate: select(sub(a.value, b.value), a.rate, b.rate) }),
  select: (a, b, c) => ({ value: select(a.value, b.value, c.value), rate: select(a.value, b.rate, c.rate) }),
} satisfies Record<string, DualRule>;
