/** The bodies of a model as the report shows them. */
import type { Model } from "../model/model.ts";
import type { TreeBody } from "./report-data.ts";

/** The bodies that hang on the world, with what hangs on them. */
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
