/** Force and torque at a frame by a table over time, smooth between the rows. */

import { add, mul, type Scalar, sub } from "../../../kernel/trace/scalar.ts";
import { apply } from "../../../spatial/rotation.ts";
import { dot, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { COEFFICIENTS, monotoneCubic } from "./monotone-cubic.ts";

const COMPONENTS = ["fx", "fy", "fz", "tx", "ty", "tz"] as const;
/** Columns of a table of wrenches: time in s, forces in N, torques in N m. */
export const WRENCH_COLUMNS = ["t", ...COMPONENTS] as const;
/** Most rows of a table. Each row is a time at which a step ends. */
const MAX_ROWS = 100_000;

export const wrenchTable = forceKind({
  name: "wrench-table",
  about:
    "Force at the origin of a frame and torque by a table over time. Between two rows each component is a cubic that does not overshoot; its " +
    "first derivative is continuous. Before the first and after the last row the wrench is constant. Steps end at the times of the rows, " +
    "so that no row is missed. Its power counts as supplied.",
  acts: "from outside",
  parameters: {
    frame: { type: "frame", about: "Frame or body on which the wrench acts." },
    axes: {
      type: "choice",
      of: ["world", "body"],
      default: "world",
      about: "Axes of the components: the world's or the frame's own.",
    },
    columns: {
      type: "choices",
      of: WRENCH_COLUMNS,
      set: true,
      default: [...WRENCH_COLUMNS],
      about: "Columns of the table in their order: time (s), force (N), torque (N m); other components are zero.",
    },
    table: { type: "matrix", unit: "", free: true, optional: true, about: "Rows of numbers; the times increase." },
    file: {
      type: "file",
      optional: true,
      about: "CSV file in the scenario's folder, instead of columns and table: the first line names the columns.",
    },
  },
  examples: [
    {
      frame: "hand-tip",
      axes: "body",
      columns: ["t", "fz", "tx"],
      table: [
        [0, 0, 0],
        [1, 5, -0.2],
        [3, 4, 0.3],
        [7, 0, 0],
      ],
    },
    { frame: "hull", axes: "body", table: [[0, 1, 2, 3, -0.1, 0.2, 0.3]] },
  ],
  element(_name, { frame, axes, columns, table: rows, file }, note) {
    if (file !== undefined)
      note("file", "cannot be read here", "Load the scenario from its folder with loadScenario, or give the rows as table");
    else if (rows === undefined) note("table", "is missing", "Give table, or the name of a CSV file as file");
    const table = rows ?? [];
    const problem = tableProblem(columns, table);
    if (rows !== undefined && problem !== undefined) note(problem.key, problem.message, problem.advice);
    const times = table.map((row) => row[columns.indexOf("t")]!);
    const given = COMPONENTS.filter((name) => columns.includes(name));
    const cubics = given.map((name) =>
      monotoneCubic(
        times,
        table.map((row) => row[columns.indexOf(name)]!),
      ),
    );
    if (problem === undefined && cubics.some((pieces) => pieces.some((piece) => !piece.every(Number.isFinite))))
      note("table", "changes too fast: its slopes cannot be computed", "Give times further apart");
    const piece = (k: number): readonly number[] => [times[Math.max(0, k - 1)]!, ...cubics.flatMap((pieces) => pieces[k]!)];
    return {
      frames: [frame],
      held: ["start", ...given.flatMap((name) => COEFFICIENTS.map((coefficient) => `${name}-${coefficient}`))],
      // Piece 0 is before the first row, and holds from any start.
      schedule: [
        { t: -Number.MAX_VALUE, held: table.length > 0 ? piece(0) : [] },
        ...times.map((t, k) => ({ t, held: piece(k + 1) })),
      ],
      trace(s, out) {
        const [start, ...coefficients] = s.held;
        const x = sub(s.t, start!);
        const component = (name: (typeof COMPONENTS)[number]): Scalar => {
          const i = given.indexOf(name);
          if (i < 0) return 0;
          const own = coefficients.slice(COEFFICIENTS.length * i, COEFFICIENTS.length * (i + 1));
          return own.reduceRight((sum, coefficient) => add(coefficient, mul(x, sum)));
        };
        const [fx, fy, fz, tx, ty, tz] = COMPONENTS.map(component) as [Scalar, Scalar, Scalar, Scalar, Scalar, Scalar];
        const { R, v, w } = s.frame(frame);
        const inWorld = (vector: Vec3): Vec3 => (axes === "world" ? vector : apply(R, vector));
        const [force, torque] = [inWorld([fx, fy, fz]), inWorld([tx, ty, tz])];
        out.wrench(frame, torque, force);
        const power = add(dot(force, v), dot(torque, w));
        out.supplied(power);
        for (const [i, name] of COMPONENTS.entries()) out.channel(name, i < 3 ? "N" : "N m", [...force, ...torque][i]!);
        out.channel("power", "W", power);
      },
    };
  },
});

interface TableProblem {
  readonly key: string;
  readonly message: string;
  readonly advice: string;
}

/** The first problem of the columns or rows, or undefined. */
function tableProblem(columns: readonly string[], rows: readonly (readonly number[])[]): TableProblem | undefined {
  if (!columns.includes("t")) return { key: "columns", message: "there is no column of times", advice: "Name one column t" };
  if (columns.length < 2)
    return { key: "columns", message: "there is no component", advice: `Name one or more of ${COMPONENTS.join(", ")}` };
  if (rows.length === 0) return { key: "table", message: "has no rows", advice: "Give at least one row" };
  if (rows.length > MAX_ROWS)
    return { key: "table", message: `has ${rows.length} rows, at most ${MAX_ROWS} are possible`, advice: "Leave out rows" };
  const time = columns.indexOf("t");
  for (const [i, row] of rows.entries()) {
    if (row.length !== columns.length)
      return {
        key: `table[${i}]`,
        message: `must have ${columns.length} numbers, has ${row.length}`,
        advice: `Give one number for each column: ${columns.join(", ")}`,
      };
    if (i > 0 && !(row[time]! > rows[i - 1]![time]!))
      return {
        key: `table[${i}][${time}]`,
        message: "times must increase",
        advice: `The row before has t = ${rows[i - 1]![time]}`,
      };
  }
  return undefined;
}
