/**
 * Reaction wheels and control moment gyros as bodies with motors. The functions add wheels to a description, and return the motors that
 * drive them. Wheels are bodies like all others, so momentum, energy and gyroscopic torques are exact. The mass and inertia of the wheels
 * are added: the description of the carrier must not include them.
 */

import type { Parameters, ParameterValues, WrittenParameters } from "../../../declare/parameters.ts";
import type { ParseContext } from "../../../declare/parse-parameters.ts";
import { euclideanNorm } from "../../../math/elementary/hypotenuse.ts";
import { createModelWith } from "../../../model/build/create-model.ts";
import type { BodyDescription, ModelDescription, PlacementDescription } from "../../../model/description.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import { createChecked } from "../../../sim/system/create-checked.ts";
import { apply, snapRotation } from "../../../spatial/rotation.ts";
import type { NumericVec3 } from "../../../spatial/vec3.ts";
import { cross, dot, plus, UNIT_VECTORS } from "../../../spatial/vec3.ts";
import type { actuator } from "../drives/actuator.ts";
import { REGENERATION } from "../drives/motor-power.ts";
import type { servo } from "../drives/servo.ts";

/** A force element to create with the complete model, as arguments of `createForce`. */
export type MotorDescription =
  | { readonly kind: "actuator"; readonly name: string; readonly parameters: WrittenParameters<typeof actuator.parameters> }
  | { readonly kind: "servo"; readonly name: string; readonly parameters: WrittenParameters<typeof servo.parameters> };

export interface DescriptionWithDevices {
  readonly description: ModelDescription;
  readonly forces: readonly MotorDescription[];
  /** Initial speeds of the wheels' hinges, by name. */
  readonly speeds: Readonly<Record<string, number>>;
}

const MOUNT = {
  name: { type: "name", about: "Name of the device, and of its bodies and hinges; its motor is NAME-motor." },
  on: { type: "frame", about: "Body that carries the device, or a frame on it." },
  at: { type: "vector", unit: "m", default: [0, 0, 0], about: "Centre of the wheel in axes of the frame." },
} as const;

const ROTOR = {
  mass: { type: "number", unit: "kg", above: 0, about: "Mass of the wheel." },
  spinInertia: { type: "number", unit: "kg m^2", above: 0, about: "Inertia of the wheel about its axis." },
  transverseInertia: {
    type: "number",
    unit: "kg m^2",
    above: 0,
    about: "Inertia of the wheel about an axis perpendicular to its own.",
  },
} as const;

export const REACTION_WHEEL = {
  ...MOUNT,
  axis: { type: "direction", default: "z", about: "Axis of the wheel in axes of the frame." },
  ...ROTOR,
  torqueLimit: {
    type: "number",
    unit: "N m",
    above: 0,
    optional: true,
    about: "Largest torque of the motor; unlimited if not given.",
  },
  speedLimit: {
    type: "number",
    unit: "rad/s",
    above: 0,
    optional: true,
    about: "Highest speed of the motor; requires torqueLimit.",
  },
  lag: { type: "number", unit: "s", above: 0, optional: true, about: "Time constant of the torque." },
  speed: { type: "number", unit: "rad/s", default: 0, about: "Initial speed." },
  regeneration: REGENERATION,
} as const satisfies Parameters;

export const CMG = {
  ...MOUNT,
  gimbalAxis: { type: "direction", default: "z", about: "Axis of the gimbal in axes of the frame." },
  spinAxis: { type: "direction", default: "x", about: "Axis of the wheel in axes of the frame when the gimbal is at zero." },
  ...ROTOR,
  gimbalMass: { type: "number", unit: "kg", least: 0, default: 0, about: "Mass of the gimbal, at the centre of the wheel." },
  gimbalInertia: {
    type: "vector",
    unit: "kg m^2",
    least: 0,
    default: [0, 0, 0],
    about: "Inertia of the gimbal about the spin axis, about the axis perpendicular to both, and about the gimbal axis.",
  },
  speed: { type: "number", unit: "rad/s", about: "Speed of the wheel, held from the start on." },
  speedGain: { type: "number", unit: "N m s/rad", above: 0, about: "Gain of the loop that holds the wheel's speed." },
  spinTorqueLimit: { type: "number", unit: "N m", above: 0, optional: true, about: "Largest torque of the wheel's motor." },
  torqueLimit: { type: "number", unit: "N m", above: 0, optional: true, about: "Largest torque of the gimbal's motor." },
  regeneration: REGENERATION,
} as const satisfies Parameters;

/** Adds to each wheel a body NAME on a revolute hinge NAME, and an actuator NAME-motor. @throws ModelError */
export function withReactionWheels(
  description: ModelDescription,
  wheels: readonly WrittenParameters<typeof REACTION_WHEEL>[],
  reading: ParseContext = {},
): DescriptionWithDevices {
  return addDevices(description, REACTION_WHEEL, wheels, reading, (wheel, model) => ({
    bodies: [rotorBody(wheel.name, mountOnCarrier(model, wheel.on, wheel.at, wheel.axis), wheel)],
    forces: [
      {
        kind: "actuator",
        name: `${wheel.name}-motor`,
        parameters: {
          hinge: wheel.name,
          ...definedEntries({
            limit: wheel.torqueLimit,
            speed: wheel.speedLimit,
            lag: wheel.lag,
            regeneration: wheel.regeneration,
          }),
        },
      },
    ],
    speeds: { [wheel.name]: wheel.speed },
  }));
}

/**
 * Adds for each gyro a gimbal (body and hinge NAME) with an actuator NAME-motor, and on it a wheel (body and hinge NAME-wheel), whose speed
 * a servo NAME-spin holds. @throws ModelError
 */
