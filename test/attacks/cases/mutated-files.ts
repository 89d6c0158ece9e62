/**
 * Files with mistakes: built-in scenarios and models, states, maps, logs and saved runs, changed in bytes, keys, values or sizes. What is accepted must
 * run for a short time and give finite numbers; everything else must be refused with a CastorError.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { CastorError } from "../../../src/errors.ts";
import { parseCsvLog } from "../../../src/formats/log/log-csv.ts";
import { parseJsonLog } from "../../../src/formats/log/log-json.ts";
import { readMap } from "../../../src/formats/map-file.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { parseState } from "../../../src/formats/state-file.ts";
import type { Log } from "../../../src/log/log.ts";
import type { ScenarioFiles } from "../../../src/scenario/files.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { openScenario } from "../../../src/scenario/open.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import { formatSavedRun, openSavedRun } from "../../../src/scenario/saved-run-file.ts";
import { pds3, tiff } from "../../fixtures/map-bytes.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import type { AttackCase, Outcome } from "./case.ts";

export const expectsRefusals = true;
export const shortCases = 40;

const SCENARIOS = [
  "simple-pendulum",
  "four-bar",
  "slider-crank",
  "contact-bouncing",
  "flexible-cantilever",
  "flexible-two-link",
  "satellite-manipulator",
  "dumbbell-in-orbit",
  "rover-flat",
  "flyball-governor",
  "free-floating-arm",
  "probe-cone",
] as const;

/** Wall time of the short run of an accepted file, ms. */
const RUN_TIME = 500;

/** Draws numbers and choices. */
interface Draw {
  next(): number;
  integer(below: number): number;
  of<T>(items: readonly T[]): T;
}

function drawFrom(seed: number): Draw {
  const next = uniform(seed);
  const integer = (below: number): number => Math.floor(next() * below);
  return { next, integer, of: (items) => items[integer(items.length)]! };
}

const VALUES: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -0,
  -1,
  1e-300,
  1e300,
  5e-324,
  1e31,
  1.5,
  7,
  90,
  2 ** 53,
  "",
  "x",
  "90 deg",
  "3 kg",
  "-1e999 m",
  "world",
  "none",
  "__proto__",
  true,
  null,
  [],
  {},
  [[]],
  [1, 2, 3],
  { kind: "revolute" },
  "\u0000",
  "a".repeat(5000),
];
const KEYS = ["__proto__", "constructor", "kind", "name", "hinge", "mass", "q", "", "a b", "x.y", "a[0]", "toString"];
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  ":",
  "- ",
  "\n",
  "\t",
  "#",
  '"',
  "'",
  "&a ",
  "*a",
  "!!js ",
  "---\n",
  "1e999",
  "-",
  ".",
  "\0",
  "\ufeff",
  "é",
];

/** All containers of plain data, depth first. */
function containers(value: unknown): (unknown[] | Record<string, unknown>)[] {
  if (typeof value !== "object" || value === null) return [];
  const own = value as unknown[] | Record<string, unknown>;
  return [own, ...Object.values(own).flatMap(containers)];
}

const copyOf = (value: unknown): unknown => structuredClone(value);

/** One change of plain data, and what it was. */
function mutateData(root: unknown, draw: Draw): string {
  const all = containers(root).filter((c) => Object.keys(c).length > 0);
  const target = draw.of(all) as Record<string, unknown>;
  const key = draw.of(Object.keys(target));
  switch (draw.integer(8)) {
    case 0:
      delete target[key];
      return `without ${key}`;
    case 1: {
      const other = draw.of(KEYS);
      if (!Array.isArray(target))
        Object.defineProperty(target, other, { value: target[key], enumerable: true, configurable: true });
      return `${other} added with the value of ${key}`;
    }
    case 2: {
      if (Array.isArray(target)) target.push(...Array.from({ length: draw.of([1, 30, 300]) }, () => copyOf(target[0])));
      else target[`${key}2`] = copyOf(target[key]);
      return `${key} repeated`;
    }
    case 3: {
      const donor = draw.of(containers(root));
      target[key] = copyOf(donor);
      return `${key} replaced by another part of the file`;
    }
    case 4:
    case 5: {
      const value = target[key];
      if (typeof value === "number") {
        const factor = draw.of([-1, 0.5, 2, 10, 1e3, 1e-3, 1e6, 1e-6]);
        target[key] = factor * value;
        return `${key} times ${factor}`;
      }
      target[key] = draw.of(VALUES);
      return `${key} = ${JSON.stringify(target[key])?.slice(0, 30)}`;
    }
    default:
      target[key] = draw.of(VALUES);
      return `${key} = ${JSON.stringify(target[key])?.slice(0, 30)}`;
  }
}

