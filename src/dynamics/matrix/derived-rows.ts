/**
 * The row of a loop in the matrix method: from its value f(R, p) alone, by differentiating twice. With Ṙ = ω̃ R and ṗ = v
 *
 *   ḟ = torque·ω + force·v,  f̈ = torque·ω̇ + force·v̇ + bias,
 *
 * where torque and force are the derivatives of ḟ with respect to ω and v, and bias is its rate for constant ω and v. The row is traced
 * once with R, p, ω and v as variables, and then replayed with their values.
 */
import { derivatives, directionalDerivative } from "../../kernel/trace/differentiate.ts";
import { type Expr, type Program, reachableNodes, trace } from "../../kernel/trace/program.ts";
import { abs, add, cos, div, max, min, mul, neg, type Scalar, select, sin, sqrt, sub } from "../../kernel/trace/scalar.ts";
import type { LoopRow } from "../../model/loop.ts";
import { type Mat3, transpose } from "../../spatial/rotation.ts";
import { cross, type Vec3 } from "../../spatial/vec3.ts";

/** One equation of a loop at one instant, in F axes. */
export interface DerivedRow {
  readonly f: Scalar;
  readonly rate: Scalar;
  readonly torque: Vec3;
  readonly force: Vec3;
  readonly bias: Scalar;
}

export function derivedRow(row: LoopRow, R: Mat3, p: Vec3, w: Vec3, v: Vec3): DerivedRow {
  const numbers = row.variable?.numbers ?? [];
  const program = trace(row.label, { R: 9, p: 3, w: 3, v: 3, numbers: numbers.length }, (x) => {
    const attitude = matrixOf(x.R);
    const pose = [...x.R, ...x.p];
    const [a, b, c] = transpose(attitude);
    const rates = [...transpose([cross(vectorOf(x.w), a), cross(vectorOf(x.w), b), cross(vectorOf(x.w), c)]).flat(), ...x.v];
    const f = (row.variable?.with(x.numbers) ?? row).value(attitude, vectorOf(x.p));
    const [rate] = directionalDerivative([f], pose, rates) as [Scalar];
    const [gradient] = derivatives([rate], [...x.w, ...x.v] as Expr[]) as [Scalar[]];
    return {
      f: [f],
      rate: [rate],
      torque: gradient.slice(0, 3),
      force: gradient.slice(3),
      bias: directionalDerivative([rate], pose, rates),
    };
  });
  const [f, rate, tx, ty, tz, fx, fy, fz, bias] = replayed(program, [...R.flat(), ...p, ...w, ...v, ...numbers]) as [
    Scalar,
    ...Scalar[],
  ];
  return { f, rate: rate!, torque: [tx!, ty!, tz!], force: [fx!, fy!, fz!], bias: bias! };
}

const vectorOf = (v: readonly Scalar[]): Vec3 => v as unknown as Vec3;
const matrixOf = (a: readonly Scalar[]): Mat3 => [vectorOf(a.slice(0, 3)), vectorOf(a.slice(3, 6)), vectorOf(a.slice(6, 9))];

const OPERATIONS = { abs, add, cos, div, max, min, mul, neg, select, sin, sqrt, sub };

/** The outputs of a program for other inputs, traced into the graph of these inputs. */
function replayed(program: Program, inputs: readonly Scalar[]): Scalar[] {
  const { graph } = program;
  const values = new Map<number, Scalar>();
  for (const id of reachableNodes(program)) {
    const op = graph.opOf(id);
    const operands: Scalar[] = [];
    graph.eachArg(id, (arg) => operands.push(values.get(arg)!));
    if (op === "const") values.set(id, graph.valueOf(id));
    else if (op === "input") values.set(id, inputs[graph.valueOf(id)]!);
    else values.set(id, (OPERATIONS[op] as (...operands: Scalar[]) => Scalar)(...operands));
  }
  return program.results.map((id) => values.get(id)!);
}
