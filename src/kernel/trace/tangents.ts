/**
 * Evaluates a program in numbers, with its derivatives along many directions at once. Nothing is compiled: for large models that are
 * evaluated at a few states only, compiling would take longer than all evaluations.
 *
 * At a state, the chain rule of every node is y' = w_a a' + w_b b' with two numbers w, so one loop serves all operations. Directions are
 * processed in blocks that fit into the cache. Nodes with zero rates in a block, and operands with zero weights, are skipped.
 */
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { ARITY, type Graph } from "./graph.ts";
import { type NamedSizes, offsetsOf, type Program, reachableNodes, sizeOf } from "./program.ts";

/** Number of directions in a block. */
const BLOCK_SIZE = 32;

/** A direction: rates of inputs. Inputs that are not listed have rate 0. */
export type TangentDirection = readonly { readonly input: number; readonly rate: number }[];

export class TangentEvaluator<I extends NamedSizes, O extends NamedSizes> {
  readonly program: Program<I, O>;
  /** Inputs and outputs, laid out as in a kernel. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly #order: Int32Array;
  readonly #value: Float64Array;
  /** For each inner node in order: the node, its two operands, and their weights in the chain rule. */
  readonly #innerNode: Int32Array;
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #wa: Float64Array;
  readonly #wb: Float64Array;
  readonly #inputNode: Int32Array;
  readonly #rates: Float64Array;
  readonly #isMoving: Uint8Array;

  constructor(program: Program<I, O>) {
    const { graph, results } = program;
    this.program = program;
    this.x = new Float64Array(sizeOf(program.inputs));
    this.y = new Float64Array(results.length);
    this.#order = reachableNodes(program);
    this.#value = new Float64Array(graph.size);
    const inner = this.#order.filter((id) => ARITY[graph.opOf(id)] > 0);
    this.#innerNode = Int32Array.from(inner);
    this.#a = new Int32Array(inner.length);
    this.#b = new Int32Array(inner.length);
    this.#wa = new Float64Array(inner.length);
    this.#wb = new Float64Array(inner.length);
    this.#inputNode = new Int32Array(this.x.length).fill(-1);
    for (const id of this.#order) if (graph.opOf(id) === "input") this.#inputNode[graph.valueOf(id)] = id;
    this.#rates = new Float64Array(graph.size * BLOCK_SIZE);
    this.#isMoving = new Uint8Array(graph.size);
  }

  /** Index of the first entry of each input in x, and of each output in y. */
  get inputs(): { readonly [K in keyof I]: number } {
    return offsetsOf(this.program.inputs);
  }

  get outputs(): { readonly [K in keyof O]: number } {
    return offsetsOf(this.program.outputs);
  }

  /** Computes y at x, and the weights of the chain rule there. */
  evaluate(): void {
    const { graph, results } = this.program;
    const value = this.#value;
    let k = 0;
    for (const id of this.#order) {
      const arity = ARITY[graph.opOf(id)];
      if (arity === 0) value[id] = graph.opOf(id) === "const" ? graph.valueOf(id) : this.x[graph.valueOf(id)]!;
      else this.#evaluateNode(graph, id, k++);
    }
    for (const [i, id] of results.entries()) this.y[i] = value[id]!;
  }

  /** Computes the value of inner node k, its operands in the chain rule, and their weights. */
  #evaluateNode(graph: Graph, id: number, k: number): void {
    const value = this.#value;
    let ia = graph.arg(id, 0);
    const ib = graph.arg(id, 1);
    const a = value[ia]!;
    const b = value[ib]!;
    let [y, wa, wb] = [0, 0, 0];
    switch (graph.opOf(id)) {
      case "add":
        [y, wa, wb] = [a + b, 1, 1];
        break;
      case "sub":
        [y, wa, wb] = [a - b, 1, -1];
        break;
      case "mul":
        [y, wa, wb] = [a * b, b, a];
        break;
      case "div":
        [y, wa, wb] = [a / b, 1 / b, -a / (b * b)];
        break;
      case "neg":
        [y, wa] = [-a, -1];
        break;
      case "sqrt":
        y = Math.sqrt(a);
        wa = 0.5 / y;
        break;
      case "sin":
        [y, wa] = [sine(a), cosine(a)];
        break;
      case "cos":
        [y, wa] = [cosine(a), -sine(a)];
        break;
      case "abs":
        [y, wa] = [Math.abs(a), a >= 0 ? 1 : -1];
        break;
      case "min":
        [y, wa, wb] = b - a >= 0 ? [a, 1, 0] : [b, 0, 1];
        break;
      case "max":
        [y, wa, wb] = a - b >= 0 ? [a, 1, 0] : [b, 0, 1];
        break;
      case "select":
        ia = a >= 0 ? ib : graph.arg(id, 2);
        [y, wa] = [value[ia]!, 1];
        break;
      default:
        throw new Error(`no chain rule for the operation ${graph.opOf(id)}`);
    }
    value[id] = y;
    this.#a[k] = ia;
    this.#b[k] = ib;
    this.#wa[k] = wa;
    this.#wb[k] = wb;
  }

  /** Rates of y along directions at the x of the last `evaluate`; by rows, one column per direction. */
  directionalDerivatives(directions: readonly TangentDirection[]): Float64Array {
    const { results } = this.program;
    const count = directions.length;
    const out = new Float64Array(results.length * count);
    for (let from = 0; from < count; from += BLOCK_SIZE) {
      const block = directions.slice(from, from + BLOCK_SIZE);
      this.#isMoving.fill(0);
      for (const [j, direction] of block.entries())
        for (const { input, rate } of direction) {
          const id = this.#inputNode[input]!;
          if (id < 0 || rate === 0) continue;
          if (!this.#isMoving[id]) this.#rates.fill(0, id * BLOCK_SIZE, (id + 1) * BLOCK_SIZE);
          this.#isMoving[id] = 1;
          this.#rates[id * BLOCK_SIZE + j] = rate;
        }
      this.#propagateBlock();
      for (const [i, id] of results.entries()) {
        if (!this.#isMoving[id]) continue;
        for (let j = 0; j < block.length; j++) out[i * count + from + j] = this.#rates[id * BLOCK_SIZE + j]!;
      }
    }
    return out;
  }

  /** Propagates one block of directions through all nodes. */
  #propagateBlock(): void {
    const [node, a, b, wa, wb] = [this.#innerNode, this.#a, this.#b, this.#wa, this.#wb];
    const [rates, isMoving] = [this.#rates, this.#isMoving];
    for (let k = 0; k < node.length; k++) {
      const u = wa[k]!;
      const v = wb[k]!;
      const usesA = u !== 0 && isMoving[a[k]!] === 1;
      const usesB = v !== 0 && isMoving[b[k]!] === 1;
      if (!usesA && !usesB) continue;
      const target = node[k]! * BLOCK_SIZE;
      const fromA = a[k]! * BLOCK_SIZE;
      const fromB = b[k]! * BLOCK_SIZE;
      if (usesA && usesB) for (let j = 0; j < BLOCK_SIZE; j++) rates[target + j] = u * rates[fromA + j]! + v * rates[fromB + j]!;
      else if (usesA) for (let j = 0; j < BLOCK_SIZE; j++) rates[target + j] = u * rates[fromA + j]!;
      else for (let j = 0; j < BLOCK_SIZE; j++) rates[target + j] = v * rates[fromB + j]!;
      isMoving[node[k]!] = 1;
    }
  }
}
