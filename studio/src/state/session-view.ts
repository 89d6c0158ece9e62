/**
 * The view of a scenario as parameters of its address: time, zoom, camera, layers, plots, comparisons. Addresses may come from anybody, so
 * every value is checked, and a wrong one is named.
 */
import { coordinateNames, type Problem } from "castor";
import { formatOverride, type Override, parseOverride, type Scenario } from "castor/scenario";
import { declaredPlots, displayUnit } from "../plots/plot-list.ts";
import { currentRun, type PlotSpec, type Selection, type StudioState } from "./state.ts";

/** The parts of the state that an address carries beside the scenario and its changes. */
export type SessionView = Partial<
  Pick<
    StudioState,
    | "time"
    | "zoom"
    | "camera"
    | "layers"
    | "plots"
    | "activePlot"
    | "enlargedPlot"
    | "difference"
    | "selection"
    | "followed"
    | "speed"
    | "loop"
  >
>;

export interface ReadView {
  readonly view: SessionView;
  /** Changes of each compared run. */
  readonly compared: readonly (readonly Override[])[];
}

/** Keys of the state that `writeView` reads. */
export const VIEW_KEYS = [
  ..."time zoom camera layers plots enlargedPlot compared difference selection followed speed loop".split(" "),
] as (keyof StudioState)[];

const [MAX_PLOTS, MAX_CHANNELS, MAX_COMPARED] = [60, 100, 12];

/** A number as short as possible, with the given digits. */
const short = (x: number, digits = 7): string => String(Number(x.toPrecision(digits)));

export function writeView(parameters: URLSearchParams, state: StudioState): void {
  const { time, zoom, camera, layers, plots, enlargedPlot, difference, selection, followed, speed, loop } = state;
  const run = currentRun(state);
  if (time !== (run?.log.column("t")[0] ?? 0)) parameters.set("t", short(time, 12));
  const last = run?.scenario?.duration ?? run?.log.endTime ?? Number.POSITIVE_INFINITY;
  if (zoom) parameters.set("zoom", zoom.map((t) => short(Math.min(t, last), 9)).join());
  if (camera) parameters.set("camera", [...camera.position, ...camera.target].map((x) => short(x)).join());
  const switched = Object.entries(layers).map(([id, isShown]) => (isShown ? id : `-${id}`));
  if (switched.length > 0) parameters.set("layers", switched.join());
  if (followed !== undefined) parameters.set("follow", followed);
  if (selection) parameters.set("select", `${selection.kind}:${selection.name}`);
  if (speed !== undefined) parameters.set("speed", short(speed));
  if (loop) parameters.set("loop", "");
  const scenario = run?.scenario ?? state.scenario;
  const [shown, declared] = [plots, declaredPlots(scenario, run?.log)].map((list) => list.map(plotText));
  if (shown!.join("\n") !== declared!.join("\n")) {
    if (plots.length === 0) parameters.set("plots", "none");
    for (const text of shown!) parameters.append("plot", text);
  }
  const enlarged = plots.findIndex(({ id }) => id === enlargedPlot);
  if (enlarged >= 0) parameters.set("enlarge", String(enlarged + 1));
  for (const other of state.runs)
    if (state.compared.includes(other.id) && other.status !== "recorded" && other.id !== state.current)
      parameters.append("with", JSON.stringify(other.overrides.map(formatOverride)));
  if (difference) parameters.set("difference", "");
}

/** A plot as text: its title, its channels, and what is not as usual. */
function plotText({ title, channels, unit, scale, x, range }: PlotSpec): string {
  const more = { ...(unit && { unit }), ...(scale === "log" && { log: true }), ...(x && { x }), ...(range && { range }) };
  return JSON.stringify(Object.keys(more).length > 0 ? [title, channels, more] : [title, channels]);
}

const VIEW_PARAMETERS = "t zoom camera layers follow select speed loop plot plots enlarge with difference".split(" ");
const OTHER_PARAMETERS = "set mode lock rest text id".split(" ");
const REPEATED_PARAMETERS = "set plot with".split(" ");

