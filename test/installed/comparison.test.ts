/**
 * docs/comparison.md: its table and its lists of completions are generated (update: npx vitest run test/installed/comparison.test.ts --update), each
 * program of Castor is shorter than the others, and its numbers are those of equations of motion that were derived by hand. The programs of
 * Castor are run by docs.test.ts.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import loadMujoco from "@mujoco/mujoco";
import { beforeAll, describe, expect, it } from "vitest";
import { workFolder } from "../fixtures/installed.ts";
import { LanguageServer } from "../fixtures/language-server.ts";

const PATH = fileURLToPath(new URL("../../docs/comparison.md", import.meta.url));
const page = readFileSync(PATH, "utf8");

const TASKS = ["Double pendulum", "PD control", "Jacobian of the hand"] as const;
const TOOLS = ["Castor", "Drake", "Pinocchio", "MuJoCo"] as const;
type Task = (typeof TASKS)[number];

/** The first code block after the headings of a task and a tool, and the block after it. */
function blocksOf(task: Task, tool: (typeof TOOLS)[number]): readonly [string, string | undefined] {
  const section = page.split(`\n## ${task}\n`)[1]!.split("\n## ")[0]!;
  const text = section.split(`\n### ${tool}\n`)[1]!.split("\n### ")[0]!;
  const [program, printed] = Array.from(text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm), (match) => match[1]!);
  return [program!, printed];
}

/** Lines without blank lines and comments, and their characters without indentation. */
function lengthOf(program: string) {
  const lines = program
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(\/\/|#)/.test(line));
  return { lines: lines.length, characters: lines.reduce((sum, line) => sum + line.length, 0) };
}

/** The page with another text between two marks. */
const withPart = (text: string, name: string, part: string): string =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- end of ${name} -->)`),
    (_, before, after) => `${before}\n${part}\n${after}`,
  );

function lengthTable(): string {
  const rows = TASKS.map((task) => [
    task,
    ...TOOLS.map((tool) => {
      const { lines, characters } = lengthOf(blocksOf(task, tool)[0]);
      return `${lines} lines, ${characters} characters`;
    }),
  ]);
  const cells = [["task", ...TOOLS], ...rows];
  const widths = cells[0]!.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  return `${[line(cells[0]!), `| ${widths.map((w) => "-".repeat(w)).join(" | ")} |`, ...rows.map(line)].join("\n")}\n`;
}

/** What stands before the cursor in an editor, and in front of that what the program has imported and made. */
const CURSORS = [
  { about: "The kinds of force elements:", code: 'createForce(arm, { kind: "▮" });' },
  { about: "The parameters of one kind:", code: 'createForce(arm, { kind: "hinge-spring", ▮ });' },
  {
    about: "The kinds of hinges:",
    code: 'buildModel("arm").body({ name: "link", mass: 1, inertia: [1, 1, 1], hinge: { kind: "▮" } });',
  },
  { about: "Integrators and formulations:", code: 'simulate(system, system.start(), { duration: 1, integrator: "▮" });' },
  { about: "", code: 'createSystem(arm, [], { formulation: "▮" });' },
  { about: "A system, and a run that your program advances:", code: "system.▮" },
  { about: "", code: "run.▮" },
  { about: "The outputs of a compiled kernel:", code: 'compile(programs.frameKinematics(arm, ["hand"])).out.▮' },
] as const;
const PRELUDE = `import { buildModel, compile, createForce, createSystem, programs, Simulation, simulate } from "castor";
const arm = buildModel("arm").build();
const system = createSystem(arm);
const run = new Simulation(system, system.start());
`;

async function completionLists(): Promise<string> {
  const folder = workFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const options = { target: "ES2022", module: "NodeNext", strict: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }));
  const server = new LanguageServer();
  try {
    await server.open(folder);
    const parts: string[] = [];
    for (const [i, { about, code }] of CURSORS.entries()) {
      const labels = await server.completions(join(folder, `program-${i}.ts`), `${PRELUDE}${code}\n`);
      parts.push(`${about === "" ? "" : `${about}\n\n`}\`\`\`text\n${code}\n${wrapped(labels)}\`\`\`\n`);
    }
    return parts.join("\n");
  } finally {
    server.close();
  }
}

