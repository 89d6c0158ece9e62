/** Height and slopes of the ground. Without terrain, or where its height is unknown, the ground is the plane z = 0. */
import type { Scenario } from "castor/scenario";

const out = new Float64Array(3);

/** Valid until the next call. */
export function groundAt({ terrain }: Scenario, x: number, y: number): Float64Array {
  if (terrain) terrain.sample(x, y, out);
  if (!terrain || Number.isNaN(out[0])) out.fill(0);
  return out;
}
