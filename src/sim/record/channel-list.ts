/** The list of all channels of a system: states, forces, energies, frames, loads, loops. */
import type { Channel } from "../../log/log.ts";
import { coordinateNames } from "../../model/model.ts";
import { DISSIPATED, type Layout, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { LoopChannels } from "../system/workspace.ts";
import { type ChannelSource, type ControllerChannels, stateChannels, type ValueArray } from "./channel-source.ts";
import { BALANCE, KINETIC, POTENTIAL, SampleValues, TIME } from "./sample-values.ts";

const XYZ = ["x", "y", "z"] as const;
/** Offsets of position, angular and linear velocity among the numbers of a frame. */
const [POSITION, ANGULAR, LINEAR] = [9, 12, 15];

/** All channels in the order of the log, and the sample that they are read from. */
export function channelSources(
  layout: Layout,
  elementChannels: readonly Channel[],
  controllers: ControllerChannels,
  loops: LoopChannels,
): { readonly sources: readonly ChannelSource[]; readonly sample: SampleValues } {
  const sample = new SampleValues(layout, controllers.values, loops);
  const sources = [
    ...motionSources(layout, sample),
    ...elementChannels.map(({ name, unit }, i) => copied(name, unit, "loads", sample.elements, i)),
    ...controllers.channels.map((channel, i) => ({
      ...channel,
      ...copied(channel.name, channel.unit, "run", sample.controllers, i),
    })),
    ...inputSources(layout, sample),
    ...frameSources(sample),
    ...accelerationSources(sample),
    ...reactionSources(layout, sample),
    ...hingeLoadSources(layout, sample),
    ...sample.bodyLoads.channels.map((channel) => ({ ...channel, dependsOn: "loads" as const })),
    ...sample.loops.channels.map((channel) => ({
      ...channel,
      dependsOn: channel.needs === "loads" ? ("loads" as const) : ("motion" as const),
    })),
  ];
  return { sources, sample };
}

/** A channel whose value is copied from an array of the sample. */
function copied(
  name: string,
  unit: string,
  dependsOn: ChannelSource["dependsOn"],
  array: ValueArray,
  index: number,
): ChannelSource {
  return { name, unit, dependsOn, location: { array, index }, read: () => array.values[index]! };
}

const forceUnit = (speedUnit: string): string => (speedUnit.startsWith("rad") ? "N m" : "N");

/** Time, coordinates, speeds, generalised forces, energies, momentum, mass centre. */
function motionSources(layout: Layout, { single, state, tau, momentum, centre }: SampleValues): ChannelSource[] {
  const { model, nq, ny } = layout;
  const ledger = ny - LEDGER;
  const names = stateChannels(layout);
  const units = (which: "q" | "u"): string[] => model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.units[which]));
  const [qUnits, uUnits] = [units("q"), units("u")];
  return [
    copied("t", "s", "state", single, TIME),
    ...names.q.map((name, i) => copied(name, qUnits[i]!, "state", state, i)),
    ...names.u.map((name, i) => copied(name, uUnits[i]!, "state", state, nq + i)),
    ...coordinateNames(model).u.map((name, i) => copied(`tau.${name}`, forceUnit(uUnits[i]!), "loads", tau, i)),
    copied("energy.kinetic", "J", "motion", single, KINETIC),
    copied("energy.potential", "J", "loads", single, POTENTIAL),
    copied("energy.dissipated", "J", "state", state, ledger + DISSIPATED),
    copied("energy.supplied", "J", "state", state, ledger + SUPPLIED),
    copied("energy.balance", "J", "loads", single, BALANCE),
    ...XYZ.map((axis, k) => copied(`momentum.angular.${axis}`, "N m s", "motion", momentum, k)),
    ...XYZ.map((axis, k) => copied(`momentum.linear.${axis}`, "N s", "motion", momentum, 3 + k)),
    ...XYZ.map((axis, k) => copied(`centre.${axis}`, "m", "motion", centre, k)),
  ];
}

/** Held inputs, internal states of elements, and the mass centre in mass-centre coordinates. */
function inputSources(layout: Layout, { held, state }: SampleValues): ChannelSource[] {
  const names = stateChannels(layout);
  const firstInternal = layout.nq + layout.nu;
  return [
    ...names.held.map((name, i) => copied(name, "", "state", held, i)),
    ...names.z.map((name, i) => copied(name, "", "state", state, firstInternal + i)),
    ...names.origin.map((name, i) => copied(name, i < 3 ? "m" : "m/s", "state", state, layout.origin! + i)),
  ];
}

/** Position, attitude, angular and linear velocity of every frame. */
const frameSources = ({ frames }: SampleValues): ChannelSource[] =>
  frames.frames.flatMap(({ name }, f) => {
    const source = (part: string, unit: string, read: () => number): ChannelSource => ({
      name: `frame.${name}.${part}`,
      unit,
      dependsOn: "motion",
      frames: [f],
      read,
    });
    const value = (k: number): number => frames.values[frames.start[f]! + k]!;
    return [
      ...XYZ.map((axis, k) => source(axis, "m", () => value(POSITION + k))),
      ...["qw", "qx", "qy", "qz"].map((part, k) => source(part, "", () => frames.quaternion(f)[k]!)),
      ...XYZ.map((axis, k) => source(`w${axis}`, "rad/s", () => value(ANGULAR + k))),
      ...XYZ.map((axis, k) => source(`v${axis}`, "m/s", () => value(LINEAR + k))),
    ];
  });

/** Acceleration of every frame, and what an accelerometer there shows. */
const accelerationSources = ({ frames, accelerations, specificForces }: SampleValues): ChannelSource[] =>
  Object.entries({ acceleration: accelerations, accelerometer: specificForces }).flatMap(([quantity, values]) =>
    frames.frames.flatMap(({ name }, f) =>
      XYZ.map((axis, k) => copied(`${quantity}.${name}.${axis}`, "m/s^2", "loads", values, 3 * f + k)),
    ),
  );

/** Torque and force of the reaction in every hinge. */
const reactionSources = ({ model }: Layout, { reactions }: SampleValues): ChannelSource[] =>
  model.bodies.flatMap(({ hinge, index }) => [
    ...XYZ.map((axis, k) => copied(`reaction.${hinge.name}.t${axis}`, "N m", "loads", reactions, 6 * index + k)),
    ...XYZ.map((axis, k) => copied(`reaction.${hinge.name}.f${axis}`, "N", "loads", reactions, 6 * index + 3 + k)),
  ]);

/** Generalised force in every hinge by inverse dynamics, and the load that the world and every body carry. */
const hingeLoadSources = ({ model }: Layout, { efforts, carried }: SampleValues): ChannelSource[] => {
  const units = model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.units.u));
  return [
    ...coordinateNames(model).u.map((name, i) => copied(`effort.${name}`, forceUnit(units[i]!), "loads", efforts, i)),
    ...["world", ...model.bodies.map(({ name }) => name)].flatMap((name, b) => [
      ...XYZ.map((axis, k) => copied(`carried.${name}.t${axis}`, "N m", "loads", carried, 6 * b + k)),
      ...XYZ.map((axis, k) => copied(`carried.${name}.f${axis}`, "N", "loads", carried, 6 * b + 3 + k)),
    ]),
  ];
};
