/**
 * The expression graph that a trace records: nodes are hash-consed, so equal expressions are one node and common
 * subexpressions cost nothing. The graph knows nothing of mechanics, and each expression belongs to exactly one graph.
 */

/** What a node does. `select(c, a, b)` is a where c >= 0, else b. */
export type Op =
  | "const"
  | "input"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "neg"
  | "sqrt"
  | "sin"
  | "cos"
  | "abs"
  | "min"
  | "max"
  | "select";

export const OPS: readonly Op[] = [
  "const",
  "input",
  "add",
  "sub",
  "mul",
  "div",
  "neg",
  "sqrt",
  "sin",
  "cos",
  "abs",
  "min",
  "max",
  "select",
];

/** Number of operands that are nodes. */
export const ARITY: Readonly<Record<Op, number>> = {
  const: 0,
  input: 0,
  add: 2,
  sub: 2,
  mul: 2,
  div: 2,
  neg: 1,
  sqrt: 1,
  sin: 1,
  cos: 1,
  abs: 1,
  min: 2,
  max: 2,
  select: 3,
};

/** The same by the places of `OPS`. */
export const ARITY_BY_CODE: readonly number[] = OPS.map((op) => ARITY[op]);

const CODE_OF_OP: Readonly<Record<Op, number>> = Object.fromEntries(OPS.map((op, i) => [op, i])) as Record<Op, number>;
const MAX_NODES = 2 ** 24;
const INITIAL_NODES = 256;
/** A code and up to three operands. */
const STRIDE = 4;

/** A recorded value: node `id` of `graph`. */
export class Expr {
  constructor(
    readonly graph: Graph,
    readonly id: number,
  ) {}

  get op(): Op {
    return this.graph.opOf(this.id);
  }

  toString(): string {
    return this.graph.describe(this.id);
  }
}

export type Scalar = number | Expr;

export class Graph {
  /** Four numbers of each node: its code, and its operands. Typed arrays grow without being looked through by a collector of garbage. */
  #nodes = new Int32Array(STRIDE * INITIAL_NODES);
  #values = new Float64Array(INITIAL_NODES);
  readonly #exprs: Expr[] = [];
  /** Nodes by what they compute, from where their hash says on: the id, less than 0 where there is none. Never more than half full. */
  #table = new Int32Array(1024).fill(-1);
  readonly #constants = new Map<number, number>();
  #inputs = 0;

  get size(): number {
    return this.#exprs.length;
  }

  get inputCount(): number {
    return this.#inputs;
  }

