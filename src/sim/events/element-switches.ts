/** Switches of force elements as planned events: a latch that closes or is released. */
import { compile } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { heldInputNames } from "../system/layout.ts";
import { switchProgram } from "../system/motion-program.ts";
import { indexOfNames } from "../system/start-state.ts";
import type { Workspace } from "../system/workspace.ts";
import type { PlannedEvent } from "./event-plan.ts";

/** Names of all switches, "element.switch", for `after` of other events. */
export const switchNames = (workspace: Pick<Workspace, "layout">): string[] =>
  workspace.layout.elements.flatMap((e) => (e.switches ?? []).map((s) => `${e.name}.${s.name}`));

export function switchEvents(workspace: Workspace): PlannedEvent[] {
  const { layout, held } = workspace;
  const inputs = indexOfNames(heldInputNames(layout));
  return layout.elements.flatMap((element, i) =>
    (element.switches ?? []).map((change): PlannedEvent => {
      const { program, texts } = switchProgram(layout, i, change);
      const kernel = compile(program);
      const offsets = offsetsOf(program.inputs);
      const { x, y: margins } = kernel;
      /** Smallest margin so far, its time, and the index of the deciding margin. */
      const closest = Float64Array.of(Number.POSITIVE_INFINITY, 0, 0);
      const evaluate = (t: number, y: Float64Array): void => {
        x[offsets.t] = t;
        x.set(y, offsets.y);
        x.set(held, offsets.held);
        kernel.evaluate();
      };
      const setInputs = Object.entries(change.set).map(
        ([input, value]) => [inputs.get(`${element.name}.${input}`)!, value] as const,
      );
      return {
        name: `${element.name}.${change.name}`,
        memory: closest,
        ...(change.awaited && { closest }),
        repeat: true,
        actions: {
          set: Object.fromEntries(Object.entries(change.set).map(([input, value]) => [`${element.name}.${input}`, value])),
        },
        ...(change.awaited ? { hasHappened: () => setInputs.every(([i, value]) => held[i] === value) } : { quiet: true }),
        ...(change.byInputs && { byInputs: true }),
        comparisons: {
          count: texts.length,
          write(t, y, _channels, out) {
            evaluate(t, y);
            for (let k = 0; k < texts.length; k++) out[k] = margins[k]!;
          },
        },
        margin(t, y) {
          evaluate(t, y);
          let margin = margins[0]!;
          for (let k = 1; k < texts.length; k++) margin = Math.max(margin, margins[k]!);
          return margin;
        },
        reason() {
          const [margin, t, worst] = closest;
          if (margin === Number.POSITIVE_INFINITY) return "";
          const { what, unit } = texts[worst!]!;
          return `closest at t = ${+t!.toPrecision(4)} s: ${what}${unit === undefined ? "" : `, by ${+margin!.toPrecision(3)} ${unit}`}`;
        },
      };
    }),
  );
}
