/** Path planning on terrain with craters: traversability map, fastest path, and a new plan after an obstacle is detected. */
import { craters, gridOf, roughness, sumOf } from "castor/ground";
import { aStar, DStarLite, TravelTime, traversabilityOf } from "castor/plan";

const [side, cell] = [81, 0.25];
const ground = sumOf([
  roughness({ amplitude: 0.15, wavelength: 8, octaves: 4, hurst: 0.8, seed: 3 }),
  craters({ count: 14, least: 0.6, most: 3, x: 0, y: 0, length: 20, width: 20, seed: 3 }),
]);
const map = traversabilityOf(gridOf(ground, { columns: side, rows: side, x: 0, y: 0, dx: cell, dy: cell }));
console.log(`${map.blocked.reduce((a, b) => a + b, 0)} of ${side * side} cells are too steep, too rough, or at the border`);

// The cost is travel time. Slip on slopes (angles in rad) increases it.
const times = new TravelTime(map, { speed: 0.05, slip: { angles: [0, 0.17, 0.35], values: [0.003, 0.21, 0.57] } });
const cellAt = (x: number, y: number): number => Math.round(y / cell) * side + Math.round(x / cell);
const [start, goal] = [cellAt(1, 1), cellAt(19, 19)];
const planner = new DStarLite(times, start, goal);
const first = planner.plan();
console.log(`from (1, 1) to (19, 19) in ${first.cost.toFixed(1)} s over ${first.cells.length} cells, ${first.expanded} expanded`);

// A rock of 5 x 5 cells is detected in the middle of the path.
const middle = first.cells[first.cells.length >> 1]!;
const rock = [-2, -1, 0, 1, 2].flatMap((j) => [-2, -1, 0, 1, 2].map((i) => middle + j * side + i));
for (const k of rock) times.blocked[k] = 1;
planner.changed(rock);
const again = planner.plan();
const fresh = aStar(times, start, goal);
console.log(
  `around the rock in ${again.cost.toFixed(1)} s, ${again.expanded} expanded; A* from scratch ${fresh.cost.toFixed(1)} s, ${fresh.expanded}`,
);

/* prints
1634 of 6561 cells are too steep, too rough, or at the border
from (1, 1) to (19, 19) in 585.3 s over 89 cells, 1867 expanded
around the rock in 598.3 s, 1859 expanded; A* from scratch 598.3 s, 3019
*/
