/** Singular models are reported with the name of the body or hinge. */
import { describe, expect, test } from "vitest";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { matrix } from "../../../src/dynamics/matrix/matrix-method.ts";
import { SingularError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";

/** Two turns about the same axis with no mass between them. */
const twice: ModelDescription = {
  name: "twice",
  bodies: [
    { name: "base", mass: 3, inertia: [1, 2, 2], hinge: { kind: "free" } },
    { name: "ring", parent: "base", mass: 0, inertia: "none", hinge: { name: "inner", kind: "revolute", at: [1, 0, 0] } },
    { name: "wheel", parent: "ring", mass: 1, com: [0.2, 0, 0], inertia: [1, 1, 1], hinge: { name: "outer", kind: "revolute" } },
  ],
};

/** A ball hinge on a point mass: there is no inertia about the line to the mass. */
const bead: ModelDescription = {
  name: "bead",
  bodies: [{ name: "bead", mass: 1, com: [0, 0, 1], inertia: "none", hinge: { name: "socket", kind: "spherical" } }],
};

describe.each([kane, matrix])("$name", (formulation) => {
  const accelerations = (description: ModelDescription, angle: number) => (): void => {
    const model = createModel(description);
    const q = Float64Array.from(
      model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => (e.nq === 1 ? [angle] : [...e.home]))),
    );
    const zeros = new Float64Array(model.nu);
    formulation.derive(model).accelerations(q, zeros, zeros, new Float64Array(0), new Float64Array(model.nu));
  };

  test("two equivalent freedoms are detected in every position", () => {
    for (const angle of [0, 0.3, 1.1, -2.7]) {
      expect(accelerations(twice, angle)).toThrow(SingularError);
      expect(accelerations(twice, angle)).toThrow(/twice: .*singular.*"(inner|outer|ring|wheel)"/);
    }
  });

  test("a freedom without inertia", () => {
    expect(accelerations(bead, 0)).toThrow(/bead: .*singular.*"(socket\.wz|bead|socket)"/);
  });

  test("a state with NaN is an error, not a result", () => {
    expect(accelerations(twice, Number.NaN)).toThrow(/not finite/);
  });
});
