/**
 * Arithmetic over `Scalar = number | Expr`. With numbers it computes; with expressions it records nodes, and folds zeros, ones, signs and
 * constants. Every equation that is traced into a kernel is written with these functions.
 */

import { TraceError } from "../../errors.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { Expr, type Graph, type Scalar } from "./graph.ts";

export type { Scalar } from "./graph.ts";

const EPSILON = Number.EPSILON;

export const isNumber = (a: Scalar): a is number => typeof a === "number";

function graphOf(a: Scalar, b: Scalar): Graph {
  if (a instanceof Expr) return a.graph;
  if (b instanceof Expr) return b.graph;
  throw new TraceError(`expected a number or an expression, got ${String(a)} and ${String(b)}`);
}

/** A sum that is only rounding of its terms becomes 0, so that cos(π/2) and the like do not fill the graph with factors of 1e-17. */
const snapSumToZero = (sum: number, a: number, b: number): number =>
  Math.abs(sum) <= 2 * EPSILON * Math.max(Math.abs(a), Math.abs(b)) ? 0 : sum;

/** sin or cos of a constant; exactly 0 at multiples of π/2. */
const snapTrigToZero = (value: number, angle: number): number =>
  Math.abs(value) < 4 * EPSILON && Math.abs(angle) > 1 ? 0 : value;

const isNeg = (a: Scalar): a is Expr & { readonly op: "neg" } => a instanceof Expr && a.op === "neg";
const operand = (a: Expr): Expr => a.graph.expr(a.graph.arg(a.id, 0));

/** True if b = minuend - a, so that a + b = minuend. */
const isDifferenceWith = (b: Scalar, a: Scalar): b is Expr =>
  b instanceof Expr && b.op === "sub" && b.graph.arg(b.id, 1) === (a as Expr).id;

/** The first operand of a difference; a number if it is constant. */
const minuend = (a: Expr): Scalar => {
  const first = operand(a);
  return first.op === "const" ? first.graph.valueOf(first.id) : first;
};

/** [k, x] of an expression a = k x with a constant factor k; [1, a] if there is none. */
function splitConstantFactor(a: Expr): [number, Expr] {
  if (a.op !== "mul") return [1, a];
  const firstId = a.graph.arg(a.id, 0);
  return a.graph.opOf(firstId) === "const" ? [a.graph.valueOf(firstId), a.graph.expr(a.graph.arg(a.id, 1))] : [1, a];
}

export function neg(a: Scalar): Scalar {
  if (isNumber(a)) return a === 0 ? 0 : -a;
  if (isNeg(a)) return operand(a);
  if (a.graph.keepsSigns) {
    const [k, x] = splitConstantFactor(a);
    if (k !== 1) return mul(-k, x);
  }
  return a.graph.node("neg", a);
}

export function add(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a) && isNumber(b)) return snapSumToZero(a + b, a, b);
  if (a === 0) return b;
  if (b === 0) return a;
  if (isNeg(b)) return sub(a, operand(b));
  if (isNeg(a)) return sub(b, operand(a));
  if (a === b) return mul(2, a);
  if (isDifferenceWith(b, a)) return minuend(b);
  if (isDifferenceWith(a, b)) return minuend(a);
  const g = graphOf(a, b);
  const ia = g.idOf(a);
  const ib = g.idOf(b);
  return ia < ib ? g.node("add", a, b) : g.node("add", b, a); // one order: a + b and b + a are the same node
}

export function sub(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a) && isNumber(b)) return snapSumToZero(a - b, a, b);
  if (a === b) return 0;
  if (a === 0) return neg(b);
  if (b === 0) return a;
  if (isNeg(b)) return add(a, operand(b));
  if (isNeg(a)) return neg(add(operand(a), b));
  const g = graphOf(a, b);
  const opposite = a instanceof Expr && b instanceof Expr ? g.find("sub", b, a) : undefined;
  return opposite ? neg(opposite) : g.node("sub", a, b);
}

