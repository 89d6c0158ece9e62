/**
 * Force elements: everything that acts on the bodies besides gravity. An element is traced into the kernel of the motion if possible
 * (springs, actuators, thrusters, orbits). It is numeric code if its law branches on values (contact, soil, user-defined forces).
 */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Model } from "../../model/model.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type { HeldLoops } from "../state.ts";

/** Pose and velocity of a frame while tracing, in world axes. v is the velocity of the frame's origin. */
export interface TracedFrame {
  readonly R: Mat3;
  readonly p: Vec3;
  readonly w: Vec3;
  readonly v: Vec3;
}

/** A body while tracing, for forces that act on every body: mass centre, and inertia about it, in world axes. */
export interface TracedBody {
  readonly name: string;
  readonly mass: Scalar;
  readonly centre: Vec3;
  /** From the origin of the body to its mass centre. A difference of positions would lose digits far from the origin. */
  readonly toCentre: Vec3;
  readonly inertia: Mat3;
}

/** The motion as an element sees it while it is traced. */
export interface TracedMotion {
  readonly t: Scalar;
  /** The element's internal states and held inputs. */
  readonly z: readonly Scalar[];
  readonly held: readonly Scalar[];
  /** Coordinates and speeds of a hinge, by its name. */
  hinge(name: string): { readonly q: readonly Scalar[]; readonly u: readonly Scalar[] };
  /** Pose and velocity of a frame or body, by its name. */
  frame(name: string): TracedFrame;
  bodies(): readonly TracedBody[];
  /** In mass-centre coordinates: the origin of all positions and velocities, in the world. Undefined if it is that of the world. */
  readonly origin: MovingOrigin | undefined;
}

/** Position and velocity of the mass centre in the world: the origin of mass-centre coordinates. */
export interface MovingOrigin {
  readonly position: Vec3;
  readonly velocity: Vec3;
}

/** Collects the loads of an element. The energy accounts must balance: power of the loads = supplied - dissipated - d(potential)/dt. */
export interface TracedLoads {
  /** Adds to the generalised force of speed `part` of a hinge. */
  hinge(name: string, part: number, force: Scalar): void;
  /** Adds a wrench at the origin of a frame, in world axes. The frame must be one of the element's `frames`. */
  wrench(frame: string, torque: Vec3, force: Vec3): void;
  /** In mass-centre coordinates: adds an acceleration that a field gives to all bodies alike. It moves the origin and exerts no load. */
  fall(acceleration: Vec3): void;
  /** ż of the element's internal state k. */
  rate(k: number, value: Scalar): void;
  /** Stored energy, J. */
  potential(energy: Scalar): void;
  /** Power turned into heat, W, never negative. */
  dissipated(power: Scalar): void;
  /** Power from outside (motor, thruster, orbit), W. */
  supplied(power: Scalar): void;
  /** A value to record, with its unit. */
  channel(name: string, unit: string, value: Scalar): void;
}

/** A state in numbers, for numeric elements and controllers. The arrays are views that are valid during the call. */
export interface Snapshot {
  readonly model: Model;
  readonly t: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  /** The element's internal states. */
  readonly z: Float64Array;
  /** For each of the element's `frames`: R_WE by rows (9), position (3), angular and linear velocity (6). */
  readonly frames: Float64Array;
  /** In mass-centre coordinates: position (3) and velocity (3) of their origin in the world. */
  readonly origin?: Float64Array;
  /** The element's held inputs. */
  readonly held?: Float64Array;
  /** For controllers: the loops that are engaged. A new map whenever they change; those that the model declares as engaged if not given. */
  readonly loops?: HeldLoops;
  /** Values of the channels that a controller `measures`, at its updates. */
  readonly measured?: Float64Array;
  /** The object that the element's `memory` created for this run. */
  readonly memory?: ElementMemory;
}

/** Memory of elements besides the state, such as tracks in the ground. It changes at accepted steps only and is empty at the start of a run. */
export interface ElementMemory {
  clear(): void;
  /** The memory as plain data that `structuredClone` accepts: a copy that later changes do not touch. */
  encode(): unknown;
  /** Replaces the memory by encoded data, which it does not change or keep. @throws FormatError if the data are not those of this memory */
  decode(data: unknown): void;
}

/** Loads of a numeric element. */
export interface NumericLoads {
  /** One per speed; add to it. */
  readonly tau: Float64Array;
  /** For each of the element's `frames`: torque (3), force (3), world axes; add to it. */
  readonly wrenches: Float64Array;
  readonly zdot: Float64Array;
  /** The element's `channels`, in their order. */
  readonly channels: Float64Array;
  potential: number;
  dissipated: number;
  supplied: number;
  /** Reason why the loads cannot be computed at this state. An element that gives one also writes a load of NaN, so that the step fails. */
  failure: string | undefined;
}

/** A surface in time and state where the law of an element changes form. Events are located exactly and crossed in order. */
export interface ElementEvent {
  readonly name: string;
  /** Changes sign at the event. With `on: "change"` any change of the value is an event, and the value is never zero. */
  value(s: Snapshot): number;
  readonly on?: "change";
  /** Only needed by adaptive steps, whose error estimate would not see the change. Fixed steps go over it with the chosen step size. */
  readonly needed?: "by adaptive steps";
  /**
   * Time of the first event in a step, found with bounds of its motion, so that none is missed. Infinite if there is none; NaN if there are
   * no bounds in this step, so that values at points of the step decide. Allocates nothing.
   */
  firstIn?(motion: StepMotion): number;
  /** Called at the event, before the motion starts anew from there. */
  happen?(s: Snapshot): void;
}

