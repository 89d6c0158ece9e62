/** Makes the selected body glow. */
import type { Model } from "castor";
import { Mesh, type MeshLambertMaterial, type Scene } from "three";
import type { Selection } from "../state/state.ts";

/** A selected hinge highlights its body. Meshes are found by the body name in their user data. */
export function highlightSelection(
  scene: Scene,
  selection: Selection | undefined,
  model: Model | undefined,
  colour: string,
): void {
  scene.traverse((object) => {
    const { body } = object.userData as { readonly body?: string };
    if (body === undefined || !(object instanceof Mesh)) return;
    const hinge = model?.bodies.find(({ name }) => name === body)?.hinge.name;
    const isSelected =
      (selection?.kind === "body" && selection.name === body) || (selection?.kind === "hinge" && selection.name === hinge);
    const material = object.material as MeshLambertMaterial;
    if (isSelected && !object.userData.ownMaterial) {
      const glowMaterial = material.clone(); // a material may be shared with other bodies
      glowMaterial.emissive.set(colour);
      glowMaterial.emissiveIntensity = 0.55;
      object.material = glowMaterial;
      object.userData.ownMaterial = material;
    } else if (!isSelected && object.userData.ownMaterial) {
      material.dispose();
      object.material = object.userData.ownMaterial;
      object.userData.ownMaterial = undefined;
    }
  });
}