/** Reads the view. Wrong values are added to `problems`. @param check reads the scenario with other changes. @throws if it cannot */
export function readView(
  parameters: URLSearchParams,
  scenario: Scenario,
  layerIds: readonly string[],
  check: (overrides: readonly Override[]) => unknown,
  problems: Problem[],
): ReadView {
  const view: MutableView = {};
  const wrong: NoteWrong = (path, value, message, advice) =>
    void problems.push({ path, message, value: String(value).slice(0, 200), ...(advice && { advice }) });
  const one = (name: string, read: (text: string) => void): void => {
    const text = parameters.get(name);
    if (text !== null) read(text);
  };
  const numbers = (text: string, count: number): readonly number[] | undefined => {
    const values = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
    return values.length === count && values.every(Number.isFinite) ? values : undefined;
  };
  const isTime = (t: number): boolean => t >= 0 && t <= scenario.duration;
  const bodies = scenario.model.bodies.map(({ name }) => name);

  for (const name of new Set(parameters.keys()))
    if (!VIEW_PARAMETERS.includes(name) && !OTHER_PARAMETERS.includes(name))
      wrong(name, parameters.get(name), "is no part of a link");
    else if (!REPEATED_PARAMETERS.includes(name) && parameters.getAll(name).length > 1)
      wrong(name, parameters.getAll(name).join(" and "), "must not be repeated");
  one("t", (text) => {
    const [t] = numbers(text, 1) ?? [Number.NaN];
    if (isTime(t!)) view.time = t!;
    else wrong("t", text, `must be a time of the run, 0 to ${scenario.duration} s`);
  });
  one("zoom", (text) => {
    const range = numbers(text, 2);
    if (range && range[0]! < range[1]! && range.every(isTime)) view.zoom = [range[0]!, range[1]!];
    else wrong("zoom", text, `must be two times of the run, 0 to ${scenario.duration} s, the earlier one first, e.g. 2,5`);
  });
  one("camera", (text) => {
    const v = numbers(text, 6);
    if (v && Math.hypot(v[0]! - v[3]!, v[1]! - v[4]!, v[2]! - v[5]!) > 0)
      view.camera = { position: [v[0]!, v[1]!, v[2]!], target: [v[3]!, v[4]!, v[5]!] };
    else wrong("camera", text, "must be six numbers: the place of the camera and the point that it looks at, m");
  });
  one("layers", (text) => {
    const layers: Record<string, boolean> = {};
    for (const item of text.split(",").filter(Boolean)) {
      const id = item.replace(/^-/, "");
      if (layerIds.includes(id)) layers[id] = !item.startsWith("-");
      else wrong("layers", item, "there is no such layer", `Layers are ${layerIds.join(", ")}`);
    }
    view.layers = layers;
  });
  one("follow", (text) => {
    if (bodies.includes(text)) view.followed = text;
    else wrong("follow", text, "there is no such body");
  });
  one("select", (text) => {
    const [kind, ...rest] = text.split(":");
    const name = rest.join(":");
    const names: Readonly<Record<Selection["kind"], readonly string[]>> = {
      body: bodies,
      hinge: scenario.model.bodies.map(({ hinge }) => hinge.name),
      frame: scenario.model.frames.map((frame) => frame.name),
      loop: scenario.model.loops.map((loop) => loop.name),
      force: scenario.forces.map((force) => force.name),
      controller: scenario.controllers.map((controller) => controller.name),
    };
    if (Object.hasOwn(names, kind!) && names[kind as Selection["kind"]].includes(name))
      view.selection = { kind: kind as Selection["kind"], name };
    else wrong("select", text, "there is no such part of the model");
  });
  one("speed", (text) => {
    const [speed] = numbers(text, 1) ?? [0];
    if (speed! > 0) view.speed = speed!;
    else wrong("speed", text, "must be a positive number");
  });
  const flag = (name: string): boolean => {
    const text = parameters.get(name);
    if (text) wrong(name, text, "has no value");
    return text !== null;
  };
  if (flag("loop")) view.loop = true;
  if (flag("difference")) view.difference = true;
  flag("rest");
  readModes(parameters, scenario, wrong);

  readPlots(parameters, scenario, view, wrong);
  return { view, compared: readCompared(parameters, check, wrong) };
}

/** Maximum number of modes that an address may request. Addresses may come from anybody. */
export const MAX_MODES = 500;

/** Checks the parameters of the modes; route.ts reads them. */
function readModes(parameters: URLSearchParams, { model }: Scenario, wrong: NoteWrong): void {
  const mode = parameters.get("mode");
  if (mode === null) {
    for (const name of ["lock", "rest"])
      if (parameters.has(name)) wrong(name, parameters.get(name), "needs a mode", "For example mode=1");
  } else if (mode !== "" && !(Number.isInteger(Number(mode)) && Number(mode) >= 1 && Number(mode) <= MAX_MODES))
    wrong("mode", mode, `must be the number of a mode, 1 to ${MAX_MODES}`);
  const known = [...model.bodies.map(({ hinge }) => hinge.name), ...coordinateNames(model).u];
  for (const name of (parameters.get("lock") ?? "").split(",").filter(Boolean))
    if (!known.includes(name)) wrong("lock", name, "there is no such hinge or freedom");
}