export function mul(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a)) {
    if (isNumber(b)) return a * b;
    if (a === 0) return 0;
    if (a === 1) return b;
    if (a === -1) return neg(b);
    if (isNeg(b)) return mul(-a, operand(b));
    if (a < 0 && !b.graph.keepsSigns) return neg(mul(-a, b)); // k x and -k x share one product
    const [k, x] = splitConstantFactor(b);
    return k === 1 ? x.graph.node("mul", a, x) : mul(a * k, x);
  }
  if (isNumber(b)) return mul(b, a);
  if (isNeg(a)) return neg(mul(operand(a), b));
  if (isNeg(b)) return neg(mul(a, operand(b)));
  if (isReciprocalOf(a, b) || isReciprocalOf(b, a)) return 1;
  const [ka, xa] = splitConstantFactor(a);
  if (ka !== 1) return mul(ka, mul(xa, b)); // constants go outermost, where they fold
  const [kb, xb] = splitConstantFactor(b);
  if (kb !== 1) return mul(kb, mul(a, xb));
  return a.id < b.id ? a.graph.node("mul", a, b) : a.graph.node("mul", b, a);
}

const isReciprocalOf = (a: Expr, b: Expr): boolean => {
  const g = a.graph;
  if (a.op !== "div" || g.arg(a.id, 1) !== b.id) return false;
  const numerator = g.arg(a.id, 0);
  return g.opOf(numerator) === "const" && g.valueOf(numerator) === 1;
};

export function div(a: Scalar, b: Scalar): Scalar {
  if (isNumber(b)) {
    if (b === 0) throw new TraceError("division by a constant zero in a trace");
    return isNumber(a) ? a / b : mul(1 / b, a);
  }
  if (a === 0) return 0;
  if (a === b) return 1;
  if (isNeg(a)) return neg(div(operand(a), b));
  if (isNeg(b)) return neg(div(a, operand(b)));
  return b.graph.node("div", a, b);
}

export function sqrt(a: Scalar): Scalar {
  return isNumber(a) ? Math.sqrt(a) : a.graph.node("sqrt", a);
}

export function sin(a: Scalar): Scalar {
  if (isNumber(a)) return snapTrigToZero(sine(a), a);
  return isNeg(a) ? neg(sin(operand(a))) : a.graph.node("sin", a);
}

export function cos(a: Scalar): Scalar {
  if (isNumber(a)) return snapTrigToZero(cosine(a), a);
  return isNeg(a) ? cos(operand(a)) : a.graph.node("cos", a);
}

export function abs(a: Scalar): Scalar {
  if (isNumber(a)) return Math.abs(a);
  return isNeg(a) ? abs(operand(a)) : a.op === "abs" ? a : a.graph.node("abs", a);
}

export function min(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a) && isNumber(b)) return Math.min(a, b);
  return a === b ? a : graphOf(a, b).node("min", a, b);
}

export function max(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a) && isNumber(b)) return Math.max(a, b);
  return a === b ? a : graphOf(a, b).node("max", a, b);
}

/** `when` if test >= 0, else `whenNot`. Both are computed, because traced code does not branch. */
export function select(test: Scalar, when: Scalar, whenNot: Scalar): Scalar {
  if (isNumber(test)) return test >= 0 ? when : whenNot;
  return when === whenNot ? when : test.graph.node("select", test, when, whenNot);
}

export const square = (a: Scalar): Scalar => mul(a, a);

/**
 * x times a number whose value comes from data, such as a state. The number is never folded, even if it is 1, and never shared with an
 * equal constant. So programs that differ only in such numbers have the same form and share compiled code (code-cache.ts).
 */
export const mulByUnsharedConstant = (x: Scalar, weight: number): Scalar =>
  isNumber(x) ? weight * x : x.graph.node("mul", x, x.graph.unsharedConstant(weight)); // as first operand, `mul` would fold it later

/**
 * Marks the beginning of a step of a recursion, such as the step of one link, in the trace to which the values belong. Steps that do the
 * same with other numbers share code in large programs (schedule/rolled-program.ts). Values and results do not depend on marks.
 */
export const beginStep = (values: readonly Scalar[]): void => values.find((v): v is Expr => v instanceof Expr)?.graph.beginStep();

export const sum = (terms: Iterable<Scalar>): Scalar => {
  let total: Scalar = 0;
  for (const t of terms) total = add(total, t);
  return total;
};
