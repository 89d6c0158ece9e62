/**
 * Force elements: what acts on the bodies besides gravity. An element is traced into the kernel of the motion where it can be
 * (springs, actuators, thrusters, orbits), and is ordinary numeric code where values decide (contact, soil, a user's own).
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";

/** A frame in the world while tracing: world axes, velocity of the frame's origin. */
export interface TracedFrame {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly w: Vec3;
  readonly v: Vec3;
}

/** A body while tracing, for forces that act on every body: mass centre, inertia about it, all in world axes. */
export interface TracedBody {
  readonly name: string;
  readonly mass: Scalar;
  readonly centre: Vec3;
  readonly inertia: Mat3;
}

/** What an element sees while it is traced. */
export interface TracedMotion {
  readonly t: Scalar;
  /** The element's own internal states and held inputs. */
  readonly z: readonly Scalar[];
  readonly held: readonly Scalar[];
  /** Coordinates and speeds of a hinge, by name. */
  hinge(name: string): { readonly q: readonly Scalar[]; readonly u: readonly Scalar[] };
  /** A frame or body, by name. */
  frame(name: string): TracedFrame;
  bodies(): readonly TracedBody[];
}

/** Where an element puts what it does. Energy accounts must balance: power of the loads = supplied - dissipated - d(potential)/dt. */
export interface TracedLoads {
  /** Adds to the generalised force of speed `part` of a hinge. */
  hinge(name: string, part: number, force: Scalar): void;
  /** Adds a wrench at the origin of a frame, world axes. The frame must be among the element's `frames`. */
  wrench(frame: string, torque: Vec3, force: Vec3): void;
  /** ż of the element's internal state k. */
  rate(k: number, value: Scalar): void;
  /** Stored energy, J. */
  potential(energy: Scalar): void;
  /** Power turned to heat, W, never negative. */
  dissipated(power: Scalar): void;
  /** Power put in from outside (motor, thruster, orbit), W. */
  supplied(power: Scalar): void;
  /** A value worth recording, with its unit. */
  channel(name: string, unit: string, value: Scalar): void;
}

/** A state in numbers, for numeric elements and controllers: views, valid during the call. */
export interface Snapshot {
  readonly model: Model;
  readonly t: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** The element's own internal states. */
  readonly z: Float64Array;
  /** For each of the element's `frames` R_WE by rows (9), position (3), angular and linear velocity (6). */
  readonly frames: Float64Array;
  /** What the element's `memory` has made for this system. */
  readonly memory?: ElementMemory;
}

/** What elements remember beside the state, such as tracks in the ground: changed at accepted steps only, empty when a run begins. */
export interface ElementMemory {
  clear(): void;
}

/** Loads in numbers. */
export interface NumericLoads {
  /** One per speed; add to it. */
  readonly tau: Float64Array;
  /** For each of the element's `frames` torque (3), force (3), world axes; add to it. */
  readonly wrenches: Float64Array;
  readonly zdot: Float64Array;
  /** The element's own `channels`, in their order. */
  readonly channels: Float64Array;
  potential: number;
  dissipated: number;
  supplied: number;
}

/** A surface in time and state where an element's law changes form: located exactly, crossed in order. */
export interface ElementEvent {
  readonly name: string;
  /** Changes sign at the event; with `on: "change"` any change is one, and it is never zero. */
  value(s: Snapshot): number;
  readonly on?: "change";
  /** Steps of fixed length are as long as somebody chose, and go over it; adaptive ones would not know that there is something. */
  readonly needed?: "by adaptive steps";
}

/** A force that is worth drawing: the element's own channels with a point and with the force there, both in world axes. */
export interface DrawnForce {
  /** Of the several that an element has; "" if it has one. */
  readonly name: string;
  readonly point: Vec3Names;
  readonly force: Vec3Names;
}
type Vec3Names = readonly [string, string, string];

/** Dry friction in one freedom, which sticks: handled by the simulation, because sticking is a constraint. */
export interface DryFriction {
  readonly hinge: string;
  readonly part: number;
  /** Largest force while sticking, and the force while slipping at speed |u| (never negative). */
  readonly breakaway: number;
  slipForce(speed: number): number;
}

/**
 * A change that an element makes of itself, as a latch does that closes: its own held inputs are set where all margins have become
 * negative. It is a planned event of the run, "element.name", located exactly, and other events may come after it.
 */
export interface ElementSwitch {
  readonly name: string;
  /** Each positive until it no longer stands in the way, with what it says while it does. */
  margin(s: TracedMotion): readonly { readonly what: string; readonly value: Scalar; readonly unit?: string }[];
  readonly set: Readonly<Record<string, number>>;
  /** Its margins depend on held inputs alone, so that it happens with other events only. */
  readonly byInputs?: true;
  /** An own held input that somebody must set first, or it can never happen. */
  readonly needs?: string;
  /** Worth a word where it has not happened. */
  readonly awaited?: true;
}

export interface ForceElement {
  readonly name: string;
  readonly kind: string;
  /** What it was made of, as a text: elements of a model with the same are traced alike, and programs with them are not traced again. */
  readonly made?: string;
  /** Initial internal states. */
  readonly z0?: readonly number[];
  /** Names of the inputs that are held constant between updates: commands of controllers, schedules. */
  readonly held?: readonly string[];
  /** Frames at which it exerts wrenches (and, if numeric, which it wants to see). */
  readonly frames?: readonly string[];
  /** Adds the element to the kernel of the motion. */
  trace?(s: TracedMotion, out: TracedLoads): void;
  /** Computes the element in numbers. Allocates nothing. */
  apply?(s: Snapshot, out: NumericLoads): void;
  /** Makes the memory for a system; elements with the same function share what it makes. */
  readonly memory?: () => ElementMemory;
  /** A step has been accepted, and this is its end: what the memory keeps of it. Allocates nothing but new memory. */
  accept?(s: Snapshot): void;
  /** A run begins: what came to pass in another is forgotten. */
  begin?(): void;
  /** In words, why the element had no numbers at a time not before `since`, if it had none. */
  warning?(since: number): string | undefined;
  /** Values worth recording that `apply` writes; a traced element names its own as it goes. */
  readonly channels?: readonly { readonly name: string; readonly unit: string }[];
  readonly events?: readonly ElementEvent[];
  /** Forces for pictures. They are not drawn where they are zero. */
  readonly drawn?: readonly DrawnForce[];
  /** What is wrong with a state as the start of a scenario, such as bodies in each other. */
  startProblems?(s: Snapshot): readonly { readonly message: string; readonly advice: string }[];
  /** Known times at which held inputs change, in order, and the values from then on. */
  readonly schedule?: readonly { readonly t: number; readonly held: readonly number[] }[];
  readonly friction?: readonly DryFriction[];
  readonly switches?: readonly ElementSwitch[];
}
