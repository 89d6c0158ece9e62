/** WebAssembly code of one chunk of a program: straight-line code with values in locals. */
import { type Chunk, eachOperand, type ProgramSchedule } from "../../schedule/schedule.ts";
import { ARITY, ARITY_BY_CODE, type Graph, OPS } from "../../trace/graph.ts";
import type { FunctionLayout, PointerWindows, WasmAddress } from "./addresses.ts";
import { V128, type ValueType, WASM, WasmCode } from "./instructions.ts";
import { isArithmetic, type LaneCode } from "./lanes.ts";
import { LocalAllocator } from "./local-allocator.ts";
import type { WasmModule } from "./module.ts";
import type { SincosFunctions } from "./sincos.ts";

/** Everything that the chunks of a program have in common. */
export interface ChunkContext {
  readonly module: WasmModule;
  readonly graph: Graph;
  readonly schedule: ProgramSchedule;
  readonly lane: LaneCode;
  readonly layout: FunctionLayout;
  /** Functions for sine and cosine; undefined if the program has neither. */
  readonly sincos: SincosFunctions | undefined;
  /** Pushes the value of a constant node. */
  pushConstant(code: WasmCode, id: number): void;
}

const [INPUT, CONST, SIN, COS] = (["input", "const", "sin", "cos"] as const).map((op) => OPS.indexOf(op));
const NO_POSITIONS: readonly number[] = [];
const NO_ADDRESSES: readonly WasmAddress[] = [];

export const isTrig = (graph: Graph, id: number): boolean => graph.codeOf(id) === SIN || graph.codeOf(id) === COS;

/** Adds the function of a chunk to the module. Returns its index. */
export const addChunk = (context: ChunkContext, chunk: Chunk): number => new ChunkEmitter(context, chunk).addFunction();

class ChunkEmitter {
  readonly #context: ChunkContext;
  readonly #chunk: Chunk;
  readonly #code = new WasmCode();
  readonly #windows: PointerWindows;
  readonly #locals: LocalAllocator;
  /** Locals for the sines and cosines of two angles. */
  readonly #sines: number;
  readonly #cosines: number;

  constructor(context: ChunkContext, chunk: Chunk) {
    this.#context = context;
    this.#chunk = chunk;
    this.#windows = context.layout.pointers((access) => this.#eachAccess(access));
    this.#windows.emitPointers(this.#code);
    this.#sines = this.#windows.firstFreeLocal;
    this.#cosines = this.#sines + 1;
    this.#locals = new LocalAllocator(chunk.uses, this.#sines + 2);
  }

