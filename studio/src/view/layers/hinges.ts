/** Hinges: the present axis of each hinge element, or a ball for an element without an axis. */
import type { Body } from "castor";
import type { NumericVec3 } from "castor/model";
import { CylinderGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import { bodyDirectionToWorld, bodyPointToWorld, rotateVector } from "../geometry/body-points.ts";
import { poseGroup } from "../geometry/drawing.ts";
import type { Layer } from "../layer.ts";

const Z = new Vector3(0, 0, 1);

export const hingesLayer: Layer = {
  id: "hinges",
  title: "Hinge axes",
  shownByDefault: false,
  create({ scenario: { model }, extent, palette }) {
    const bodies = model.bodies.filter(({ hinge }) => hinge.nu > 0 && hinge.kind !== "free");
    if (bodies.length === 0) return undefined;
    const material = new MeshLambertMaterial({ color: palette.hinge, emissive: palette.hinge, emissiveIntensity: 0.3 });
    const length = 0.22 * extent.radius;
    const axis = new CylinderGeometry(0.016 * extent.radius, 0.016 * extent.radius, length, 14).rotateX(Math.PI / 2);
    const ball = new SphereGeometry(0.04 * extent.radius, 18, 12);
    const object = new Group();
    const marks = bodies.map((body) => {
      const parts = body.hinge.elements.map(({ screw }) => new Mesh(screw ? axis : ball, material));
      for (const part of parts) part.userData.body = body.name;
      const group = poseGroup().add(...parts);
      object.add(group);
      return { body, parts };
    });
    const direction = new Vector3();
    return {
      object,
      update({ q, poses, origin }) {
        for (const { body, parts } of marks)
          for (const [i, { at, along }] of elementsAt(body, q, poses).entries()) {
            const part = parts[i]!;
            part.position.set(at[0] - origin[0]!, at[1] - origin[1]!, at[2] - origin[2]!);
            part.quaternion.setFromUnitVectors(Z, direction.set(...along).normalize());
          }
      },
    };
  },
};

/** Position and axis direction of each hinge element in the world. Each element is carried by the elements before it. */
function elementsAt({ parent, hinge }: Body, q: Float64Array, poses: Float64Array): { at: NumericVec3; along: NumericVec3 }[] {
  let R: readonly (readonly number[])[] = hinge.onParent.R;
  let p: NumericVec3 = hinge.onParent.p;
  let first = hinge.q;
  return hinge.elements.map(({ screw, pose, nq }) => {
    const element = {
      at: bodyPointToWorld(poses, parent, p),
      along: bodyDirectionToWorld(poses, parent, rotateVector(R, screw?.axis ?? [0, 0, 1])),
    };
    const elementPose = pose([...q.subarray(first, first + nq)]) as {
      readonly R: readonly (readonly number[])[];
      readonly p: NumericVec3;
    };
    const step = rotateVector(R, elementPose.p);
    p = [p[0] + step[0], p[1] + step[1], p[2] + step[2]];
    R = product(R, elementPose.R);
    first += nq;
    return element;
  });
}

const product = (A: readonly (readonly number[])[], B: readonly (readonly number[])[]): number[][] =>
  A.map((row) => [0, 1, 2].map((c) => row[0]! * B[0]![c]! + row[1]! * B[1]![c]! + row[2]! * B[2]![c]!));
