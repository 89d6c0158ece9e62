/** The order of recursions that go out to the tips of a link tree and back. */
import type { Link } from "./link.ts";

export interface LinkVisit {
  readonly link: number;
  readonly direction: "down" | "up";
}

/**
 * Visits links depth first, outwards ("down") and back ("up"). Values of one branch are used before the next branch begins, which saves
 * registers. `begin` is the branch that is visited first: that of the first or of the last child.
 */
export function depthFirstOrder(links: readonly Link[], begin: "first" | "last"): LinkVisit[] {
  const children: number[][] = links.map(() => []);
  const roots: number[] = [];
  for (const { index, parent } of links) (parent < 0 ? roots : children[parent]!).push(index);
  const lastOnTop = (branches: readonly number[]): readonly number[] => (begin === "first" ? [...branches].reverse() : branches);
  const order: LinkVisit[] = [];
  const stack: LinkVisit[] = lastOnTop(roots).map((link) => ({ link, direction: "down" }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    order.push(next);
    if (next.direction === "up") continue;
    stack.push({ link: next.link, direction: "up" });
    for (const child of lastOnTop(children[next.link]!)) stack.push({ link: child, direction: "down" });
  }
  return order;
}
