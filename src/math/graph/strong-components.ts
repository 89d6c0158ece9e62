/** Strongly connected components of a directed graph [Tarjan 1972], in topological order: no edge leads to an earlier one. */

/**
 * @param successors of each vertex, the vertices that its edges lead to. The vertices of each component are returned in ascending order.
 */
export function strongComponents(successors: readonly (readonly number[])[]): number[][] {
  const visitNumber = new Array<number>(successors.length).fill(-1);
  const lowLink: number[] = [];
  const isOnStack = new Array<boolean>(successors.length).fill(false);
  const stack: number[] = [];
  const components: number[][] = [];
  let count = 0;
  const enter = (v: number): void => {
    visitNumber[v] = lowLink[v] = count++;
    stack.push(v);
    isOnStack[v] = true;
  };
  const close = (v: number): void => {
    if (lowLink[v] !== visitNumber[v]) return;
    const component = stack.splice(stack.indexOf(v));
    for (const w of component) isOnStack[w] = false;
    components.push(component.sort((a, b) => a - b));
  };
  for (let root = 0; root < successors.length; root++) {
    if (visitNumber[root]! >= 0) continue;
    enter(root);
    const path = [{ v: root, next: 0 }];
    while (path.length > 0) {
      const top = path.at(-1)!;
      const w = successors[top.v]![top.next++];
      if (w === undefined) {
        path.pop();
        close(top.v);
        const parent = path.at(-1);
        if (parent) lowLink[parent.v] = Math.min(lowLink[parent.v]!, lowLink[top.v]!);
      } else if (visitNumber[w]! < 0) {
        enter(w);
        path.push({ v: w, next: 0 });
      } else if (isOnStack[w]) lowLink[top.v] = Math.min(lowLink[top.v]!, visitNumber[w]!);
    }
  }
  return components.reverse();
}
