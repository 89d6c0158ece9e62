/** `castor compile`: compiles a quantity of a model to a file of code. */
import { basename, extname } from "node:path";
import { didYouMean } from "../../declare/names.ts";
import { robotOf } from "../../dynamics/free-flying/robot.ts";
import { type ReductionCost, reductionCost } from "../../dynamics/partition/partitioned-dynamics.ts";
import { costOf } from "../../kernel/trace/program.ts";
import type { Model } from "../../model/model.ts";
import { listedItems } from "../arguments.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { compileCommand } from "../commands/compile.ts";
import { type CallDescription, type CodeTarget, KERNEL_WRITERS } from "../compile/kernel-file.ts";
import { type ArraySegment, arrayLayout } from "../compile/kernel-layout.ts";
import { QUANTITIES, type Quantity, type QuantityOptions } from "../compile/quantities.ts";
import { QUANTITY_NAMES, type QuantityName } from "../compile/quantity-names.ts";
import { loadModelArgument, loadState } from "../files/model-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { definitionList } from "../help.ts";
import { toJson } from "../text/json.ts";
import type { Style } from "../text/terminal.ts";

export const run: Action<typeof compileCommand> = (args, terminal) => {
  const quantity = parseQuantity(args.quantity);
  checkOptions(args.quantity, QUANTITIES[quantity], { ...args });
  const target = chooseTarget(args.output, args.target as CodeTarget | undefined);
  const lanes = args.lanes === "2" ? 2 : 1;
  if (lanes === 2 && target !== "wasm") throw new UsageError(`--lanes 2 needs --target wasm, not ${target}`);
  const { model, stateBeside } = loadModelArgument(args.model);
  const state = args.state ?? (quantity === "partitioned-dynamics" ? stateBeside : undefined);
  const options = { ...optionsOf(model, quantity, args), ...(state !== undefined && { state: loadState(model, state).q }) };
  const program = QUANTITIES[quantity].program(model, options);
  const kernelFile = KERNEL_WRITERS[target](program, lanes);
  writeFileAtomically(args.output, kernelFile.content);
  const report: CompileReport = {
    file: args.output,
    bytes: Buffer.byteLength(kernelFile.content),
    target,
    quantity,
    lanes,
    ...costOf(program),
    ...(quantity === "partitioned-dynamics" && { reduction: reductionCost(model, options.state) }),
    ...(model.loops.length > 0 && IGNORES_LOOPS.has(quantity) && { openLoops: model.loops.length }),
    inputs: arrayLayout(program.inputs, model, options),
    outputs: arrayLayout(program.outputs, model, options),
    call: kernelFile.call,
  };
  terminal.print(args.json ? toJson(report) : compileText(model, report, terminal.style));
  return 0;
};

interface CompileReport {
  readonly file: string;
  readonly bytes: number;
  readonly target: CodeTarget;
  readonly quantity: QuantityName;
  readonly lanes: 1 | 2;
  /** Number of add, sub, mul, div, sqrt and comparisons per call; sines and cosines are counted in `trig`. */
  readonly ops: number;
  readonly trig: number;
  /** Operations for the solution of the loops, with and without elimination of zeros in the matrices. */
  readonly reduction?: ReductionCost;
  /** Number of loops that the quantity ignores. */
  readonly openLoops?: number;
  readonly inputs: readonly ArraySegment[];
  readonly outputs: readonly ArraySegment[];
  readonly call: CallDescription;
}

/** Quantities of the tree, which ignore the loops of the model. */
const IGNORES_LOOPS: ReadonlySet<QuantityName> = new Set(["forward-dynamics", "inverse-dynamics", "free-flying"]);

const TARGET_BY_EXTENSION: Readonly<Record<string, CodeTarget>> = { ".wasm": "wasm", ".js": "js", ".mjs": "js", ".c": "c" };

/** The target of the option or of the extension. @throws UsageError if they contradict each other, or if neither is given. */
function chooseTarget(output: string, given: CodeTarget | undefined): CodeTarget {
  const extension = extname(output).toLowerCase();
  const inferred = TARGET_BY_EXTENSION[extension];
  if (given !== undefined && inferred !== undefined && given !== inferred)
    throw new UsageError(
      `--target ${given} contradicts the extension of ${output}, which means ${inferred}. Leave --target out, or change the extension`,
    );
  const target = given ?? inferred;
  if (target !== undefined) return target;
  throw new UsageError(
    `the language of ${output} is unknown: ${extension === "" ? "it has no extension" : `there is no language for ${extension}`}. Known extensions: ${Object.keys(TARGET_BY_EXTENSION).join(", ")}. Use one of them, or --target`,
  );
}