  opOf(id: number): Op {
    return OPS[this.#nodes[STRIDE * id]!]!;
  }

  /** What a node does, as its place among `OPS`. */
  codeOf(id: number): number {
    return this.#nodes[STRIDE * id]!;
  }

  /** Operand k of a node. */
  arg(id: number, k: 0 | 1 | 2): number {
    return this.#nodes[STRIDE * id + 1 + k]!;
  }

  /** Calls `visit` for each operand of a node. */
  eachArg(id: number, visit: (arg: number) => void): void {
    const at = STRIDE * id;
    const arity = ARITY_BY_CODE[this.#nodes[at]!]!;
    for (let k = 1; k <= arity; k++) visit(this.#nodes[at + k]!);
  }

  /** The number of a `const` node, the position of an `input` node. */
  valueOf(id: number): number {
    return this.#values[id]!;
  }

  expr(id: number): Expr {
    return this.#exprs[id]!;
  }

  input(): Expr {
    return this.expr(this.#push("input", 0, 0, 0, this.#inputs++));
  }

  constant(value: number): number {
    if (!Number.isFinite(value)) throw new RangeError(`a traced constant must be finite, got ${value}`);
    const v = value === 0 ? 0 : value; // one zero: -0 and +0 are the same node
    let id = this.#constants.get(v);
    if (id === undefined) {
      id = this.#push("const", 0, 0, 0, v);
      this.#constants.set(v, id);
    }
    return id;
  }

  /** A number that is a node of its own, also where others have its value: what is recorded does not depend on it. */
  unsharedConstant(value: number): Expr {
    if (!Number.isFinite(value)) throw new RangeError(`a traced constant must be finite, got ${value}`);
    return this.expr(this.#push("const", 0, 0, 0, value));
  }

  /** The node id of a scalar of this graph. */
  idOf(s: Scalar): number {
    if (typeof s === "number") return this.constant(s);
    if (s.graph !== this) throw new Error("an expression of one trace was used in another: each trace has its own graph");
    return s.id;
  }

  /** The node op(a, b), new or already there. */
  node(op: Op, a: Scalar, b: Scalar = 0, c: Scalar = 0): Expr {
    const arity = ARITY[op];
    const ia = this.idOf(a);
    const ib = arity > 1 ? this.idOf(b) : 0;
    const ic = arity > 2 ? this.idOf(c) : 0;
    const place = this.#placeOf(CODE_OF_OP[op], ia, ib, ic);
    const known = this.#table[place]!;
    if (known >= 0) return this.expr(known);
    const id = this.#push(op, ia, ib, ic, 0);
    this.#table[place] = id;
    if (2 * id > this.#table.length) this.#widen();
    return this.expr(id);
  }

  /** The node op(a, b) if it has been recorded already. */
  find(op: Op, a: Expr, b: Expr): Expr | undefined {
    const id = this.#table[this.#placeOf(CODE_OF_OP[op], a.id, b.id, 0)]!;
    return id < 0 ? undefined : this.expr(id);
  }

  /** Where in the table a node is, or would be. */
  #placeOf(op: number, a: number, b: number, c: number): number {
    const table = this.#table;
    const nodes = this.#nodes;
    const last = table.length - 1;
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0x27d4eb2f) ^ Math.imul(op, 0xc2b2ae35);
    hash ^= hash >>> 15;
    for (let place = hash & last; ; place = (place + 1) & last) {
      const id = table[place]!;
      if (id < 0) return place;
      const at = STRIDE * id;
      if (nodes[at] === op && nodes[at + 1] === a && nodes[at + 2] === b && nodes[at + 3] === c) return place;
    }
  }

  #widen(): void {
    const old = this.#table;
    const nodes = this.#nodes;
    this.#table = new Int32Array(4 * old.length).fill(-1);
    for (const id of old) {
      if (id < 0) continue;
      const at = STRIDE * id;
      this.#table[this.#placeOf(nodes[at]!, nodes[at + 1]!, nodes[at + 2]!, nodes[at + 3]!)] = id;
    }
  }

  describe(id: number): string {
    const op = this.opOf(id);
    if (op === "const") return String(this.valueOf(id));
    if (op === "input") return `x${this.valueOf(id)}`;
    const args = [this.arg(id, 0), this.arg(id, 1), this.arg(id, 2)].slice(0, ARITY[op]);
    return `${op}(${args.map((k) => (this.opOf(k) === "const" || this.opOf(k) === "input" ? this.describe(k) : `n${k}`)).join(", ")})`;
  }

  #push(op: Op, a: number, b: number, c: number, value: number): number {
    const id = this.#exprs.length;
    if (id >= MAX_NODES)
      throw new RangeError(`a trace may have at most ${MAX_NODES} nodes: simplify the model or compute with numbers`);
    if (id === this.#values.length) {
      this.#nodes = copyInto(this.#nodes, new Int32Array(2 * this.#nodes.length));
      this.#values = copyInto(this.#values, new Float64Array(2 * id));
    }
    const at = STRIDE * id;
    this.#nodes[at] = CODE_OF_OP[op];
    this.#nodes[at + 1] = a;
    this.#nodes[at + 2] = b;
    this.#nodes[at + 3] = c;
    this.#values[id] = value;
    this.#exprs.push(new Expr(this, id));
    return id;
  }
}

function copyInto<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