type MutableView = { -readonly [K in keyof SessionView]: SessionView[K] };
/** Notes a wrong value of a parameter. */
type NoteWrong = (path: string, value: unknown, message: string, advice?: string) => void;

function readPlots(parameters: URLSearchParams, scenario: Scenario, view: MutableView, wrong: NoteWrong): void {
  const plots = parameters.getAll("plot");
  if (plots.length > MAX_PLOTS) wrong("plot", plots.length, `there are more than ${MAX_PLOTS} plots`);
  else if (plots.length > 0 || parameters.get("plots") === "none") {
    const available = new Set(scenario.available.map(({ name }) => name));
    view.plots = plots.flatMap((text, i) => {
      const plot = readPlot(text, i + 1);
      if (plot === undefined) {
        wrong("plot", text, "is no plot", 'Plots have the form ["Title",["channel","channel"]]');
        return [];
      }
      for (const channel of [...plot.channels, ...(plot.x === undefined ? [] : [plot.x])])
        if (!available.has(channel)) wrong("plot", channel, "there is no such channel");
      const units = scenario.available.filter(({ name }) => plot.channels.includes(name)).map((channel) => channel.unit);
      if (plot.unit !== undefined && !units.some((unit) => unit === plot.unit || displayUnit(unit, plot.unit).unit === plot.unit))
        wrong("plot", plot.unit, "is not a unit of its channels");
      return [plot];
    });
    view.activePlot = view.plots[0]?.id;
  }
  const none = parameters.get("plots");
  if (none !== null && (none !== "none" || plots.length > 0)) wrong("plots", none, "can only be none, for a page without plots");
  const enlarged = parameters.get("enlarge");
  if (enlarged === null) return;
  const count = view.plots?.length ?? declaredPlots(scenario, undefined).length;
  const number = Number(enlarged);
  if (Number.isInteger(number) && number > 0 && number <= count) view.enlargedPlot = number;
  else wrong("enlarge", enlarged, "there is no such plot");
}

function readCompared(
  parameters: URLSearchParams,
  check: (overrides: readonly Override[]) => unknown,
  wrong: NoteWrong,
): readonly (readonly Override[])[] {
  const compared = parameters.getAll("with").flatMap((text): (readonly Override[])[] => {
    const overrides = readChanges(text);
    if (overrides === undefined) {
      wrong("with", text, "is no list of changes", 'Lists have the form ["path=value"]');
      return [];
    }
    try {
      check(overrides);
      return [overrides];
    } catch (error) {
      wrong("with", text, `the scenario cannot be read with these changes: ${(error as Error).message}`);
      return [];
    }
  });
  if (compared.length > MAX_COMPARED) wrong("with", compared.length, `there are more than ${MAX_COMPARED} runs to compare`);
  return compared;
}

function readPlot(text: string, id: number): PlotSpec | undefined {
  const [title, channels, more = {}] = parsed(text) as [unknown, unknown, Record<string, unknown>?];
  const isName = (value: unknown): value is string => typeof value === "string" && value.length < 500;
  if (!isName(title) || !Array.isArray(channels) || channels.length > MAX_CHANNELS || !channels.every(isName)) return undefined;
  const { unit, log, x, range, ...unknown } = Object(more) as Record<string, unknown>;
  if (Object.keys(unknown).length > 0 || ![undefined, true, false].includes(log as boolean)) return undefined;
  if ((unit !== undefined && !isName(unit)) || (x !== undefined && !isName(x))) return undefined;
  const isRange = Array.isArray(range) && range.length === 2 && range.every(Number.isFinite) && range[0] < range[1];
  if (range !== undefined && !isRange) return undefined;
  return {
    ...{ id, title, channels, unit: unit as string | undefined, scale: log === true ? "log" : "linear" },
    ...(x !== undefined && { x: x as string }),
    ...(range !== undefined && { range: [range[0], range[1]] as const }),
  };
}

function readChanges(text: string): readonly Override[] | undefined {
  const list = parsed(text);
  if (!list.every((change) => typeof change === "string")) return undefined;
  try {
    return list.map((change) => parseOverride(change as string, `with ${change}`));
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [undefined];
  } catch {
    return [undefined];
  }
}
