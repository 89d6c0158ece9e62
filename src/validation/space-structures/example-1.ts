/** Example 1 of TR-942: printed angles, converged motion, balances, hinge reactions, and agreement of the formulations. */
import type { Log } from "../../log/log.ts";
import { runScenario } from "../../scenario/run.ts";
import { verifyScenario } from "../../scenario/verify.ts";
import { largestLength, valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type LoadBuiltIn, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";
import { CONVERGED, type ConvergedState, PRINTED, REACTIONS, TOTAL_ENERGY } from "./example-1-data.ts";

const SCENARIO = "satellite-manipulator";
const HINGES = ["waist", "upper-arm", "forearm", "hand"] as const;

/** The report prints single precision: one unit of the last digit is up to 1.2e-7. */
const PRINTED_TOLERANCE = 1.5e-7;
const CONVERGED_TOLERANCE = 1e-9;
const MOMENTUM_TOLERANCE = 1e-10;
const REACTION_TOLERANCE = 1e-6;
const AGREEMENT_TOLERANCE = 1e-8;

export const tr942Example1: Validation = {
  name: "tr-942-example-1",
  title: "TR-942, example 1: satellite with a four-link manipulator",
  source: "NAL TR-942 (1987), section 3.2; converged motion in quadruple precision, computed apart from this project",
  scenario: SCENARIO,
  async tables(load) {
    return [await printedAngles(load), ...(await convergedMotion(load)), await hingeReactions(load), await agreement(load)];
  },
};

async function printedAngles(load: LoadBuiltIn): Promise<ValidationTable> {
  const asInReport = [
    change("formulation", "kane"),
    change("integrator", { name: "rkg", step: 0.05 }),
    change("audit", undefined),
  ];
  const { run } = await runScenario(load(SCENARIO, asInReport));
  return {
    title: "Printed in the report, by kane with rkg at steps of 0.05 s",
    origin: "paper",
    rows: PRINTED.flatMap(({ t, theta }) =>
      theta.map(
        (expected, i): ValidationRow => ({
          quantity: `θ${i + 2} at ${t} s`,
          unit: "rad",
          expected: [expected],
          ours: valuesAt(run.log, t, [`q.${HINGES[i]!}`]),
          tolerance: PRINTED_TOLERANCE,
        }),
      ),
    ),
  };
}

async function convergedMotion(load: LoadBuiltIn): Promise<ValidationTable[]> {
  const { run } = await runScenario(load(SCENARIO, [change("formulation", "kane")]));
  const { log } = run;
  const balances: readonly (readonly [string, string, number, number, number])[] = [
    [
      "kinetic + spring + dissipated",
      "J",
      TOTAL_ENERGY,
      valueFurthestFrom(log, "energy.balance", TOTAL_ENERGY),
      CONVERGED_TOLERANCE,
    ],
    ["linear momentum", "N s", 0, largestLength(log, "momentum.linear"), MOMENTUM_TOLERANCE],
    ["angular momentum", "N m s", 0, largestLength(log, "momentum.angular"), MOMENTUM_TOLERANCE],
  ];
  return [
    {
      title: "Converged motion, by kane with dop853 at a relative tolerance of 1e-12",
      origin: "independent program",
      rows: CONVERGED.flatMap((state) => convergedRows(state, log)),
    },
    {
      title: "Balances of the same run, furthest from their value among all samples",
      origin: "conservation law",
      rows: balances.map(([quantity, unit, expected, ours, tolerance]) => ({
        quantity,
        unit,
        expected: [expected],
        ours: [ours],
        tolerance,
      })),
    },
  ];
}

function convergedRows(state: ConvergedState, log: Log): ValidationRow[] {
  const { t } = state;
  const row = (quantity: string, unit: string, expected: readonly number[], channels: readonly string[]): ValidationRow => ({
    quantity: `${quantity} at ${t} s`,
    unit,
    expected,
    ours: valuesAt(log, t, channels),
    tolerance: CONVERGED_TOLERANCE,
  });
  const ofSatellite = (which: "q" | "u", parts: readonly string[]): string[] => parts.map((p) => `${which}.satellite.${p}`);
  return [
    row(
      "hinge angles",
      "rad",
      state.theta,
      HINGES.map((h) => `q.${h}`),
    ),
    row(
      "hinge rates",
      "rad/s",
      state.thetadot,
      HINGES.map((h) => `u.${h}`),
    ),
    row("position of the satellite", "m", state.r1, ofSatellite("q", ["x", "y", "z"])),
    row("attitude of the satellite", "", state.q1, ofSatellite("q", ["qw", "qx", "qy", "qz"])),
    row("angular velocity of the satellite", "rad/s", state.w1, ofSatellite("u", ["wx", "wy", "wz"])),
    row("kinetic energy", "J", [state.kinetic], ["energy.kinetic"]),
    row("spring energy", "J", [state.spring], ["energy.potential"]),
    row("dissipated energy", "J", [state.dissipated], ["energy.dissipated"]),
  ];
}

async function hingeReactions(load: LoadBuiltIn): Promise<ValidationTable> {
  const { run } = await runScenario(load(SCENARIO, [change("formulation", "matrix"), change("duration", 2)]));
  return {
    title: "Reactions on the child at the hinge, by matrix",
    origin: "independent program",
    rows: REACTIONS.flatMap(({ t, hinge, force, torque }) =>
      [
        { what: "force", unit: "N", expected: force, part: "f" },
        { what: "torque", unit: "N m", expected: torque, part: "t" },
      ].map(({ what, unit, expected, part }) => ({
        quantity: `${what} at the ${hinge} at ${t} s`,
        unit,
        expected,
        ours: valuesAt(
          run.log,
          t,
          ["x", "y", "z"].map((axis) => `reaction.${hinge}.${part}${axis}`),
        ),
        tolerance: REACTION_TOLERANCE,
      })),
    ),
  };
}

async function agreement(load: LoadBuiltIn): Promise<ValidationTable> {
  const { differences } = await verifyScenario(load(SCENARIO));
  const quantities = ["q", "u", "energy", "reaction"];
  return {
    title: "Largest difference between articulated, kane and matrix over the 8 s",
    origin: "other method of Castor",
    rows: quantities.map((quantity) => ({
      quantity: `all channels ${quantity}.*`,
      unit: "SI",
      expected: [0],
      ours: [Math.max(...differences.filter((d) => d.channel.name.startsWith(`${quantity}.`)).map((d) => d.difference))],
      tolerance: AGREEMENT_TOLERANCE,
    })),
  };
}
