/**
 * `npm run bench [-- --quick] [--json] [model ...]`: forward dynamics against the peers and cost against size. Prints tables (or
 * JSON), writes bench/results/, and fails if a ratio exceeds its limit.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { ForwardDynamicsRow } from "./forward-dynamics.ts";
import { BATCH_RATIO, COMPILE_MS, DIFFERENCE, judge, MUJOCO_RATIO, SCALING_RATIO, shown, type Verdict } from "./limits.ts";
import { MODEL_NAMES, type ModelName } from "./models.ts";
import { measureScaling, type ScalingRow } from "./scaling.ts";
import { table } from "./table.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});
const milliseconds = options.quick ? 400 : 3000;
const models = MODEL_NAMES.filter((name) => positionals.length === 0 || positionals.includes(name));

const rows = models.map(measureApart);
const scaling = positionals.length === 0 ? measureScaling(milliseconds / 10) : [];
const verdicts = [...rows.flatMap((row) => Object.values(judgeRow(row))), ...Object.values(judgeScaling(scaling))];
const pass = verdicts.every((verdict) => verdict.pass);
const results = {
  "forward-dynamics": rows.map((row) => ({ ...row, verdicts: judgeRow(row) })),
  scaling: { rows: scaling, verdicts: judgeScaling(scaling) },
};

const folder = new URL("../bench/results/", import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(results))
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(content, undefined, 2)}\n`);
console.log(options.json ? JSON.stringify({ pass, ...results }) : report());
process.exitCode = pass ? 0 : 1;

function measureApart(model: ModelName): ForwardDynamicsRow {
  const program = fileURLToPath(new URL("./one-model.js", import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, [program, model, String(milliseconds)], { encoding: "utf8" }),
  ) as ForwardDynamicsRow;
}

function judgeRow({ model, wasm, batch, mujoco, difference }: ForwardDynamicsRow): Readonly<Record<string, Verdict>> {
  return {
    mujoco: judge(wasm.min / mujoco.min, MUJOCO_RATIO[model]),
    batch: judge(batch.min / wasm.min, BATCH_RATIO),
    difference: judge(difference, DIFFERENCE),
  };
}

function judgeScaling(chains: readonly ScalingRow[]): Readonly<Record<string, Verdict>> {
  const of = (hinges: number): ScalingRow | undefined => chains.find((row) => row.hinges === hinges);
  const [short, middle, long] = [of(20), of(100), of(200)];
  if (!short || !middle || !long) return {};
  const perHinge = (row: ScalingRow): number => row.time.min / row.hinges;
  return { perHinge: judge(perHinge(long) / perHinge(short), SCALING_RATIO), compile: judge(middle.compile, COMPILE_MS) };
}

function report(): string {
  const peers = rows.map((row) => ({
    model: row.model,
    freedoms: row.freedoms,
    ops: row.ops,
    "WASM ns": row.wasm.min.toFixed(0),
    "f64x2 ns": row.batch.min.toFixed(0),
    "JS ns": row.js.min.toFixed(0),
    "MuJoCo WASM ns": row.mujoco.min.toFixed(0),
    "MuJoCo native ns": row.native ? row.native.min.toFixed(0) : "not installed",
    "WASM / MuJoCo WASM (limit)": shown(judgeRow(row).mujoco!),
    "WASM / native": row.native ? (row.wasm.min / row.native.min).toFixed(3) : "-",
    "f64x2 / WASM (limit)": shown(judgeRow(row).batch!, 2),
    difference: row.difference.toExponential(0),
  }));
  const sizes = scaling.map((row) => ({
    hinges: row.hinges,
    ops: row.ops,
    "make ms": row.compile.toFixed(0),
    ns: row.time.min.toFixed(0),
    "ns per hinge": (row.time.min / row.hinges).toFixed(1),
  }));
  const { mujoco, native } = rows[0] ?? {};
  return [
    `Forward dynamics, ns per state, minimum of interleaved batches. MuJoCo ${mujoco?.version} (WASM), ${native?.version ?? "none"} (native).`,
    table(peers),
    ...(scaling.length > 0 ? ["", "Free base and a chain of hinges.", table(sizes), ...scalingLines()] : []),
    "",
    pass ? "All limits are kept." : "Limits are exceeded where FAIL stands.",
  ].join("\n");
}

function scalingLines(): string[] {
  const { perHinge, compile } = judgeScaling(scaling);
  return [`Time per hinge, 200 to 20: ${shown(perHinge!, 2)}`, `Trace, emit, compile 100 hinges: ${shown(compile!, 0)} ms`];
}
