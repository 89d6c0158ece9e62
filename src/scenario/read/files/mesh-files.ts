/** Mesh files of hulls beside the scenario. The corners of their hulls are read into the scenario, so that it contains all its data. */
import { childPath, type Fields, isFields } from "../../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../../errors.ts";
import { readMesh } from "../../../formats/mesh/mesh-file.ts";
import { convexHull, hullProblem } from "../../../math/convex/convex-hull.ts";
import type { Point3 } from "../../../math/convex/polytope.ts";
import { reducedHull } from "../../../math/convex/reduced-hull.ts";
import { fieldsOf } from "../../fields-of.ts";
import { pathProblem, type ScenarioFiles } from "../../files.ts";

/** Kinds of forces that have contact shapes. */
const WITH_SHAPES: readonly unknown[] = ["contact", "clearance"];

/** The data of a scenario with `points` in the place of `file` in every shape of kind hull. */
export function withMeshFiles(
  data: unknown,
  files: ScenarioFiles,
  problems: Problem[],
  warnings: Problem[],
  fromRobot: ReadonlySet<unknown>,
): unknown {
  const hulls = new Map<string, readonly Point3[] | undefined>();
  const forces = fieldsOf(fieldsOf(data).forces);
  let isChanged = false;
  const read = Object.entries(forces).map(([name, force]) => {
    if (!isFields(force) || !WITH_SHAPES.includes(force.kind)) return [name, force] as const;
    const changed = ["shapes", "against"].flatMap((key) => {
      const list = force[key];
      if (!Array.isArray(list) || !list.some(namesMesh)) return [];
      isChanged = true;
      const path = childPath(childPath("forces", name), key);
      return [
        [
          key,
          list.map((shape, i) =>
            namesMesh(shape) ? withPoints(shape, `${path}[${i}]`, { files, problems, warnings, fromRobot, hulls }) : shape,
          ),
        ],
      ];
    });
    return [name, { ...force, ...Object.fromEntries(changed) }] as const;
  });
  return isChanged ? { ...(data as Fields), forces: Object.fromEntries(read) } : data;
}

interface NamedMesh extends Fields {
  readonly file: string;
}

const namesMesh = (shape: unknown): shape is NamedMesh =>
  isFields(shape) && shape.kind === "hull" && typeof shape.file === "string" && shape.file !== "";

interface MeshContext {
  readonly files: ScenarioFiles;
  readonly problems: Problem[];
  readonly warnings: Problem[];
  /** Shapes that come from a robot file. */
  readonly fromRobot: ReadonlySet<unknown>;
  /** Corners by file: several shapes may have the same one. */
  readonly hulls: Map<string, readonly Point3[] | undefined>;
}

function withPoints(shape: NamedMesh, path: string, context: MeshContext): Fields {
  const { file, ...rest } = shape;
  if ("points" in rest) {
    context.problems.push({ path: `${path}.file`, message: "the points are given twice", advice: "Leave out file, or points" });
    return rest;
  }
  const origin = context.fromRobot.has(shape) ? "ofRobot" : "ofScenario";
  if (!context.hulls.has(file)) context.hulls.set(file, hullCorners(file, `${path}.file`, origin, context));
  return { ...rest, points: context.hulls.get(file) ?? ANY_HULL };
}

/** Takes the place of a file with a problem, so that the problem is reported once. */
const ANY_HULL = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Hulls with more corners are replaced by smaller ones, because the cost of contact grows with the square of the corners. Those of robot files are
 * smaller: robots have many, and their meshes are made for pictures.
 */
const MOST_CORNERS = { ofScenario: 500, ofRobot: 100 } as const;
const REDUCED_CORNERS = { ofScenario: 200, ofRobot: 60 } as const;

function hullCorners(
  file: string,
  path: string,
  origin: keyof typeof MOST_CORNERS,
  { files, problems, warnings }: MeshContext,
): readonly Point3[] | undefined {
  const refuse = (message: string, advice?: string): undefined => {
    problems.push({ path, message, value: valueText(file), ...(advice !== undefined && { advice }) });
    return undefined;
  };
  const readFile = (name: string): Uint8Array => {
    const refusal = pathProblem(name);
    if (refusal !== undefined)
      throw new ModelError(name, [{ path: "", message: refusal, advice: "Put the file into the scenario's folder" }]);
    if (files.readBytes === undefined)
      throw new ModelError(name, [{ path: "", message: "cannot be read: no files were given with this scenario" }]);
    return files.readBytes(name);
  };
  try {
    const { positions } = readMesh(file, readFile);
    const points = Array.from(
      { length: positions.length / 3 },
      (_, i): Point3 => [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!],
    );
    const problem = hullProblem(points);
    if (problem) return refuse(problem.message, problem.advice);
    const full = convexHull(points);
    if (full.corners.length <= MOST_CORNERS[origin]) return full.corners;
    const { hull, inside } = reducedHull(full, REDUCED_CORNERS[origin]);
    warnings.push({
      path,
      message: `the hull of ${valueText(file)} has ${full.corners.length} corners; one with ${hull.corners.length} is used, at most ${+inside.toPrecision(2)} units of the file inside of it`,
    });
    return hull.corners;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    for (const { message, advice } of error.problems) refuse(message, advice);
    return undefined;
  }
}
