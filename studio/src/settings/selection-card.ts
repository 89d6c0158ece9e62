/** The selected part of the model: its description, and buttons that plot its channels. */
import type { Channel, Model } from "castor";
import { h, replaceContent } from "../elements/dom.ts";
import { addPlot } from "../plots/plot-list.ts";
import { numberText } from "../plots/text.ts";
import { currentRun, type Selection } from "../state/state.ts";
import type { Studio } from "../studio.ts";

export function selectionCard(studio: Studio): HTMLElement {
  const card = h("section", { class: "picked-card", "aria-label": "Selection", hidden: true });
  let shownKey = "";
  studio.store.watch(["selection", "scenario", "runs", "current"], ({ selection, ...state }) => {
    const run = currentRun(state);
    const scenario = run?.scenario ?? state.scenario; // the facts belong to the run that the scene shows
    const channels = run?.log.channels ?? [];
    const facts = selection && scenario && description(selection, scenario.model);
    const key = JSON.stringify([selection, facts, scenario?.model.name, channels.length]);
    if (key === shownKey) return;
    shownKey = key;
    card.hidden = selection === undefined || scenario === undefined;
    if (selection === undefined || scenario === undefined) return;
    const groups = channelGroups(selection, scenario.model, channels);
    const clear = (): void => studio.store.set({ selection: undefined });
    replaceContent(
      card,
      h(
        "header",
        {},
        h("b", {}, selection.name),
        h("span", { class: "muted" }, facts ?? ""),
        h("button", { type: "button", class: "remove", "aria-label": "Clear the selection", onclick: clear }, "×"),
      ),
      groups.length > 0 && h("p", { class: "muted" }, "Plot"),
      h(
        "div",
        { class: "buttons" },
        ...groups.map(({ title, names }) => {
          const plot = (): void => addPlot(studio, names, `${selection.name}: ${title}`);
          return h("button", { type: "button", class: "plain", onclick: plot }, title);
        }),
      ),
    );
  });
  return card;
}

function description({ kind, name }: Selection, model: Model): string {
  const body = kind === "body" ? model.bodies.find((b) => b.name === name) : undefined;
  if (body === undefined) return kind;
  const parent = model.bodies[body.parent]?.name ?? "the world";
  return `${numberText(body.mass, 4)} kg, ${body.hinge.kind} on ${parent}`;
}

/** The drive of a hinge is a torque or a force, or both. */
function driveTitle(channels: readonly Channel[], hinge: string): string {
  const units = channels
    .filter(({ name }) => name === `tau.${hinge}` || name.startsWith(`tau.${hinge}.`))
    .map(({ unit }) => unit);
  if (units.every((unit) => unit === "N m")) return "hinge torque";
  return units.every((unit) => unit === "N") ? "hinge force" : "hinge forces and torques";
}

interface ChannelGroup {
  readonly title: string;
  readonly names: readonly string[];
}

/** Groups of channels for a kind of part, by the beginnings of the channel names. */
function channelGroups({ kind, name }: Selection, model: Model, channels: readonly Channel[]): readonly ChannelGroup[] {
  const hinge = kind === "body" ? model.bodies.find((b) => b.name === name)?.hinge.name : kind === "hinge" ? name : undefined;
  const prefixGroups: readonly (readonly [string, readonly string[]])[] = [
    ...(hinge === undefined
      ? []
      : ([
          ["coordinates", [`q.${hinge}`]],
          ["speeds", [`u.${hinge}`]],
          [driveTitle(channels, hinge), [`tau.${hinge}`]],
          ["reaction torque", ["tx", "ty", "tz"].map((part) => `reaction.${hinge}.${part}`)],
          ["reaction force", ["fx", "fy", "fz"].map((part) => `reaction.${hinge}.${part}`)],
        ] as const)),
    ...(kind === "body" || kind === "frame"
      ? ([
          ["position", ["x", "y", "z"].map((axis) => `frame.${name}.${axis}`)],
          ["velocity", ["vx", "vy", "vz"].map((part) => `frame.${name}.${part}`)],
        ] as const)
      : []),
    ...(kind === "loop"
      ? ([
          ["gap", ["x", "y", "z", "distance", "miss"].map((part) => `loop.${name}.${part}`)],
          ["torque", ["tx", "ty", "tz"].map((part) => `loop.${name}.${part}`)],
          ["force", ["fx", "fy", "fz"].map((part) => `loop.${name}.${part}`)],
        ] as const)
      : []),
    ...(kind === "force" ? ([["channels", [`${name}`]]] as const) : []),
  ];
  return prefixGroups.flatMap(([title, prefixes]) => {
    const names = channels
      .map((c) => c.name)
      .filter((c) => prefixes.some((prefix) => c === prefix || c.startsWith(`${prefix}.`)));
    return names.length > 0 ? [{ title, names }] : [];
  });
}