function parseQuantity(name: string): QuantityName {
  const known = QUANTITY_NAMES.find((quantity) => quantity === name);
  if (known === undefined)
    throw new UsageError(`there is no quantity ${JSON.stringify(name)}. There are: ${QUANTITY_NAMES.join(", ")}`);
  return known;
}

/** Refuses options that do not apply to the quantity. */
function checkOptions(name: string, { takes }: Quantity, args: Readonly<Record<string, unknown>>): void {
  for (const option of ["frames", "wrenches", "parameters", "actuated", "state"] as const)
    if (args[option] !== undefined && !takes.includes(option)) throw new UsageError(`--${option} does not apply to ${name}`);
}

type ListArguments = Readonly<Partial<Record<keyof QuantityOptions, string | undefined>>>;

function optionsOf(model: Model, quantity: QuantityName, args: ListArguments): QuantityOptions {
  const frames =
    args.frames !== undefined
      ? listedItems(args.frames)
      : quantity === "frame-kinematics"
        ? model.frames.map((f) => f.name)
        : quantity === "free-flying"
          ? framesOnRobot(model)
          : [];
  if (quantity === "frame-kinematics" && frames.length === 0)
    throw new CommandError(`${model.name} has no named frames. Name bodies instead, e.g. --frames ${model.bodies.at(-1)!.name}`);
  const hinges = model.bodies.map(({ hinge }) => hinge.name);
  const unknownHinge = listedItems(args.actuated).find((name) => !hinges.includes(name));
  if (unknownHinge !== undefined)
    throw new CommandError(`no hinge is named ${JSON.stringify(unknownHinge)}. ${didYouMean(unknownHinge, hinges)}`);
  return {
    frames,
    wrenches: listedItems(args.wrenches),
    parameters: listedItems(args.parameters),
    actuated: args.actuated === undefined ? undefined : listedItems(args.actuated),
  };
}

/** Named frames on the free-flying robot; frames on other bodies, e.g. a target, are left out. */
function framesOnRobot(model: Model): string[] {
  const { carries } = robotOf(model);
  return model.frames.filter(({ body }) => body >= 0 && carries[body]).map((f) => f.name);
}

function compileText(model: Model, report: CompileReport, style: Style): string {
  const { file, bytes, ops, trig, quantity, inputs, outputs, call, reduction, openLoops } = report;
  return [
    `${style.bold(file)}  ${quantity} of ${model.name}`,
    `${ops} operations, ${trig} sines and cosines, ${sizeText(bytes)}`,
    ...(reduction
      ? [
          `the loops take ${reduction.eliminated} of them; without elimination of zeros it would be ${reduction.kept}, ` +
            `${(reduction.kept / reduction.eliminated).toFixed(1)} times as many`,
        ]
      : []),
    ...(openLoops
      ? [style.warn(`this quantity ignores the loops of the model (${openLoops}): use --quantity partitioned-dynamics`)]
      : []),
    "",
    style.bold("in"),
    definitionList(inputs.map((part) => segmentLine("x", part))),
    style.bold("out"),
    definitionList(outputs.map((part) => segmentLine("y", part))),
    style.bold("call"),
    ...call.lines.map((line) => `  ${line.replace("FILE", basename(file))}`),
  ].join("\n");
}

const MAX_SHOWN_ELEMENTS = 4;

function segmentLine(array: string, { name, start, size, elements }: ArraySegment): readonly [string, string] {
  const range = size === 1 ? `${array}[${start}]` : `${array}[${start}..${start + size - 1}]`;
  const shown =
    elements.length <= MAX_SHOWN_ELEMENTS + 1
      ? elements
      : [...elements.slice(0, MAX_SHOWN_ELEMENTS - 1), "...", elements.at(-1)!];
  return [`${range}`, `${name}: ${shown.join(", ")}`];
}

const sizeText = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`);
