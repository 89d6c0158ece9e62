/** Public names of the package (`castor`, `castor/sim`, ...) as aliases of their source files, for builds and tests that run without `dist`. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Package {
  readonly name: string;
  readonly exports: Readonly<Record<string, { readonly default: string } | string>>;
}

export function sourceAliases(): { readonly find: RegExp; readonly replacement: string }[] {
  const { name, exports } = JSON.parse(readFileSync(pathOf("../package.json"), "utf8")) as Package;
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = typeof target === "string" ? undefined : /^\.\/dist\/(.*)\.js$/.exec(target.default)?.[1];
    if (source === undefined) return []; // a data file
    return [{ find: new RegExp(`^${name}${subpath.slice(1)}$`), replacement: pathOf(`../src/${source}.ts`) }];
  });
}