export function withCmgs(
  description: ModelDescription,
  gyros: readonly WrittenParameters<typeof CMG>[],
  reading: ParseContext = {},
): DescriptionWithDevices {
  return addDevices(description, CMG, gyros, reading, (gyro, model, noteProblem) => {
    if (Math.abs(dot(gyro.gimbalAxis, gyro.spinAxis) as number) > 1e-9)
      noteProblem(`the axes of the gimbal and of the wheel of ${gyro.name} must be at right angles`);
    const wheel = `${gyro.name}-wheel`;
    const gimbal: BodyDescription = {
      name: gyro.name,
      mass: gyro.gimbalMass,
      inertia: gyro.gimbalMass > 0 ? gyro.gimbalInertia : "none",
      ...mountOnCarrier(model, gyro.on, gyro.at, gyro.gimbalAxis, gyro.spinAxis),
    };
    // In axes of the gimbal, z is the gimbal axis and x the axis of the wheel.
    const onGimbal = {
      parent: gyro.name,
      hinge: { kind: "revolute", ...rotationAlong(UNIT_VECTORS[0], UNIT_VECTORS[1]) },
    } as const;
    return {
      bodies: [gimbal, rotorBody(wheel, onGimbal, gyro)],
      forces: [
        {
          kind: "actuator",
          name: `${gyro.name}-motor`,
          parameters: { hinge: gyro.name, ...definedEntries({ limit: gyro.torqueLimit, regeneration: gyro.regeneration }) },
        },
        {
          kind: "servo",
          name: `${gyro.name}-spin`,
          parameters: {
            hinge: wheel,
            kd: gyro.speedGain,
            speed: gyro.speed,
            ...definedEntries({ limit: gyro.spinTorqueLimit, regeneration: gyro.regeneration }),
          },
        },
      ],
      speeds: { [wheel]: gyro.speed },
    };
  });
}

interface DeviceParts {
  readonly bodies: readonly BodyDescription[];
  readonly forces: readonly MotorDescription[];
  readonly speeds: Readonly<Record<string, number>>;
}

/** Reads the devices and adds the bodies, motors and speeds of each to the description. */
function addDevices<D extends Parameters>(
  description: ModelDescription,
  declared: D,
  devices: readonly WrittenParameters<D>[],
  reading: ParseContext,
  partsOf: (device: ParameterValues<D>, model: Model, noteProblem: (message: string) => void) => DeviceParts,
): DescriptionWithDevices {
  const { quantity } = reading;
  const context = quantity ? { quantity } : {};
  const model = createModelWith(context, description);
  const list = { devices: { type: "list", of: declared, about: "The devices." } } as const satisfies Parameters;
  const parts = createChecked(list, "wheels", { devices }, model, { path: "", ...reading }, (values, note) =>
    (values.devices as readonly ParameterValues<D>[]).map((device) =>
      partsOf(device, model, (message) => note("devices", message)),
    ),
  );
  const withDevices = { ...description, bodies: [...description.bodies, ...parts.flatMap((p) => p.bodies)] };
  createModelWith(context, withDevices); // throws for names that are in use, and for impossible inertias
  return {
    description: withDevices,
    forces: parts.flatMap((p) => p.forces),
    speeds: Object.assign({}, ...parts.map((p) => p.speeds)) as Record<string, number>,
  };
}

/** The body of a wheel that rotates about z of its frame. */
const rotorBody = (
  name: string,
  mount: Pick<BodyDescription, "parent" | "hinge">,
  { mass, spinInertia, transverseInertia }: ParameterValues<typeof ROTOR>,
): BodyDescription => ({ name, mass, inertia: [transverseInertia, transverseInertia, spinInertia], ...mount });

/** The carrier, and a revolute hinge on it whose z axis is along `axis` and whose x axis is along `across`, if given. */
function mountOnCarrier(
  model: Model,
  on: string,
  at: NumericVec3,
  axis: NumericVec3,
  across?: NumericVec3,
): Required<Pick<BodyDescription, "parent" | "hinge">> {
  const { body, placement } = frameOf(model, on);
  const inBody = (v: NumericVec3): NumericVec3 => apply(placement.R, v) as NumericVec3;
  return {
    parent: model.bodies[body]!.name,
    hinge: {
      kind: "revolute",
      at: plus(placement.p, inBody(at)) as NumericVec3,
      ...rotationAlong(inBody(axis), across === undefined ? undefined : inBody(across)),
    },
  };
}
/** Rotation of a frame with a given z axis, and with any perpendicular x axis if none is given. */
/** The rotation of a frame whose z axis is given, with any x axis across it if none is given. */
function rotationAlong(z: NumericVec3, x: NumericVec3 = anyPerpendicular(z)): Pick<PlacementDescription, "rotation"> {
  const y = cross(z, x) as NumericVec3;
  return {
    rotation: {
      matrix: snapRotation([0, 1, 2].map((i) => [x[i]!, y[i]!, z[i]!]) as unknown as [NumericVec3, NumericVec3, NumericVec3]),
    },
  };
}

/** A unit vector perpendicular to z; exact if z is a coordinate axis. */
function anyPerpendicular(z: NumericVec3): NumericVec3 {
  const sizes = z.map(Math.abs);
  const helper = UNIT_VECTORS[sizes.indexOf(Math.min(...sizes)) as 0 | 1 | 2];
  const across = cross(helper, z) as NumericVec3;
  const length = euclideanNorm(across);
  return across.map((c) => c / length) as unknown as NumericVec3;
}

/** The entries that are not undefined. */
const definedEntries = <T extends object>(entries: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
