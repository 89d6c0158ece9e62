/** Forces at points, for pictures: the log channels to read. */
import type { DrawnForce, ForceElement } from "../system/force-element.ts";
import { checkElements } from "../system/system.ts";

/** Drawn forces of elements with the full names of their channels in a log. Forces of zero are not drawn. */
export function drawnForces(elements: readonly ForceElement[]): readonly DrawnForce[] {
  checkElements("elements", elements);
  return elements.flatMap(({ name: element, drawn = [] }) => {
    const full = ([x, y, z]: DrawnForce["point"]): DrawnForce["point"] => [
      `${element}.${x}`,
      `${element}.${y}`,
      `${element}.${z}`,
    ];
    return drawn.map(({ name, point, force }) => ({
      name: name === "" ? element : `${element}.${name}`,
      point: full(point),
      force: full(force),
    }));
  });
}
