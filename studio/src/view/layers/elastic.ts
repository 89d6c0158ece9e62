/** Elastic bodies in their bent shape: one smooth rod for all links of a body. */
import { BufferAttribute, BufferGeometry, DoubleSide, Group, type Material, Mesh, MeshStandardMaterial } from "three";
import { type ElasticRod, elasticRods, rodSections, SECTIONS_PER_SPAN } from "../geometry/elastic-rods.ts";
import type { Layer } from "../layer.ts";
import { bodyColour } from "./bodies.ts";

/** Corners of a cross-section, in half widths. */
const SQUARE = [
  [1, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
] as const;
const CIRCLE = Array.from({ length: 14 }, (_, k) => {
  const angle = (2 * Math.PI * k) / 14;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

export const elasticLayer: Layer = {
  id: "elastic",
  title: "Elastic bodies",
  shownByDefault: true,
  create(context) {
    const { scenario, palette } = context;
    const rods = elasticRods(scenario.model);
    if (rods.length === 0) return undefined;
    const object = new Group();
    const drawn = rods.map((rod) => {
      const colour = rod.round ? palette.link : bodyColour(rod.links[0]!, palette);
      const material = new MeshStandardMaterial({
        color: colour,
        roughness: 0.35,
        metalness: rod.round ? 0.55 : 0.2,
        side: DoubleSide,
      });
      material.flatShading = !rod.round;
      const mesh = rodMesh(rod, material);
      mesh.userData.body = rod.name;
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      object.add(mesh);
      return { rod, mesh };
    });
    return {
      object,
      update({ poses, origin }) {
        for (const { rod, mesh } of drawn) updateRodMesh(rod, mesh.geometry, poses, origin);
      },
    };
  },
};

/** The mesh of a rod. `updateRodMesh` sets its points. */
export function rodMesh(rod: ElasticRod, material: Material): Mesh {
  const mesh = new Mesh(emptyRod(rod), material);
  mesh.frustumCulled = false;
  return mesh;
}

const cornersOf = ({ round }: ElasticRod): readonly (readonly [number, number])[] => (round ? CIRCLE : SQUARE);

/** The triangles of a rod, without positions. */
function emptyRod(rod: ElasticRod): BufferGeometry {
  const sections = (rod.stations.length - 1) * SECTIONS_PER_SPAN + 1;
  const n = cornersOf(rod).length;
  const corners: number[] = [];
  for (let i = 0; i + 1 < sections; i++)
    for (let k = 0; k < n; k++) {
      const [a, b] = [i * n + k, i * n + ((k + 1) % n)];
      corners.push(a, b, b + n, a, b + n, a + n);
    }
  const last = (sections - 1) * n;
  for (let k = 1; k + 1 < n; k++) corners.push(0, k + 1, k, last, last + k, last + k + 1);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * sections * n), 3));
  geometry.setIndex(corners);
  return geometry;
}

export function updateRodMesh(rod: ElasticRod, geometry: BufferGeometry, poses: Float64Array, origin: Float64Array): void {
  const position = geometry.getAttribute("position") as BufferAttribute;
  let vertex = 0;
  for (const { at, y, z, size } of rodSections(rod, poses))
    for (const [cy, cz] of cornersOf(rod)) {
      const point = ([0, 1, 2] as const).map(
        (c) => at[c] + 0.5 * (cy * size[0] * y[c] + cz * size[1] * z[c]) - origin[c]!,
      ) as unknown as [number, number, number];
      position.setXYZ(vertex++, ...point);
    }
  position.needsUpdate = true;
  if (rod.round) geometry.computeVertexNormals();
}
