/** The smallest machines with closed forms. */
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";

/** A disc of inertia J on a turn about z, hinge "disc". */
export const disc = (J: number): Model =>
  createModel({
    name: "disc",
    bodies: [{ name: "disc", mass: 1, inertia: [J, J, J], hinge: { kind: "revolute", axis: "z" } }],
  });

/** A block of mass m on a slide along x, hinge "block". */
export const block = (m: number): Model =>
  createModel({
    name: "block",
    bodies: [{ name: "block", mass: m, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } }],
  });

/** A free body with a mount off its centre. */
export const hull = (mass: number, inertia: readonly number[]): Model =>
  createModel({
    name: "hull",
    bodies: [{ name: "hull", mass, inertia, hinge: { kind: "free" }, frames: { mount: { at: [0, 0.5, 0] } } }],
  });

/** Two free bodies, "a" and "b". */
export const pair = (ma: number, mb: number): Model =>
  createModel({
    name: "pair",
    bodies: [
      { name: "a", mass: ma, inertia: [1, 1, 1], hinge: { kind: "free" } },
      { name: "b", mass: mb, inertia: [1, 2, 3], hinge: { kind: "free" } },
    ],
  });
