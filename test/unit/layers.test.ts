/** The architecture as rules about imports between folders. A broken rule fails with its name, its reason, and the import. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../../src/", import.meta.url));

/** A folder imports from itself and from earlier lines; never from a folder on its own line or on a later one. */
const LAYERS: readonly (readonly string[])[] = [
  ["errors.ts", "version.ts"],
  ["saved-data.ts", "arguments.ts"],
  ["math", "log"],
  ["kernel"],
  ["spatial", "ground"],
  ["declare"],
  ["model"],
  ["formats", "dynamics"],
  ["sim"],
  ["plan", "analysis"],
  ["parts"],
  ["scenario"],
  ["report"],
  ["campaign", "validation"],
  ["cli"],
];

/** Folders that run in every engine with nothing installed. */
const CORE: readonly string[] = LAYERS.slice(0, 1 + LAYERS.findIndex((line) => line.includes("parts")))
  .flat()
  .filter((folder) => folder !== "formats");

/** The folders that the formulations `kane` and `matrix` may use besides their own. */
const SHARED_BY_FORMULATIONS =
  /^(errors\.ts|saved-data\.ts|kernel\/|model\/|declare\/|math\/|spatial\/(vec3|rotation)\.ts|dynamics\/(formulation|checked-equations)\.ts)/;

/** Solvers of loops by multipliers: `partition` must reach none of them. */
const MULTIPLIERS = /^(dynamics\/(loops\/multipliers|kane|matrix)\/|math\/linear\/(markowitz|sparse-lu|symmetric-order)\.ts)/;

/** The entry points of package.json: the root and one index file for each subpath. */
const PUBLIC: readonly string[] = Object.values(
  (JSON.parse(readFileSync(join(SRC, "../package.json"), "utf8")) as { exports: Record<string, { default: string } | string> })
    .exports,
).flatMap((target) => (typeof target === "string" ? [] : [target.default.replace("./dist/", "").replace(/\.js$/, ".ts")]));

interface Import {
  readonly from: string;
  /** A file of src/, or the name of a package. */
  readonly to: string;
}

interface Rule {
  readonly name: string;
  readonly reason: string;
  /** True for an import that breaks the rule. */
  breaks(edge: Import): boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts"))
  .sort();
const isSource = new Set(files);

/** `import ... from "x"`, `export ... from "x"`, `import "x"`, `import("x")`. Imports of types count too. */
const SPECIFIER =
  /^\s*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;

const imports: readonly Import[] = files.flatMap((from) =>
  Array.from(readFileSync(join(SRC, from), "utf8").matchAll(SPECIFIER), (match) => {
    const specifier = (match[1] ?? match[2] ?? match[3])!;
    const to = specifier.startsWith(".") ? normalize(join(dirname(from), specifier)).replaceAll("\\", "/") : specifier;
    return { from, to };
  }),
);
const importsByFile = new Map<string, string[]>(files.map((path) => [path, []]));
for (const { from, to } of imports) importsByFile.get(from)!.push(to);
const importsOf = (path: string): readonly string[] => importsByFile.get(path) ?? [];

const topOf = (path: string): string => path.split("/", 1)[0]!;
const layerOf = (path: string): number => LAYERS.findIndex((line) => line.includes(topOf(path)));
const isOwn = (path: string): boolean => path.endsWith(".ts");
const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** All source files that a file needs, itself included. Files that `skip` names are not followed. */
function closure(path: string, skip: (path: string) => boolean = () => false): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const file of reached) for (const to of importsOf(file)) if (isSource.has(to) && !skip(to)) reached.add(to);
  return reached;
}

const RULES: readonly Rule[] = [
  {
    name: "imports go one way",
    reason: `a folder imports only from folders on earlier lines of ${LAYERS.map((line) => line.join(" ")).join(" ← ")}`,
    breaks: ({ from, to }) =>
      isOwn(to) && from !== "index.ts" && topOf(to) !== topOf(from) && !(layerOf(to) >= 0 && layerOf(to) < layerOf(from)),
  },
  {
    name: "the library index imports neither validation nor the command line",
    reason: "both are shipped for the command castor; programs that import the library do not load them",
    breaks: ({ from, to }) => PUBLIC.includes(from) && (isIn(to, "validation") || isIn(to, "cli")),
  },
  {
    name: "the core imports no package and nothing of Node",
    reason: "errors to parts run in every engine with nothing installed; only formats may use a parser",
    breaks: ({ from, to }) => CORE.includes(topOf(from)) && !isOwn(to),
  },
  {
    name: "the core imports no file format",
    reason: "readers of files use packages, so whoever opens files stands above parts",
    breaks: ({ from, to }) => CORE.includes(topOf(from)) && isIn(to, "formats"),
  },
  ...["kane", "matrix"].map((name) => ({
    name: `${name} shares no recursion with another formulation`,
    reason: "agreement of formulations is evidence only if they share no code that could hide a common mistake",
    breaks: ({ from, to }: Import) =>
      isIn(from, `dynamics/${name}`) && !isIn(to, `dynamics/${name}`) && !SHARED_BY_FORMULATIONS.test(to),
  })),
  {
    name: "only the list of formulations and the public index import kane and matrix",
    reason: "what is built on a formulation cannot be checked by it",
    breaks: ({ from, to }) =>
      ["kane", "matrix"].some(
        (name) =>
          isIn(to, `dynamics/${name}`) &&
          isIn(from, "dynamics") &&
          !isIn(from, `dynamics/${name}`) &&
          from !== "dynamics/formulations.ts" &&
          !PUBLIC.includes(from),
      ),
  },
  {
    name: "partition solves loops without multipliers",
    reason: "partition and articulated check each other's treatment of loops",
    breaks: ({ from, to }) => isIn(from, "dynamics/partition") && (MULTIPLIERS.test(to) || reachesMultipliers(to)),
  },
];

