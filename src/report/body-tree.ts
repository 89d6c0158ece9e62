/** Tree of the bodies of a model, for the report. */
import type { Model } from "../model/model.ts";
import type { TreeBody } from "./report-data.ts";

/** Bodies on the world, each with its children. */
export function bodyTree(model: Model): readonly TreeBody[] {
  const roots: TreeBody[] = [];
  const childrenOf: TreeBody[][] = [];
  for (const { name, mass, hinge, parent, index } of model.bodies) {
    const children: TreeBody[] = [];
    const freedoms = hinge.nu;
    const body: TreeBody = { name, mass, hinge: { name: hinge.name, kind: hinge.kind, freedoms }, children };
    childrenOf[index] = children;
    (childrenOf[parent] ?? roots).push(body);
  }
  return roots;
}
