/** Forces at points, for pictures: which channels of a log to read. */
import type { DrawnForce, ForceElement } from "../system/force-element.ts";

/** The drawn forces of elements by the full names of their channels, as they stand in a log. A force that is zero is not drawn. */
export const drawnForces = (elements: readonly ForceElement[]): readonly DrawnForce[] =>
  elements.flatMap(({ name: element, drawn = [] }) => {
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