const reachesMultipliers = (path: string): boolean => isSource.has(path) && [...closure(path)].some((to) => MULTIPLIERS.test(to));

const violationsOf = (edges: readonly Import[]): string[] =>
  RULES.flatMap(({ name, reason, breaks }) =>
    edges.filter(breaks).map(({ from, to }) => `${from} imports ${to}. Rule: ${name} (${reason}).`),
  );

describe("layers", () => {
  it("finds the imports of the project", () => {
    expect(files).toContain("dynamics/kane/kane.ts");
    expect(imports.length).toBeGreaterThan(2 * files.length);
    expect(imports.filter(({ to }) => to.startsWith("..") || (isOwn(to) && !isSource.has(to)))).toEqual([]);
  });

  it("has a source file for every entry point of the package", () => {
    expect(PUBLIC.length).toBeGreaterThan(10);
    expect(PUBLIC.filter((path) => !isSource.has(path))).toEqual([]);
  });

  it("has a root index that fits on one screen", () => {
    expect(readFileSync(join(SRC, "index.ts"), "utf8").split("\n").length).toBeLessThanOrEqual(60);
  });

  it("gives every folder a layer", () => {
    expect(files.filter((path) => path !== "index.ts" && layerOf(path) < 0)).toEqual([]);
    for (const folder of ["dynamics/kane", "dynamics/matrix", "dynamics/partition", "dynamics/loops/multipliers"])
      expect(files.filter((path) => isIn(path, folder)).length, folder).toBeGreaterThan(1);
  });

  it("keeps every rule", () => {
    expect(violationsOf(imports)).toEqual([]);
  });

  it.each([
    ["imports go one way", "math/linear/dense-matrix.ts", "sim/run/simulate.ts"],
    ["imports go one way", "plan/pose.ts", "analysis/statics.ts"],
    ["the library index imports neither validation nor the command line", "index.ts", "validation/validations.ts"],
    ["the core imports no package and nothing of Node", "parts/terrain/terrain.ts", "node:fs"],
    ["the core imports no package and nothing of Node", "kernel/trace/graph.ts", "yaml"],
    ["the core imports no file format", "analysis/statics.ts", "formats/document.ts"],
    ["kane shares no recursion with another formulation", "dynamics/kane/motion.ts", "dynamics/tree/mass-matrix.ts"],
    ["matrix shares no recursion with another formulation", "dynamics/matrix/augmented-system.ts", "dynamics/kane/loop-rows.ts"],
    [
      "only the list of formulations and the public index import kane and matrix",
      "dynamics/articulated.ts",
      "dynamics/kane/kane.ts",
    ],
    ["partition solves loops without multipliers", "dynamics/partition/partition.ts", "dynamics/articulated.ts"],
  ])("names the rule of a wrong import: %s", (rule, from, to) => {
    const messages = violationsOf([{ from, to }]);
    expect(messages.some((message) => message.startsWith(`${from} imports ${to}. Rule: ${rule} (`))).toBe(true);
  });

  it("lets programs that import the library run without Node", () => {
    const entries = PUBLIC.filter((path) => !path.endsWith("/files.ts"));
    const wrong = [...new Set(entries.flatMap((path) => [...closure(path)]))].flatMap((from) =>
      importsOf(from)
        .filter((to) => to.startsWith("node:"))
        .map((to) => `${from} imports ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no circle of imports", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
      if (done.has(path) || way.includes(path)) return;
      for (const to of importsOf(path)) if (isSource.has(to)) visit(to, [...way, path]);
      done.add(path);
    };
    for (const path of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});

describe("independent formulations", () => {
  it("kane and matrix solve their equations with different factorisations", () => {
    // Models compute modes of elastic bodies, and kernels sines; lengths and powers are elementary. None solves equations of motion.
    const isOutside = (path: string): boolean => ["model", "kernel", "math/elementary"].some((folder) => isIn(path, folder));
    const solversOf = (name: string): string[] => {
      const own = files.filter((path) => isIn(path, `dynamics/${name}`));
      return [...new Set(own.flatMap((path) => [...closure(path, isOutside)]))].filter((path) => isIn(path, "math"));
    };
    expect(solversOf("kane")).not.toEqual([]);
    expect(solversOf("matrix")).not.toEqual([]);
    expect(solversOf("kane").filter((path) => solversOf("matrix").includes(path))).toEqual([]);
  });

  it("kane, matrix and articulated share no module of dynamics but the interface", () => {
    const modulesOf = (entry: string): string[] => [...closure(entry)].filter((path) => isIn(path, "dynamics"));
    const entries = ["dynamics/kane/kane.ts", "dynamics/matrix/matrix-method.ts", "dynamics/articulated.ts"];
    for (const a of entries)
      for (const b of entries)
        if (a < b)
          expect(modulesOf(a).filter((path) => modulesOf(b).includes(path))).toEqual([
            "dynamics/checked-equations.ts",
            "dynamics/formulation.ts",
          ]);
  });
});
