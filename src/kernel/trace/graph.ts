/**
 * Expression graph that a trace records. Nodes are hash-consed: equal expressions are one node, so common subexpressions are computed once.
 * Each expression belongs to exactly one graph.
 */
import { TraceError } from "../../errors.ts";

/** Operation of a node. `select(c, a, b)` is a if c >= 0, else b. */
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

/** `ARITY` by operation code. The code of an operation is its index in `OPS`. */
export const ARITY_BY_CODE: readonly number[] = OPS.map((op) => ARITY[op]);

const CODE_OF_OP: Readonly<Record<Op, number>> = Object.fromEntries(OPS.map((op, i) => [op, i])) as Record<Op, number>;
const MAX_NODES = 16_777_216;
const INITIAL_NODES = 256;
/** The search for a node begins in one of this number of slots (plus 1), and leaves their surroundings after this number of tries. */
const NEAR_SLOTS = 255;
const NEAR_TRIES = 16;
/** Numbers per node: an operation code and up to three operands. */
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
  /** @param keepsSigns see `TraceOptions` */
  constructor(readonly keepsSigns = false) {}

  /** `STRIDE` numbers per node. Typed arrays are not scanned by the garbage collector. */
  #nodes = new Int32Array(STRIDE * INITIAL_NODES);
  #values = new Float64Array(INITIAL_NODES);
  readonly #exprs: Expr[] = [];
  /** Open-addressing hash table of node ids; -1 marks a free slot. At most half full. */
  #table = new Int32Array(1024).fill(-1);
  readonly #constants = new Map<number, number>();
  /** Sign change of each node; 0 if it was not recorded. */
  #negatives = new Int32Array(INITIAL_NODES);
  readonly #stepStarts: number[] = [];
  #inputs = 0;

  get size(): number {
    return this.#exprs.length;
  }

  /** For each step of a recursion the id of its first node, ascending: see `beginStep`. */
  get stepStarts(): readonly number[] {
    return this.#stepStarts;
  }

  /** Nodes that are recorded from now on belong to the next step. */
  beginStep(): void {
    if (this.#stepStarts.at(-1) !== this.size) this.#stepStarts.push(this.size);
  }

  get inputCount(): number {
    return this.#inputs;
  }

  opOf(id: number): Op {
    return OPS[this.#nodes[STRIDE * id]!]!;
  }

  /** Operation code of a node. */
  codeOf(id: number): number {
    return this.#nodes[STRIDE * id]!;
  }

  /** Operand k of a node. */
  arg(id: number, k: 0 | 1 | 2): number {
    return this.#nodes[STRIDE * id + 1 + k]!;
  }

  /** Calls `visit` for each operand of a node. */
  eachArg(id: number, visit: (arg: number) => void): void {
    const offset = STRIDE * id;
    const arity = ARITY_BY_CODE[this.#nodes[offset]!]!;
    for (let k = 1; k <= arity; k++) visit(this.#nodes[offset + k]!);
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
    if (!Number.isFinite(value)) throw new TraceError(`a traced constant must be finite, got ${value}`);
    const v = value === 0 ? 0 : value; // -0 and +0 are the same node
    let id = this.#constants.get(v);
    if (id === undefined) {
      id = this.#push("const", 0, 0, 0, v);
      this.#constants.set(v, id);
    }
    return id;
  }

  /** A constant that is never shared, even if another has the same value: the recorded graph does not depend on the value. */
  unsharedConstant(value: number): Expr {
    if (!Number.isFinite(value)) throw new TraceError(`a traced constant must be finite, got ${value}`);
    return this.expr(this.#push("const", 0, 0, 0, value));
  }

  /** The node id of a scalar of this graph. */
  idOf(s: Scalar): number {
    if (typeof s === "number") return this.constant(s);
    if (s.graph !== this)
      throw new TraceError("an expression of one trace was used in another trace; each trace has its own graph");
    return s.id;
  }

  /** The node op(a, b, c); an existing one if it was recorded before. */
  node(op: Op, a: Scalar, b: Scalar = 0, c: Scalar = 0): Expr {
    const ia = this.idOf(a);
    if (op === "neg") return this.#negative(ia);
    const arity = ARITY[op];
    const ib = arity > 1 ? this.idOf(b) : 0;
    const ic = arity > 2 ? this.idOf(c) : 0;
    const slot = this.#tableSlot(CODE_OF_OP[op], ia, ib, ic);
    const existing = this.#table[slot]!;
    if (existing >= 0) return this.expr(existing);
    const id = this.#push(op, ia, ib, ic, 0);
    this.#table[slot] = id;
    if (2 * id > this.#table.length) this.#growTable();
    return this.expr(id);
  }

  /** The sign change of a node. Every fourth recorded node is one, so they have a faster table. */
  #negative(a: number): Expr {
    const existing = this.#negatives[a]!;
    if (existing > 0) return this.expr(existing);
    const id = this.#push("neg", a, 0, 0, 0); // may replace the table
    this.#negatives[a] = id;
    return this.expr(id);
  }

  /** The node op(a, b) if it was recorded before. */
  find(op: Op, a: Expr, b: Expr): Expr | undefined {
    const id = this.#table[this.#tableSlot(CODE_OF_OP[op], a.id, b.id, 0)]!;
    return id < 0 ? undefined : this.expr(id);
  }

  /**
   * Slot of the hash table that holds a node, or the free slot for it. The search begins near that of other nodes with recent operands,
   * which is in a cache. If many nodes crowd there, it goes on far away.
   */
  #tableSlot(op: number, a: number, b: number, c: number): number {
    const table = this.#table;
    const nodes = this.#nodes;
    const last = table.length - 1;
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0x27d4eb2f) ^ Math.imul(op, 0xc2b2ae35);
    hash ^= hash >>> 15;
    let position = (2 * Math.max(a, b, c) + (hash & NEAR_SLOTS)) & last;
    for (let tries = 1; ; tries++) {
      const id = table[position]!;
      if (id < 0) return position;
      const offset = STRIDE * id;
      if (nodes[offset] === op && nodes[offset + 1] === a && nodes[offset + 2] === b && nodes[offset + 3] === c) return position;
      position = (tries === NEAR_TRIES ? hash : position + 1) & last;
    }
  }

  #growTable(): void {
    const oldTable = this.#table;
    const nodes = this.#nodes;
    this.#table = new Int32Array(4 * oldTable.length).fill(-1);
    for (const id of oldTable) {
      if (id < 0) continue;
      const offset = STRIDE * id;
      this.#table[this.#tableSlot(nodes[offset]!, nodes[offset + 1]!, nodes[offset + 2]!, nodes[offset + 3]!)] = id;
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
      throw new TraceError(`a trace may have at most ${MAX_NODES} nodes: simplify the model or compute with numbers`);
    if (id === this.#values.length) {
      this.#nodes = copyInto(this.#nodes, new Int32Array(2 * this.#nodes.length));
      this.#negatives = copyInto(this.#negatives, new Int32Array(2 * id));
      this.#values = copyInto(this.#values, new Float64Array(2 * id));
    }
    const offset = STRIDE * id;
    this.#nodes[offset] = CODE_OF_OP[op];
    this.#nodes[offset + 1] = a;
    this.#nodes[offset + 2] = b;
    this.#nodes[offset + 3] = c;
    this.#values[id] = value;
    this.#exprs.push(new Expr(this, id));
    return id;
  }
}

function copyInto<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