/** The motion within the last step, as an element sees it. */
export interface StepMotion {
  readonly from: number;
  readonly to: number;
  /** The snapshot at a time within the step. Valid until the next call. */
  at(t: number): Snapshot;
}

/** A force to draw in pictures: the element's channels with a point and with the force there, both in world axes. */
export interface DrawnForce {
  /** Distinguishes several forces of one element; "" if there is one. */
  readonly name: string;
  readonly point: Vec3Names;
  readonly force: Vec3Names;
}
export type Vec3Names = readonly [string, string, string];

/** A contact patch of two solids, for pictures. */
export interface DrawnPatch {
  /** Pair of shapes, as in the names of channels. */
  readonly name: string;
  /** Points of the patch in the world, three numbers each, and the pressure at each, Pa, without damping. */
  readonly points: Float64Array;
  readonly pressures: Float64Array;
  /** Triangles: indices of three points each. */
  readonly triangles: Uint32Array;
}

/** Dry friction in one freedom, with sticking. The simulation handles it, because sticking is a constraint. */
export interface DryFriction {
  readonly hinge: string;
  readonly part: number;
  /** Largest force while sticking; and the force while slipping at speed |u|, never negative. */
  readonly breakaway: number;
  slipForce(speed: number): number;
}

/**
 * A switch inside an element, such as a latch that closes. Where all margins have become negative, the element's own held inputs are set. It
 * is a planned event of the run, "element.name". It is located exactly, and other events may come after it.
 */
export interface ElementSwitch {
  readonly name: string;
  /** Conditions, each positive while it prevents the switch; with a text that describes it. */
  margin(s: TracedMotion): readonly { readonly what: string; readonly value: Scalar; readonly unit?: string }[];
  readonly set: Readonly<Record<string, number>>;
  /** The margins depend on held inputs only, so the switch happens together with other events only. */
  readonly byInputs?: true;
  /** One of its held inputs that must be set first; otherwise the switch can never happen. */
  readonly needs?: string;
  /** Reported if it has not happened. It counts as happened at the start of a run if the inputs that it sets have their values then. */
  readonly awaited?: true;
}

/** The sky around a machine in space, for pictures. */
export interface SkyView {
  /** Direction to the Sun in world axes. */
  readonly sun?: Vec3<number>;
  /** Radius of the Earth, m, and the place of the world's origin relative to its centre at a time, m. */
  readonly earth?: { readonly radius: number; originAt(t: number): Vec3<number> };
}

/**
 * Something that acts on the bodies. One object serves any number of runs at the same time: what one call passes to a later one is in the
 * internal states, the held inputs or the memory. The object itself may keep only scratch and what follows from its model.
 */
export interface ForceElement {
  readonly name: string;
  readonly kind: string;
  /** Key of the traced code: elements of a model with equal keys are traced alike, and their programs are shared. */
  readonly traceKey?: string;
  /** Initial internal states. */
  readonly z0?: readonly number[];
  /** Names of inputs that are constant between updates: commands of controllers, schedules. */
  readonly held?: readonly string[];
  /** Frames at which it exerts wrenches (and, for a numeric element, whose motion it needs). */
  readonly frames?: readonly string[];
  /** Why the element needs the origin of the world, so that it is refused in mass-centre coordinates. */
  readonly needsWorldOrigin?: string;
  /** Adds the element to the kernel of the motion. */
  trace?(s: TracedMotion, out: TracedLoads): void;
  /** Computes the element in numbers. Allocates nothing. */
  apply?(s: Snapshot, out: NumericLoads): void;
  /** Creates the memory for a run. Elements with the same function share one memory. */
  readonly memory?: () => ElementMemory;
  /** Updates the memory at the end of an accepted step. Allocates nothing but new memory. */
  accept?(s: Snapshot): void;
  /** Takes the state at which the motion starts anew: at the start of a run and after jumps. Updates the memory. */
  restart?(s: Snapshot): void;
  /** Values to record that `apply` writes. A traced element declares its channels in `trace`. */
  readonly channels?: readonly { readonly name: string; readonly unit: string }[];
  readonly events?: readonly ElementEvent[];
  /** Forces for pictures. Forces of zero are not drawn. */
  readonly drawn?: readonly DrawnForce[];
  /** What the element assumes about the sky, for pictures. */
  readonly sky?: SkyView;
  /** Contact patches for pictures, at poses of the element's frames as in `Snapshot`. Allocates. */
  drawPatches?(frames: Float64Array): readonly DrawnPatch[];
  /** Problems of a state as the start of a scenario, such as bodies that overlap. */
  startProblems?(s: Snapshot): readonly { readonly message: string; readonly advice: string }[];
  /** Times at which held inputs change, in order, and the values from then on. */
  readonly schedule?: readonly { readonly t: number; readonly held: readonly number[] }[];
  readonly friction?: readonly DryFriction[];
  readonly switches?: readonly ElementSwitch[];
}