/** One change of text, and what it was. */
function mutateText(text: string, draw: Draw): { readonly text: string; readonly what: string } {
  const at = draw.integer(text.length);
  const length = 1 + draw.integer(20);
  switch (draw.integer(5)) {
    case 0:
      return { text: text.slice(0, at), what: `cut at ${at}` };
    case 1:
      return { text: text.slice(0, at) + text.slice(at + length), what: `${length} characters removed at ${at}` };
    case 2: {
      const piece = draw.of(PIECES);
      return { text: text.slice(0, at) + piece + text.slice(at), what: `${JSON.stringify(piece)} inserted at ${at}` };
    }
    case 3: {
      const from = draw.integer(text.length);
      return {
        text: text.slice(0, at) + text.slice(from, from + 10 * length) + text.slice(at),
        what: `text of ${from} inserted at ${at}`,
      };
    }
    default: {
      const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)];
      const number = draw.of(numbers);
      if (number === undefined) return { text: "", what: "emptied" };
      const other = draw.of(["-1", "0", "1e999", "1e300", "1e-300", "2.5", "NaN", "Infinity", "-5", "99999999999", "0x10", "١"]);
      return {
        text: text.slice(0, number.index) + other + text.slice(number.index + number[0].length),
        what: `${number[0]} at ${number.index} is ${other}`,
      };
    }
  }
}

function mutateBytes(bytes: Uint8Array, draw: Draw): { readonly bytes: Uint8Array; readonly what: string } {
  const changed = Uint8Array.from(bytes);
  // Headers decide most, so most changes are there.
  const at = draw.next() < 0.8 ? draw.integer(Math.min(bytes.length, 900)) : draw.integer(bytes.length);
  if (draw.next() < 0.2) return { bytes: changed.slice(0, at), what: `cut at ${at}` };
  const count = 1 + draw.integer(4);
  for (let i = 0; i < count && at + i < changed.length; i++) changed[at + i] = draw.of([0, 0xff, 0x7f, 0x80, draw.integer(256)]);
  return { bytes: changed, what: `${count} bytes at ${at}` };
}

/** Text of data, mutated as data or as text. */
function mutated(text: string, draw: Draw, write: (data: unknown) => string): { readonly text: string; readonly what: string } {
  if (draw.next() < 0.3) return mutateText(text, draw);
  const data: unknown = parse(text);
  const what = Array.from({ length: 1 + draw.integer(2) }, () => mutateData(data, draw)).join("; ");
  return { text: write(data), what };
}

const yaml = (data: unknown): string => stringify(data, { aliasDuplicateObjects: false });
const json = (data: unknown): string => JSON.stringify(data);

const folderOf = (name: string): string => `scenarios/${name}`;
const filesOf = (name: string): ScenarioFiles =>
  diskFiles(folderOf(name), { names: readdirSync("scenarios"), path: (model) => `${folderOf(model)}/model.yaml` });
const textOf = (name: string, file: string): string => readFileSync(`${folderOf(name)}/${file}`, "utf8");

/** The first channel of a log that is not finite. */
const notFinite = (log: Log): string | undefined =>
  log.channels.find(({ name }) => log.column(name).some((v) => !Number.isFinite(v)))?.name;

async function runShortly(text: string, name: string, files: ScenarioFiles): Promise<Outcome> {
  const scenario = await openScenario(text, name, { files });
  const signal = AbortSignal.timeout(RUN_TIME);
  const { run, failure } = await runScenario(scenario, {
    signal,
    until: Math.min(scenario.duration, Math.max(scenario.sample, 0.02)),
  });
  if (failure !== undefined && !(failure instanceof CastorError)) throw failure;
  const bad = notFinite(run.log);
  if (bad !== undefined) return { wrong: `${bad} is not finite` };
  return failure === undefined ? "right" : { refused: failure.message };
}

type FileKind = "scenario" | "model" | "state" | "map" | "log" | "saved run";

/** Reads the mutated file of a case. Returns what the file gives. */
interface Draft {
  readonly description: string;
  read(): Promise<Outcome> | Outcome;
}

const MAP = {
  columns: 4,
  rows: 3,
  samples: Array.from({ length: 12 }, (_, i) => i),
  heights: Array.from({ length: 12 }, (_, i) => i),
};
const pdsMap = (): Uint8Array =>
  pds3({ ...MAP, type: "MSB_INTEGER", bits: 16, write: (view, at, value) => view.setInt16(at, value) }).label;

