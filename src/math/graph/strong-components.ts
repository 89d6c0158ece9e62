/** Strongly connected components of a directed graph [Tarjan 1972], in topological order: no edge leads to an earlier one. */

/** `successors[v]`: where the edges of vertex v lead. Vertices within a component in ascending order. */
export function strongComponents(successors: readonly (readonly number[])[]): number[][] {
  const number = new Array<number>(successors.length).fill(-1);
  const low: number[] = [];
  const open = new Array<boolean>(successors.length).fill(false);
  const stack: number[] = [];
  const found: number[][] = [];
  let count = 0;
  const enter = (v: number): void => {
    number[v] = low[v] = count++;
    stack.push(v);
    open[v] = true;
  };
  const close = (v: number): void => {
    if (low[v] !== number[v]) return;
    const component = stack.splice(stack.indexOf(v));
    for (const w of component) open[w] = false;
    found.push(component.sort((a, b) => a - b));
  };
  for (let root = 0; root < successors.length; root++) {
    if (number[root]! >= 0) continue;
    enter(root);
    const way = [{ v: root, next: 0 }];
    while (way.length > 0) {
      const here = way.at(-1)!;
      const w = successors[here.v]![here.next++];
      if (w === undefined) {
        way.pop();
        close(here.v);
        const before = way.at(-1);
        if (before) low[before.v] = Math.min(low[before.v]!, low[here.v]!);
      } else if (number[w]! < 0) {
        enter(w);
        way.push({ v: w, next: 0 });
      } else if (open[w]) low[here.v] = Math.min(low[here.v]!, number[w]!);
    }
  }
  return found.reverse();
}
