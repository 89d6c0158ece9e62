/** Changes of the open scenario: an immutable list of overrides, with earlier and later lists for undo and redo. */
import { formatOverride, type Override } from "castor/scenario";
import type { Studio } from "../studio.ts";
import { currentRun, type StudioState } from "./state.ts";

export interface SettingChange {
  readonly path: string;
  /** Undefined removes the value from the file. */
  readonly value: unknown;
}

const MAX_UNDO_STEPS = 200;

/** True if `path` is `ancestor` or lies below it. */
export const isSamePathOrBelow = (path: string, ancestor: string): boolean =>
  path === ancestor || (path.startsWith(ancestor) && (path[ancestor.length] === "." || path[ancestor.length] === "["));

/** The overrides with changes added. A change replaces the overrides at its path and below it. */
export function withChanges(overrides: readonly Override[], changes: readonly SettingChange[]): readonly Override[] {
  const others = overrides.filter(({ path }) => !changes.some((change) => isSamePathOrBelow(path, change.path)));
  return [...others, ...changes.map((change) => ({ ...change, from: `set ${formatOverride(change)}` }))];
}

/** The overrides without the one at a path. */
export const withoutChange = (overrides: readonly Override[], path: string): readonly Override[] =>
  overrides.filter((override) => override.path !== path);

/** Applies other overrides as a step that can be undone. The run of the unchanged file stays for comparison. */
export function editOverrides(studio: Studio, overrides: readonly Override[], label = runLabel(overrides)): void {
  const { state } = studio;
  const run = currentRun(state);
  const isUnchanged = state.overrides.length === 0 && run !== undefined && run.log.length > 1 && run.status !== "running";
  studio.store.set({
    past: [...state.past.slice(-MAX_UNDO_STEPS), state.overrides],
    future: [],
    ...(isUnchanged && !state.compared.includes(run.id) && { compared: [...state.compared, run.id] }),
  });
  studio.change(overrides, label);
}

export function undo(studio: Studio): void {
  const { past, future, overrides } = studio.state;
  const before = past.at(-1);
  if (before === undefined) return;
  studio.store.set({ past: past.slice(0, -1), future: [...future, overrides] });
  studio.change(before, runLabel(before));
}

export function redo(studio: Studio): void {
  const { past, future, overrides } = studio.state;
  const next = future.at(-1);
  if (next === undefined) return;
  studio.store.set({ past: [...past, overrides], future: future.slice(0, -1) });
  studio.change(next, runLabel(next));
}

export function reset(studio: Studio): void {
  if (studio.state.overrides.length > 0) editOverrides(studio, []);
}

/** Label of a run: its last change, and the number of others. */
export function runLabel(overrides: readonly Override[]): string {
  const last = overrides.at(-1);
  if (last === undefined) return "as in the file";
  const text = last.path === "formulation" ? `formulation ${last.value}` : formatOverride(last).replace(/^model\.bodies\./, "");
  return overrides.length === 1 ? text : `${text} +${overrides.length - 1}`;
}

/** The `castor run` command for the same scenario and overrides. */
export function equivalentCommand({ source, overrides }: Pick<StudioState, "source" | "overrides">): string {
  const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const name = source === undefined ? "" : source.builtIn ? source.name : (source.path.split("/").at(-1) ?? "");
  const sets = overrides.map((override) => `--set ${quote(formatOverride(override))}`);
  return ["castor run", quote(name), ...sets].join(" ");
}
