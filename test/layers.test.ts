/** The architecture as tests: imports go one way, the core depends on nothing, and formulations share no recursion. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../src/", import.meta.url));

/** A folder imports from itself and from folders further up, never from its neighbours on the same line or from below. */
const LAYERS: readonly (readonly string[])[] = [
  ["math", "log"],
  ["kernel"],
  ["spatial", "ground"],
  ["model"],
  ["formats", "dynamics"],
  ["sim"],
  ["force", "plan", "analysis"],
  ["control"],
  ["scenario"],
  ["campaign", "report", "validate"],
  ["cli"],
];

/** What runs anywhere, with nothing installed: no package, nothing of Node, no file formats. */
const CORE: ReadonlySet<string> = new Set(["kernel", "math", "log", "spatial", "model", "dynamics", "sim"]);

/** What the independent formulations may take from the rest of the project, besides their own files. */
const SHARED_BY_FORMULATIONS = /^(kernel\/|model\/|math\/|spatial\/(vec3|rotation)\.ts$|dynamics\/formulation\.ts$)/;

interface Import {
  readonly from: string;
  /** A file of src/, or the specifier of a package. */
  readonly to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"))
  .sort();

/** `import ... from "x"`, `export ... from "x"`, `import "x"`, `import("x")`: types count like values. */
const SPECIFIER =
  /^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

const imports: readonly Import[] = files.flatMap((from) =>
  Array.from(readFileSync(join(SRC, from), "utf8").matchAll(SPECIFIER), (match) => {
    const specifier = (match[1] ?? match[2] ?? match[3])!;
    const to = specifier.startsWith(".") ? normalize(join(dirname(from), specifier)).replaceAll("\\", "/") : specifier;
    return { from, to };
  }),
);

const importsOf = (path: string): readonly string[] => imports.filter(({ from }) => from === path).map(({ to }) => to);
const isOwn = (path: string): boolean => files.includes(path);
const folderOf = (path: string): string => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "");
const layerOf = (path: string): number => LAYERS.findIndex((layer) => layer.includes(folderOf(path)));
const shown = ({ from, to }: Import): string => `${from} imports ${to}`;

/** Everything that a file needs, itself included; not what is needed only through files that are left out. */
function closure(path: string, leftOut: (path: string) => boolean = () => false): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const file of reached) for (const to of importsOf(file)) if (isOwn(to) && !leftOut(to)) reached.add(to);
  return reached;
}

describe("layers", () => {
  it("sees the imports of the project", () => {
    expect(files).toContain("dynamics/kane.ts");
    expect(imports.length).toBeGreaterThan(2 * files.length);
    expect(imports.filter(({ to }) => to.startsWith("..") || (to.endsWith(".ts") && !isOwn(to))).map(shown)).toEqual([]);
  });

  it("every folder has its layer", () => {
    expect(files.filter((path) => folderOf(path) !== "" && layerOf(path) < 0)).toEqual([]);
    expect(files.filter((path) => folderOf(path) === "")).toEqual(["index.ts"]);
  });

  it("imports go one way", () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!isOwn(to) || from === "index.ts") return false;
      return folderOf(to) !== folderOf(from) && !(layerOf(to) >= 0 && layerOf(to) < layerOf(from));
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it("the library does not know the command line", () => {
    expect(importsOf("index.ts").filter((to) => folderOf(to) === "cli")).toEqual([]);
  });

  it("the core imports no package, nothing of Node, and no file format", () => {
    const wrong = imports.filter(({ from, to }) => CORE.has(folderOf(from)) && (!isOwn(to) || folderOf(to) === "formats"));
    expect(wrong.map(shown)).toEqual([]);
  });

  it("the public library needs nothing of Node", () => {
    const wrong = [...closure("index.ts")].flatMap((from) =>
      importsOf(from)
        .filter((to) => to.startsWith("node:"))
        .map((to) => ({ from, to })),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it("no imports in a circle", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
      if (done.has(path) || way.includes(path)) return;
      for (const to of importsOf(path)) if (isOwn(to)) visit(to, [...way, path]);
      done.add(path);
    };
    for (const path of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});

describe("independent formulations", () => {
  const own = (name: string): string[] => files.filter((path) => path.startsWith(`dynamics/${name}`));

  it.each(["kane", "matrix"])("%s shares no recursion with anything", (name) => {
    const mine = own(name);
    expect(mine.length).toBeGreaterThan(1);
    const wrong = mine.flatMap((from) =>
      importsOf(from)
        .filter((to) => !mine.includes(to) && !SHARED_BY_FORMULATIONS.test(to))
        .map((to) => shown({ from, to })),
    );
    expect(wrong).toEqual([]);
  });

  it("nobody builds on kane or matrix but the list of formulations", () => {
    const theirs = [...own("kane"), ...own("matrix")];
    const wrong = imports.filter(
      ({ from, to }) => folderOf(from) === "dynamics" && theirs.includes(to) && !theirs.includes(from),
    );
    expect(wrong.map(shown)).toEqual([
      "dynamics/all.ts imports dynamics/kane.ts",
      "dynamics/all.ts imports dynamics/matrix-method.ts",
    ]);
  });

  it("each solves its equations with an algorithm of its own", () => {
    // What a model computes while it is made (modes of elastic bodies) solves no equations of motion, nor do the sines of kernels.
    const isModel = (path: string): boolean => folderOf(path) === "model" || folderOf(path) === "kernel";
    const solvers = (name: string): string[] =>
      [...new Set(own(name).flatMap((path) => [...closure(path, isModel)]))].filter((path) => folderOf(path) === "math");
    expect(solvers("kane")).not.toEqual([]);
    expect(solvers("matrix")).not.toEqual([]);
    expect(solvers("kane").filter((path) => solvers("matrix").includes(path))).toEqual([]);
  });

  it("partition solves loops without the multipliers of closed loops and without sparse factors", () => {
    const apart = [
      "closed-loops",
      "compiled-order",
      "loop-closure",
      "loop-programs",
      "loop-system",
      "traced-ldl",
      "redundant-loops",
      "kane-loops",
      "matrix-loops",
    ];
    const foreign = new Set([
      ...apart.map((name) => `dynamics/${name}.ts`),
      "math/markowitz.ts",
      "math/sparse-lu.ts",
      "math/symmetric-order.ts",
    ]);
    for (const file of foreign) expect(files, file).toContain(file);
    for (const file of ["dynamics/partition.ts", "dynamics/minimal.ts"])
      expect(
        [...closure(file)].filter((path) => foreign.has(path)),
        file,
      ).toEqual([]);
  });
});