const DRAFTS: Readonly<Record<FileKind, (draw: Draw) => Draft>> = {
  scenario(draw) {
    const name = draw.of(SCENARIOS);
    const { text, what } = mutated(textOf(name, "scenario.yaml"), draw, draw.next() < 0.5 ? yaml : json);
    return { description: `${name}, ${what}`, read: () => runShortly(text, name, filesOf(name)) };
  },
  model(draw) {
    const name = draw.of(SCENARIOS);
    const { text, what } = mutated(textOf(name, "model.yaml"), draw, draw.next() < 0.5 ? yaml : json);
    const files: ScenarioFiles = { ...filesOf(name), readBeside: (path) => ({ text, source: path }) };
    return { description: `model of ${name}, ${what}`, read: () => runShortly(textOf(name, "scenario.yaml"), name, files) };
  },
  state(draw) {
    const model = parseModel(textOf("free-floating-arm", "model.yaml"));
    const hinges = model.bodies.map(({ hinge }) => hinge);
    const base = {
      q: Object.fromEntries(
        hinges.map(({ name, nq, kind }) => [name, kind === "free" ? [1, 0, 0, 0, 0, 0, 0] : Array(nq).fill(0.5)]),
      ),
      u: Object.fromEntries(hinges.map(({ name, nu }) => [name, Array(nu).fill(0.1)])),
    };
    const { text, what } = mutated(yaml(base), draw, yaml);
    return {
      description: `state, ${what}`,
      read() {
        const { q, u } = parseState(text, model);
        return [...q, ...u].every(Number.isFinite) ? "right" : { wrong: "a coordinate is not finite" };
      },
    };
  },
  map(draw) {
    const [name, original] = draw.next() < 0.6 ? (["PDS3", pdsMap()] as const) : (["GeoTIFF", tiff(MAP)] as const);
    const { bytes, what } = mutateBytes(original, draw);
    return {
      description: `${name} map, ${what}`,
      async read() {
        const raster = await readMap("map", { bytes: () => bytes });
        const numbers = [raster.x, raster.y, raster.dx, raster.dy, ...raster.heights.filter((v) => !Number.isNaN(v))];
        if (!numbers.every(Number.isFinite)) return { wrong: "a number of the map is not finite" };
        if (!(raster.dx > 0 && raster.dy > 0 && raster.columns >= 2 && raster.rows >= 2)) return { wrong: "the map has no area" };
        return raster.heights.length === raster.columns * raster.rows
          ? "right"
          : { wrong: "the map has another number of heights" };
      },
    };
  },
  log(draw) {
    const isCsv = draw.next() < 0.5;
    const csv = "t [s],q.arm [rad],note\n0,0.5,1\n0.1,0.6,-2\n0.2,0.7,3e-5\n";
    const channels = [
      { name: "t", unit: "s" },
      { name: "q.arm", unit: "rad" },
    ];
    const text = isCsv ? csv : JSON.stringify({ channels, columns: { t: [0, 0.1, 0.2], "q.arm": [0.5, 0.6, 0.7] } });
    const draft = isCsv ? mutateText(text, draw) : mutated(text, draw, json);
    return {
      description: `${isCsv ? "CSV" : "JSON"} log, ${draft.what}`,
      read() {
        const log = isCsv ? parseCsvLog(draft.text) : parseJsonLog(draft.text);
        const bad = notFinite(log);
        return bad === undefined ? "right" : { wrong: `${bad} is not finite` };
      },
    };
  },
  "saved run"(draw) {
    const name = draw.of(["simple-pendulum", "four-bar", "flexible-cantilever"] as const);
    const choice = drawFrom(draw.integer(2 ** 31));
    return {
      description: `saved run of ${name}`,
      async read() {
        const scenario = await openScenario(textOf(name, "scenario.yaml"), name, { files: filesOf(name) });
        const text = await formatSavedRun(await runScenario(scenario, { until: 0.01, save: true }));
        const file = JSON.parse(text) as Record<string, unknown>;
        // Most files get a fresh hash, as an attacker would give them.
        mutateData(choice.next() < 0.2 ? file : (file.content as object), choice);
        const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(file.content)));
        if (choice.next() < 0.9) file.hash = `sha256-${Buffer.from(digest).toString("hex")}`;
        const { scenario: continued, from, t } = await openSavedRun(JSON.stringify(file), name);
        const signal = AbortSignal.timeout(RUN_TIME);
        const { run, failure } = await runScenario(continued, { from, signal, until: t + 0.01 });
        if (failure !== undefined && !(failure instanceof CastorError)) throw failure;
        const bad = notFinite(run.log);
        if (bad !== undefined) return { wrong: `${bad} is not finite` };
        return failure === undefined ? "right" : { refused: failure.message };
      },
    };
  },
};

export default function mutatedFiles(seed: number): AttackCase {
  const draw = drawFrom(seed ^ 0xf11e);
  const kind = draw.of<FileKind>([
    "scenario",
    "scenario",
    "scenario",
    "model",
    "model",
    "state",
    "map",
    "map",
    "log",
    "saved run",
  ]);
  const { description, read } = DRAFTS[kind](draw);
  return {
    description,
    async run() {
      try {
        const outcome = await read();
        const polluted = Object.keys(Object.prototype);
        return polluted.length > 0 ? { wrong: `Object.prototype has ${polluted.join(", ")}` } : outcome;
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
}
