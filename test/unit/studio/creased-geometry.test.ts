/** Normals for shading: sharp at the edges of a cuboid, smooth around a cylinder. */
import { readMesh } from "castor/formats";
import { expect, it } from "vitest";
import { creasedGeometry } from "../../../studio/src/view/geometry/creased-geometry.ts";
import { objText } from "../../fixtures/mesh-bytes.ts";

it("a cuboid has the normals of its sides", () => {
  const geometry = creasedGeometry(readMesh("a.obj", () => new TextEncoder().encode(objText())));
  const [positions, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
  expect(positions.count).toBe(36);
  for (let k = 0; k < 36; k++) {
    const normal = [normals.getX(k), normals.getY(k), normals.getZ(k)];
    const axis = normal.findIndex((c) => Math.abs(c) > 0.99);
    expect(Math.abs(normal[axis]!)).toBeCloseTo(1, 6);
    // Outwards: the corner is on that side of the middle.
    const middle = [0.125, 0.125, 1.0625][axis]!;
    expect(Math.sign([positions.getX(k), positions.getY(k), positions.getZ(k)][axis]! - middle)).toBe(Math.sign(normal[axis]!));
  }
});

it("a prism with many sides has radial normals", () => {
  const n = 36;
  const ring = Array.from({ length: n }, (_, i) => [Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n)]);
  const positions = Float64Array.from([0, 1].flatMap((z) => ring.flatMap(([x, y]) => [x!, y!, z])));
  const triangles = Uint32Array.from(
    ring.flatMap((_, i) => {
      const next = (i + 1) % n;
      return [i, next, n + next, i, n + next, n + i];
    }),
  );
  const geometry = creasedGeometry({ positions, triangles });
  const [p, normals] = [geometry.getAttribute("position"), geometry.getAttribute("normal")];
  for (let k = 0; k < p.count; k++) {
    expect(p.getX(k) * normals.getX(k) + p.getY(k) * normals.getY(k)).toBeGreaterThan(Math.cos((4 * Math.PI) / 180));
    expect(normals.getZ(k)).toBeCloseTo(0, 6);
  }
});
