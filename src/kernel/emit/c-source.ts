/** A program as one self-contained C99 file, for flight software and other languages. It is thread-safe: scratch is on the stack. */

import {
  checkSchedule,
  isLargeProgram,
  type ScheduleOptions,
  scheduleProgram,
  type TargetScheduleOptions,
} from "../schedule/schedule.ts";
import { commentText, type LanguageSyntax, layoutLines, printChunk } from "../trace/print.ts";
import { costOf, type Program, reachableNodes } from "../trace/program.ts";
import { C_SINCOS, C_SINCOS_PAIRS } from "./c-sincos.ts";
import { C_TRIG, SINCOS_TWO } from "./c-trig.ts";

const C_SYNTAX = {
  declare: "const double",
  number: (value: number) => (Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value)),
  loadsAtUse: true,
  trig: C_TRIG,
  functions: { sqrt: "sqrt", sin: "sin", cos: "cos", abs: "fabs", min: "least", max: "greatest" },
} as const satisfies LanguageSyntax;

/** Parameters of the function of a chunk. Each function has only those that it uses, because compilers warn about unused parameters. */
const POINTER_DECLARATIONS: Readonly<Record<string, string>> = {
  x: "const double *restrict x",
  y: "double *restrict y",
  scratch: "double *restrict scratch",
};

/**
 * GCC and Clang join functions that are called once, and then need minutes for the very long code. GCC also packs neighbouring values into
 * vectors, and unpacking them takes longer than it saves: 10 to 20 % of large programs.
 */
const SEPARATE_FUNCTION = `#if defined(__clang__)
#define SEPARATE __attribute__((noinline))
#elif defined(__GNUC__)
#define SEPARATE __attribute__((noinline, optimize("no-tree-slp-vectorize")))
#else
#define SEPARATE
#endif`;

/**
 * Instructions with three operands (AVX) save copies between registers: 3 to 5 % of programs of a few thousand operations, 20 % of longer ones, with the
 * same bits. GCC compiles such functions twice, and the C library chooses when the program starts.
 */
const PROCESSOR_VERSIONS = `#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && !defined(__AVX__)
#define VERSIONS __attribute__((target_clones("avx", "default")))
#else
#define VERSIONS
#endif`;

/** Shorter programs gain nothing. */
const VERSIONS_MIN_OPS = 1500;

/** Measured with GCC 12: few long functions are best, if a function is not so long that its compilation takes too much time. */
const SMALL_PROGRAM_OPTIONS: TargetScheduleOptions = { chunkSize: 2000, window: 64 };
const LARGE_PROGRAM_OPTIONS: TargetScheduleOptions = { chunkSize: 400 };

/** Minimum and maximum with the rules of the other targets: a NaN operand gives NaN, and -0 < 0. fmin and fmax of C differ. */
const LEAST_SOURCE = `static double least(double a, double b) {
  if (a != a || b != b) return a + b;
  return a < b || (a <= b && signbit(a)) ? a : b;
}`;
const GREATEST_SOURCE = `static double greatest(double a, double b) {
  if (a != a || b != b) return a + b;
  return a > b || (a >= b && signbit(b)) ? a : b;
}`;

/** Name of the C function that `cSource` declares: the name of the program as an identifier. */
export function cName(program: Program): string {
  checkSchedule(program, {});
  const plain = program.name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return `castor_${plain || "kernel"}`; // the prefix avoids keywords, leading digits and names of the C library
}

/** Source of `void NAME(const double *x, double *y)` with NAME = cName(program). */
export function cSource(program: Program, options: ScheduleOptions = {}): string {
  checkSchedule(program, options);
  const chosen = isLargeProgram(program) ? LARGE_PROGRAM_OPTIONS : SMALL_PROGRAM_OPTIONS;
  const schedule = scheduleProgram(program, { ...chosen, ...options });
  const { graph } = program;
  const uses = (op: string): boolean => reachableNodes(program).some((id) => graph.opOf(id) === op);
  const hasSeveralChunks = schedule.chunks.length > 1;
  const hasVersions = costOf(program).ops >= VERSIONS_MIN_OPS;
  const attributes = (hasVersions ? "VERSIONS " : "") + (hasSeveralChunks ? "SEPARATE " : "");
  const functions: string[] = [];
  const calls: string[] = [];
  const usedNames = new Set<string>();
  schedule.chunks.forEach((chunk, c) => {
    const statements = printChunk(program, schedule, chunk, C_SYNTAX);
    const names = Object.keys(POINTER_DECLARATIONS).filter((name) => statements.some((line) => line.includes(`${name}[`)));
    for (const name of names) usedNames.add(name);
    const parameters = names.map((name) => POINTER_DECLARATIONS[name]).join(", ") || "void";
    functions.push(`${attributes}static void chunk${c}(${parameters}) {`, ...statements, "}", "");
    calls.push(`  chunk${c}(${names.join(", ")});`);
  });
  const hasPairs = functions.some((line) => line.includes(SINCOS_TWO));
  const lines = [
    "/*",
    ` * ${commentText(program.name)}: y = f(x). x and y must not overlap.`,
    ...[...layoutLines("x", program.inputs), ...layoutLines("y", program.outputs)].map((line) => ` *   ${line}`),
    " */",
    "#include <math.h>",
    "",
    ...(uses("min") ? [LEAST_SOURCE, ""] : []),
    ...(uses("max") ? [GREATEST_SOURCE, ""] : []),
    ...(uses("sin") || uses("cos") ? [C_SINCOS, ""] : []),
    ...(hasPairs ? [C_SINCOS_PAIRS, ""] : []),
    ...(hasSeveralChunks ? [SEPARATE_FUNCTION, ""] : []),
    ...(hasVersions ? [PROCESSOR_VERSIONS, ""] : []),
    ...functions,
  ];
  const signature = `void ${cName(program)}(const double *x, double *y)`;
  lines.push(`${signature};`, `${signature} {`);
  if (schedule.scratchSlotCount > 0) lines.push(`  double scratch[${schedule.scratchSlotCount}];`);
  for (const name of ["x", "y"]) if (!usedNames.has(name)) lines.push(`  (void)${name};`);
  return `${[...lines, ...calls, "}"].join("\n")}\n`;
}
