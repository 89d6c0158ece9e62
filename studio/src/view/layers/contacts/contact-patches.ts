/** Contact patches of solids, coloured by their pressure, drawn over everything else. */
import { contactPatches } from "castor/sim";
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial } from "three";
import { threeDigits } from "../../geometry/drawing.ts";
import type { Layer } from "../../layer.ts";

/** Colours from no pressure to the largest one of the frame: readable on light and dark bodies, and with colour blindness. */
const SCALE = ["#30123b", "#2867e0", "#18b6c9", "#6bf05c", "#f2c93a", "#f3690f", "#a01101"].map((colour) => new Color(colour));

export const contactPatchesLayer: Layer = {
  id: "contact-patches",
  title: "Contact patches",
  shownByDefault: true,
  onlyWith: "run",
  create({ scenario }) {
    const patchesAt = contactPatches(scenario.model, scenario.forces);
    if (!patchesAt) return undefined;
    const object = new Group();
    const material = new MeshBasicMaterial({
      vertexColors: true,
      side: DoubleSide,
      depthTest: false,
      transparent: true,
      opacity: 0.85,
    });
    const colour = new Color();
    let largest = 0;
    return {
      object,
      legend: () => (largest > 0 ? `contact pressure up to ${threeDigits(largest / 1000)} kPa` : ""),
      update({ poses, origin }) {
        for (const child of object.children) (child as Mesh).geometry.dispose();
        object.clear();
        const patches = patchesAt(poses);
        largest = 0;
        for (const { pressures } of patches) for (const pressure of pressures) largest = Math.max(largest, pressure);
        for (const { points, pressures, triangles } of patches) {
          const geometry = new BufferGeometry();
          // Relative to the origin of the scene in double precision.
          const positions = Float32Array.from(points, (x, i) => x - origin[i % 3]!);
          const colours = new Float32Array(points.length);
          for (const [i, pressure] of pressures.entries()) {
            writeColour(largest > 0 ? pressure / largest : 0, colour);
            colour.toArray(colours, 3 * i);
          }
          geometry.setAttribute("position", new BufferAttribute(positions, 3));
          geometry.setAttribute("color", new BufferAttribute(colours, 3));
          geometry.setIndex(new BufferAttribute(triangles, 1));
          const mesh = new Mesh(geometry, material);
          mesh.renderOrder = 5;
          object.add(mesh);
        }
      },
    };
  },
};

/** The colour of a share of the largest pressure, 0 to 1. */
function writeColour(share: number, out: Color): void {
  const x = share * (SCALE.length - 1);
  const i = Math.min(SCALE.length - 2, Math.floor(x));
  out.lerpColors(SCALE[i]!, SCALE[i + 1]!, x - i);
}
