/** Example 2 of TR-942: the printed values, the true motion beyond two singular configurations, energy, and the forces in all hinges. */
import { runScenario, type ScenarioRun } from "../../scenario/run.ts";
import { verifyScenario } from "../../scenario/verify.ts";
import { inWorkspace } from "../../sim/system/system.ts";
import { valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationTable } from "../validation.ts";
import { BEYOND, HINGE_REACTIONS, PIN_FORCES, PRINTED, TOTAL_ENERGY } from "./example-2-data.ts";

const SCENARIO = "satellite-pantograph";
const NAMES = ["θ2", "θ3", "θ5", "θ3'", "θ5'"] as const;
const CHANNELS = ["q.bar2.rz", "q.bar3.rz", "q.bar5", "u.bar3.rz", "u.bar5"] as const;

/** The report prints single precision. */
const PRINTED_TOLERANCE = 2e-7;
const BEYOND_TOLERANCE = 1e-6;
/** Tolerance of θ2 + θ3, which is as large as the angles on the other branch. */
const BRANCH_TOLERANCE = 1e-5;
const ENERGY_TOLERANCE = 1e-9;
const REACTION_TOLERANCE = 1e-6;
const AGREEMENT_TOLERANCE = 1e-8;

export const tr942Example2: Validation = {
  name: "tr-942-example-2",
  title: "TR-942, example 2: satellite with a pantograph, through singular configurations",
  source: "NAL TR-942 (1987), section 3.3; converged motion in quadruple precision, computed apart from this project",
  scenario: SCENARIO,
  async tables(load) {
    return [...(await printedValues(load)), ...(await convergedMotion(load)), await agreement(load)];
  },
};

async function printedValues(load: LoadBuiltIn): Promise<ValidationTable[]> {
  const { log } = (await runScenario(load(SCENARIO))).run;
  return [
    {
      title: "Printed in the report, rkg at steps of 0.025 s",
      origin: "paper",
      rows: PRINTED.flatMap(({ t, values }) =>
        values.map((expected, i) => ({
          quantity: `${NAMES[i]!} at ${t} s`,
          unit: i < 3 ? "rad" : "rad/s",
          expected: [expected],
          ours: valuesAt(log, t, [CHANNELS[i]!]),
          tolerance: PRINTED_TOLERANCE,
        })),
      ),
    },
    {
      title: "Converged truth beyond the singular configurations, the same run",
      origin: "independent program",
      rows: BEYOND.flatMap(({ t, theta3 }) => {
        const [second, third] = valuesAt(log, t, ["q.bar2.rz", "q.bar3.rz"]);
        return [
          { quantity: `θ3 at ${t} s`, unit: "rad", expected: [theta3], ours: [third!], tolerance: BEYOND_TOLERANCE },
          { quantity: `θ2 + θ3 at ${t} s`, unit: "rad", expected: [0], ours: [second! + third!], tolerance: BRANCH_TOLERANCE },
        ];
      }),
    },
  ];
}

async function convergedMotion(load: LoadBuiltIn): Promise<ValidationTable[]> {
  const tight = change("integrator", { name: "dop853", relativeTolerance: 1e-12, absoluteTolerance: 1e-13 });
  const channels = change("channels", ["q.*", "u.*", "energy.*", "momentum.*", "frame.tip.*", "reaction.*"]);
  const result = await runScenario(load(SCENARIO, [tight, channels, change("duration", 8)]));
  const early = await runScenario(load(SCENARIO, [tight, channels, change("duration", 2)]));
  const { log } = result.run;
  return [
    {
      title: "Energy until 8 s, by dop853 at a relative tolerance of 1e-12, furthest from its value among all samples",
      origin: "conservation law",
      rows: [
        {
          quantity: "kinetic + spring + dissipated",
          unit: "J",
          expected: [TOTAL_ENERGY],
          ours: [valueFurthestFrom(log, "energy.balance", TOTAL_ENERGY)],
          tolerance: ENERGY_TOLERANCE,
        },
      ],
    },
    {
      title: "Force (x, y) and torque (z) on the child at the hinges of the tree, inertial axes, the same run",
      origin: "independent program",
      rows: HINGE_REACTIONS.map(({ t, hinge, force, torque }) => ({
        quantity: `at ${hinge} at ${t} s`,
        unit: "N, N m",
        expected: [...force, torque],
        ours: valuesAt(
          log,
          t,
          ["fx", "fy", "tz"].map((part) => `reaction.${hinge}.${part}`),
        ),
        tolerance: REACTION_TOLERANCE,
      })),
    },
    {
      title: "Force (x, y) in the pins that close the loops, inertial axes, from the multipliers",
      origin: "independent program",
      rows: PIN_FORCES.map(({ t, pin, force }) => ({
        quantity: `at ${pin} at ${t} s`,
        unit: "N",
        expected: force,
        ours: pinForce(early, t, pin),
        tolerance: REACTION_TOLERANCE,
      })),
    },
  ];
}

async function agreement(load: LoadBuiltIn): Promise<ValidationTable> {
  const { differences, runs } = await verifyScenario(load(SCENARIO, [change("duration", 8)]));
  return {
    title: `Largest difference between ${runs.map(({ system }) => system.formulation).join(", ")} until 8 s`,
    origin: "other method of Castor",
    rows: ["q", "u", "energy"].map((quantity) => ({
      quantity: `all channels ${quantity}.*`,
      unit: "SI",
      expected: [0],
      ours: [Math.max(...differences.filter((d) => d.channel.name.startsWith(`${quantity}.`)).map((d) => d.difference))],
      tolerance: AGREEMENT_TOLERANCE,
    })),
  };
}

/** Pin force in inertial axes at the start or end of a run. The two multipliers of the pin are components along x and y of its first bar. */
function pinForce({ system, start, run }: ScenarioRun, t: number, pin: string): number[] {
  const state = t === 0 ? start : run.state;
  const { y } = state;
  const { nq, nu } = system.layout;
  const [q, u] = [y.slice(0, nq), y.slice(nq, nq + nu)];
  const [x, along] = inWorkspace(system, state, (workspace) => {
    const { tau, wrenches } = workspace.observe(t, y);
    const closed = workspace.closed!;
    const lambda = new Float64Array(closed.rows);
    closed.accelerations(t, q, u, tau, wrenches, new Float64Array(nu), lambda);
    return closed.labels.flatMap(({ loop }, row) => (loop === pin ? [lambda[row]!] : []));
  });
  const ofSatellite = 2 * Math.atan2(q[3]!, q[0]!);
  const [, , , , , , , , bar2, , , bar5] = q;
  const angle = ofSatellite + bar2! + (pin === "h7" ? bar5! : 0);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x! - s * along!, s * x! + c * along!];
}