/** The words in lines of at most 120 characters, indented. */
function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= 120) lines[lines.length - 1] = `${last}  ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

it("shows the counted lengths and the completions of the language server", async () => {
  const generated = withPart(withPart(page, "lengths", lengthTable()), "completions", await completionLists());
  await expect(generated).toMatchFileSnapshot(PATH);
});

describe.each(TASKS)("%s", (task) => {
  it("is shorter in Castor than in the other programs, by lines and by characters", () => {
    const own = lengthOf(blocksOf(task, "Castor")[0]);
    for (const tool of TOOLS.slice(1)) {
      const other = lengthOf(blocksOf(task, tool)[0]);
      expect(own.lines, tool).toBeLessThan(other.lines);
      expect(own.characters, tool).toBeLessThan(other.characters);
    }
  });
});

/** Numbers that a program of Castor prints. */
const printedNumbers = (task: Task): number[] =>
  Array.from(
    blocksOf(task, "Castor")[1]!
      .replace(/Float64Array\(\d\)/, "")
      .matchAll(/-?\d+(\.\d+)?(e-?\d+)?/g),
    ([text]) => Number(text),
  );

/** The arm by Lagrange's equations: m, l, c, I of both links are equal; q2 is relative to q1; positive angles turn x towards -z. */
const [MASS, LENGTH, CENTRE, INERTIA] = [2, 1, 0.5, 0.2];
function accelerations([q1, q2, u1, u2]: readonly number[], [t1, t2]: readonly number[], gravity: number): [number, number] {
  const own = INERTIA + MASS * CENTRE ** 2;
  const coupling = MASS * LENGTH * CENTRE;
  const m22 = own;
  const m12 = own + coupling * Math.cos(q2!);
  const m11 = own + MASS * LENGTH ** 2 + own + 2 * coupling * Math.cos(q2!);
  const h = coupling * Math.sin(q2!);
  const weight = MASS * gravity;
  const r2 = t2! - h * u1! ** 2 + weight * CENTRE * Math.cos(q1! + q2!);
  const r1 = t1! + h * (2 * u1! * u2! + u2! ** 2) + weight * ((CENTRE + LENGTH) * Math.cos(q1!) + CENTRE * Math.cos(q1! + q2!));
  const determinant = m11 * m22 - m12 * m12;
  return [(m22 * r1 - m12 * r2) / determinant, (m11 * r2 - m12 * r1) / determinant];
}

/** Steps of the classical Runge-Kutta method under constant torques. */
function advance(start: readonly number[], torques: readonly number[], gravity: number, h: number, steps: number): number[] {
  const rates = (y: readonly number[]): number[] => [y[2]!, y[3]!, ...accelerations(y, torques, gravity)];
  const plus = (y: readonly number[], k: readonly number[], s: number): number[] => y.map((value, i) => value + s * k[i]!);
  let y = [...start];
  for (let n = 0; n < steps; n++) {
    const k1 = rates(y);
    const k2 = rates(plus(y, k1, h / 2));
    const k3 = rates(plus(y, k2, h / 2));
    const k4 = rates(plus(y, k3, h));
    y = y.map((value, i) => value + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
  }
  return y;
}

const REFERENCE = [0.5, -1] as const;
const pdTorques = ([q1, q2, u1, u2]: ArrayLike<number> & Iterable<number>): [number, number] => [
  100 * (REFERENCE[0] - q1!) - 20 * u1!,
  50 * (REFERENCE[1] - q2!) - 10 * u2!,
];

/** Rows of angular velocity, then of velocity. */
function handJacobian([q1, q2]: readonly [number, number]): number[] {
  const [x1, z1] = [Math.cos(q1), -Math.sin(q1)];
  const [x2, z2] = [Math.cos(q1 + q2), -Math.sin(q1 + q2)];
  return [0, 0, 1, 1, 0, 0, z1 + z2, z2, 0, 0, -x1 - x2, -x2];
}

const largestDifference = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
/** Largest difference of an angle, rad: the tolerance of the program's integrator over the whole motion. */
const ANGLE = 1e-6;

describe("the numbers that Castor prints", () => {
  it("double pendulum: Lagrange's equations in 30,000 steps", () => {
    expect(
      largestDifference(printedNumbers("Double pendulum"), advance([0.5, -1, 0, 0], [0, 0], 9.81, 1e-4, 30_000)),
    ).toBeLessThan(ANGLE);
  });

  it("PD control: Lagrange's equations with torques held for 1 ms", () => {
    let y = [0, 0, 0, 0];
    for (let k = 0; k < 300; k++) y = advance(y, pdTorques(y), 0, 1e-4, 10);
    expect(largestDifference(printedNumbers("PD control"), y)).toBeLessThan(ANGLE);
  });

  it("Jacobian: derivatives of the position by hand", () => {
    const printed = printedNumbers("Jacobian of the hand");
    expect(printed).toHaveLength(12);
    expect(largestDifference(printed, handJacobian([0.3, 0.9]))).toBeLessThan(1e-15);
  });
});

describe("the models of the MuJoCo programs", () => {
  let mujoco: Awaited<ReturnType<typeof loadMujoco>>;
  beforeAll(async () => {
    mujoco = await loadMujoco();
  });
  const loaded = (task: Task) => {
    const xml = /"""\n([\s\S]*?)"""/.exec(blocksOf(task, "MuJoCo")[0])![1]!;
    const model = mujoco.MjModel.from_xml_string(xml);
    return { model, data: new mujoco.MjData(model) };
  };

  it("double pendulum", () => {
    const { model, data } = loaded("Double pendulum");
    data.qpos.set([0.5, -1]);
    for (let k = 0; k < 6000; k++) mujoco.mj_step(model, data);
    expect(largestDifference(printedNumbers("Double pendulum"), [...data.qpos])).toBeLessThan(ANGLE);
  });

  it("PD control", () => {
    const { model, data } = loaded("PD control");
    for (let k = 0; k < 300; k++) {
      data.ctrl.set(pdTorques([...data.qpos, ...data.qvel]));
      mujoco.mj_step(model, data);
    }
    expect(largestDifference(printedNumbers("PD control"), [...data.qpos])).toBeLessThan(ANGLE);
  });

  it("Jacobian of the hand", () => {
    const { model, data } = loaded("Jacobian of the hand");
    data.qpos.set([0.3, 0.9]);
    mujoco.mj_forward(model, data);
    const [linear, angular] = [new mujoco.DoubleBuffer(6), new mujoco.DoubleBuffer(6)];
    mujoco.mj_jacSite(model, data, linear, angular, 0);
    const rows = [...angular.GetView(), ...linear.GetView()] as number[];
    expect(largestDifference(printedNumbers("Jacobian of the hand"), rows)).toBeLessThan(1e-14);
  });
});