  addFunction(): number {
    const { module, graph, lane, layout } = this.#context;
    const { steps, droppedBefore } = this.#chunk;
    for (let i = 0; i < steps.length; i++) {
      const id = steps[i]!;
      const next = steps[i + 1];
      for (const value of droppedBefore[i]!) this.#locals.release(value);
      if (ARITY_BY_CODE[graph.codeOf(id)] === 0) this.#emitCopy(id);
      else if (!isTrig(graph, id)) this.#emitStep(id);
      else if (this.#canPairTrig(id, next)) {
        for (const value of droppedBefore[++i]!) this.#locals.release(value);
        this.#emitTrigPair(id, next);
      } else this.#emitTrig(id);
    }
    const values = Array.from({ length: this.#locals.count }, () => lane.type);
    layout.pushResults(this.#code);
    const locals: ValueType[] = [...this.#windows.locals, V128, V128, ...values];
    return module.addFunction(layout.parameters, layout.results, locals, this.#code);
  }

  /** Visits the addresses that the chunk reads and writes. */
  #eachAccess(access: (address: WasmAddress) => void): void {
    const { graph, schedule, layout } = this.#context;
    for (const id of this.#chunk.uses.keys()) {
      if (graph.codeOf(id) === INPUT) access(layout.input(graph.valueOf(id)));
      else if (schedule.scratchSlot[id]! >= 0) access(layout.scratch(schedule.scratchSlot[id]!));
    }
    for (const id of this.#chunk.steps)
      for (let value = id; value >= 0; value = value === id ? schedule.sincosPartner[id]! : -1)
        for (const address of this.#destinations(value)) access(address);
  }

  /** Address of an input, or of a value of an earlier chunk. */
  #sourceAddress(id: number): WasmAddress {
    const { graph, schedule, layout } = this.#context;
    if (graph.opOf(id) === "input") return layout.input(graph.valueOf(id));
    if (schedule.scratchSlot[id]! < 0) throw new Error(`${graph.describe(id)} is read before it is computed`);
    return layout.scratch(schedule.scratchSlot[id]!);
  }

  /** Addresses to which the value of a step is stored, besides its local. */
  #destinations(id: number): readonly WasmAddress[] {
    const { schedule, layout } = this.#context;
    const positions = schedule.outputs.get(id);
    if (!positions && !(schedule.scratchSlot[id]! >= 0)) return NO_ADDRESSES;
    const addresses = (positions ?? NO_POSITIONS).map((i) => layout.output(i));
    if (schedule.scratchSlot[id]! >= 0) addresses.push(layout.scratch(schedule.scratchSlot[id]!));
    return addresses;
  }

  #load(address: WasmAddress): void {
    const { lane } = this.#context;
    const { pointer, offset } = this.#windows.rebase(address);
    (address.isNumber ? lane.loadNumber : lane.load)(this.#code.get(pointer), offset);
  }

  #store(address: WasmAddress, pushValue: () => void): void {
    const { pointer, offset } = this.#windows.rebase(address);
    this.#code.get(pointer);
    pushValue();
    this.#context.lane.store(this.#code, offset);
  }

  /** Pushes the value of a node. */
  #pushValue(id: number): void {
    const { graph, schedule } = this.#context;
    if (graph.codeOf(id) === CONST) this.#context.pushConstant(this.#code, id);
    else if (schedule.isInlined[id]) this.#pushExpression(id);
    else this.#pushNamed(id);
  }

  /** Pushes a named value from its local or from memory. A loaded value that is used again stays in a local. */
  #pushNamed(id: number): void {
    const local = this.#locals.use(id);
    if (local !== undefined) this.#code.get(local);
    else {
      this.#load(this.#sourceAddress(id));
      if (this.#locals.usesLeft(id) > 0) this.#code.tee(this.#locals.bind(id));
    }
  }

  #pushExpression(id: number): void {
    const { graph, lane } = this.#context;
    const op = graph.opOf(id);
    if (op === "select") {
      this.#pushValue(graph.arg(id, 1));
      this.#pushValue(graph.arg(id, 2));
      this.#pushValue(graph.arg(id, 0));
      lane.select(this.#code);
    } else if (isArithmetic(op)) {
      this.#pushValue(graph.arg(id, 0));
      if (ARITY[op] === 2) this.#pushValue(graph.arg(id, 1));
      this.#code.op(lane.ops[op]);
    } else throw new Error(`no expression for ${graph.describe(id)}`);
  }

  /** Pops the value of a node into its local and stores it at its destinations. */
  #popValue(id: number): void {
    const destinations = this.#destinations(id);
    const isUsed = this.#locals.usesLeft(id) > 0;
    if (!isUsed && destinations.length === 0) {
      this.#code.op(WASM.drop);
      return;
    }
    const local = this.#locals.bind(id);
    this.#code.set(local);
    for (const address of destinations) this.#store(address, () => this.#code.get(local));
    if (!isUsed) this.#locals.release(id);
  }

  #emitStep(id: number): void {
    const destinations = this.#destinations(id);
    if (this.#locals.usesLeft(id) === 0 && destinations.length === 1)
      this.#store(destinations[0]!, () => this.#pushExpression(id));
    else {
      this.#pushExpression(id);
      this.#popValue(id);
    }
  }

  /** Stores an output that is an input or a constant. */
  #emitCopy(id: number): void {
    const { graph } = this.#context;
    const push = (): void =>
      graph.opOf(id) === "const" ? this.#context.pushConstant(this.#code, id) : this.#load(this.#sourceAddress(id));
    for (const address of this.#destinations(id)) this.#store(address, push);
  }

  #sineOf(id: number): number {
    return this.#context.graph.opOf(id) === "sin" ? id : -1;
  }

  #cosineOf(id: number): number {
    return this.#context.graph.opOf(id) === "cos" ? id : this.#context.schedule.sincosPartner[id]!;
  }

  #emitTrig(id: number): void {
    const { graph, lane, sincos } = this.#context;
    this.#pushValue(graph.arg(id, 0));
    this.#code.call(lane.bytes === 8 ? sincos!.one : sincos!.two);
    this.#popValue(this.#cosineOf(id));
    this.#popValue(this.#sineOf(id));
  }

  /** Computes sines and cosines of two angles of one state in the two lanes: nearly twice as fast as one by one, with the same bits. */
  #emitTrigPair(a: number, b: number): void {
    const { graph, sincos } = this.#context;
    const code = this.#code;
    this.#pushValue(graph.arg(a, 0));
    code.op(WASM.f64x2Splat);
    this.#pushValue(graph.arg(b, 0));
    code.replaceLane(1).call(sincos!.two).set(this.#cosines).set(this.#sines);
    for (const [id, lane] of [
      [a, 0],
      [b, 1],
    ] as const) {
      code.get(this.#sines).extractLane(lane);
      this.#popValue(this.#sineOf(id));
      code.get(this.#cosines).extractLane(lane);
      this.#popValue(this.#cosineOf(id));
    }
  }

  /** True if step b is a sine or cosine that can be computed together with step a. */
  #canPairTrig(a: number, b: number | undefined): b is number {
    const { graph, schedule, lane } = this.#context;
    if (lane.bytes !== 8 || b === undefined || !isTrig(graph, b)) return false;
    let isIndependent = true;
    eachOperand(graph, schedule.isInlined, b, (operand) => {
      if (operand === this.#sineOf(a) || operand === this.#cosineOf(a)) isIndependent = false;
    });
    return isIndependent;
  }
}
