/** Loops: a ball where a loop joins two bodies, and a rod for loops of kind `distance`. */
import { CylinderGeometry, Group, Mesh, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import { bodyPointToWorld } from "../geometry/body-points.ts";
import type { Layer } from "../layer.ts";

const Y = new Vector3(0, 1, 0);

export const loopsLayer: Layer = {
  id: "loops",
  title: "Loops",
  shownByDefault: true,
  create({ scenario: { model }, extent, palette }) {
    // Shapes with materials show the joint themselves.
    const isDetailed = (body: number): boolean =>
      (model.bodies[body] ?? model).shapes.some(({ material }) => material !== undefined);
    const loops = model.loops
      .filter((loop) => loop.type === "frames")
      .filter(({ kind, from, to }) => kind === "distance" || !isDetailed(from.body) || !isDetailed(to.body));
    if (loops.length === 0) return undefined;
    const material = new MeshLambertMaterial({ color: palette.loop, emissive: palette.loop, emissiveIntensity: 0.25 });
    const ball = new SphereGeometry(0.03 * extent.radius, 18, 12);
    const rodGeometry = new CylinderGeometry(0.01 * extent.radius, 0.01 * extent.radius, 1, 12);
    const object = new Group();
    const marks = loops.map((loop) => {
      const mark = new Mesh(ball, material);
      const link = new Mesh(rodGeometry, material);
      link.visible = false;
      for (const part of [mark, link]) part.userData.loop = loop.name;
      object.add(mark, link);
      return { loop, mark, link };
    });
    const [from, to] = [new Vector3(), new Vector3()];
    return {
      object,
      update({ poses, origin }) {
        const o = new Vector3(...(origin as unknown as [number, number, number]));
        for (const { loop, mark, link } of marks) {
          from.set(...bodyPointToWorld(poses, loop.from.body, loop.from.placement.p)).sub(o);
          to.set(...bodyPointToWorld(poses, loop.to.body, loop.to.placement.p)).sub(o);
          mark.position.copy(to);
          const separation = to.clone().sub(from);
          const length = separation.length();
          link.visible = loop.kind === "distance" && length > 0;
          if (!link.visible) continue;
          link.position.copy(from).add(to).multiplyScalar(0.5);
          link.scale.set(1, length, 1);
          link.quaternion.setFromUnitVectors(Y, separation.divideScalar(length));
        }
      },
    };
  },
};
