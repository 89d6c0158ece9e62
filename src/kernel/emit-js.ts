/** A program as JavaScript, for where WebAssembly is not available and for reading. */

import { describeShape, namedSteps, plainText, printExpression, type Syntax } from "./print.ts";
import type { Program } from "./program.ts";
import { type Chunk, type Schedule, type ScheduleOptions, schedule } from "./schedule.ts";

const SYNTAX: Syntax = {
  number: String, // the shortest decimal that reads back as the same double
  functions: { sqrt: "Math.sqrt", sin: "Math.sin", cos: "Math.cos", abs: "Math.abs", min: "Math.min", max: "Math.max" },
};

/** Source that declares `function evaluate(x, y)`. In chunks, because V8 does not optimise functions above 60 KB of bytecode. */
export function jsSource(program: Program, options: ScheduleOptions = {}): string {
  const plan = schedule(program, options);
  const lines = [
    `// ${plainText(program.name)}: y = f(x)`,
    ...[...describeShape("x", program.inputs), ...describeShape("y", program.outputs)].map((line) => `//   ${line}`),
  ];
  if (plan.slots > 0) lines.push(`const scratch = new Float64Array(${plan.slots});`);
  plan.chunks.forEach((chunk, c) => {
    lines.push(`function chunk${c}(x, y) {`, ...chunkLines(program, plan, chunk), "}");
  });
  lines.push("function evaluate(x, y) {", ...plan.chunks.map((_, c) => `  chunk${c}(x, y);`), "}");
  return `${lines.join("\n")}\n`;
}

function chunkLines(program: Program, plan: Schedule, chunk: Chunk): string[] {
  const { graph } = program;
  const here = new Set<number>();
  const lines: string[] = [];
  for (const id of chunk.uses.keys()) if (graph.opOf(id) === "input") lines.push(`  const v${id} = x[${graph.valueOf(id)}];`);
  const own = new Set(namedSteps(plan, chunk.steps));
  for (const id of chunk.uses.keys()) {
    if (graph.opOf(id) !== "input" && !own.has(id)) lines.push(`  const v${id} = scratch[${plan.slot[id]}];`);
  }
  for (const id of own) {
    const op = graph.opOf(id);
    const outputs = (plan.outputs.get(id) ?? []).map((i) => `y[${i}] = `).join("");
    if (op === "const") lines.push(`  ${outputs}${SYNTAX.number(graph.valueOf(id))};`);
    else if (op === "input") lines.push(`  ${outputs}x[${graph.valueOf(id)}];`);
    else {
      const text = printExpression(program, plan, SYNTAX, id, (k) => `v${k}`);
      const stores = plan.slot[id]! >= 0 ? `${outputs}scratch[${plan.slot[id]}] = ` : outputs;
      lines.push(chunk.uses.has(id) ? `  const v${id} = ${stores}${text};` : `  ${stores}${text};`);
    }
    here.add(id);
  }
  return lines;
}
