/** A program as JavaScript, for hosts without WebAssembly and for reading. */

import { checkSchedule, type ScheduleOptions, scheduleProgram } from "../schedule/schedule.ts";
import { commentText, type LanguageSyntax, layoutLines, printChunk } from "../trace/print.ts";
import { costOf, type Program } from "../trace/program.ts";
import { JS_SINCOS } from "./js-sincos.ts";

const JS_SYNTAX: LanguageSyntax = {
  declare: "const",
  number: String,
  functions: { sqrt: "Math.sqrt", sin: "sine", cos: "cosine", abs: "Math.abs", min: "Math.min", max: "Math.max" },
};

/** An ES module that exports `evaluate(x, y)`. */
export function jsSource(program: Program, options: ScheduleOptions = {}): string {
  checkSchedule(program, options);
  return `${jsDeclarations(program, options)}export { evaluate };\n`;
}

/**
 * Source that declares `function evaluate(x, y)`. It is divided into chunks, because V8 does not optimise functions above 60 KB of
 * bytecode.
 */
export function jsDeclarations(program: Program, options: ScheduleOptions = {}): string {
  const schedule = scheduleProgram(program, options);
  const lines = [
    `// ${commentText(program.name)}: y = f(x)`,
    ...[...layoutLines("x", program.inputs), ...layoutLines("y", program.outputs)].map((line) => `//   ${line}`),
  ];
  if (schedule.scratchSlotCount > 0) lines.push(`const scratch = new Float64Array(${schedule.scratchSlotCount});`);
  schedule.chunks.forEach((chunk, c) => {
    lines.push(`function chunk${c}(x, y) {`, ...printChunk(program, schedule, chunk, JS_SYNTAX), "}");
  });
  lines.push("function evaluate(x, y) {", ...schedule.chunks.map((_, c) => `  chunk${c}(x, y);`), "}");
  if (costOf(program).trig > 0) lines.push(JS_SINCOS.trim());
  return `${lines.join("\n")}\n`;
}
