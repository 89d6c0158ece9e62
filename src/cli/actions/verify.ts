/** `castor verify`: runs a scenario with every formulation and compares the results. */

import { durationText, shortNumber } from "../../report/numbers.ts";
import type { ChannelDifference, Verification } from "../../scenario/verify.ts";
import { quantityOfChannel, verifyScenario } from "../../scenario/verify.ts";
import { type Action, UsageError } from "../command.ts";
import type { verifyCommand } from "../commands/verify.ts";
import { EXIT } from "../exit-codes.ts";
import { loadScenarioArgument } from "../files/scenario-argument.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { toJson } from "../text/json.ts";
import { createProgress } from "../text/progress-bar.ts";
import type { Style } from "../text/terminal.ts";
import { exponentialText, formatTable } from "../text/text-table.ts";

export const run: Action<typeof verifyCommand> = async (args, terminal) => {
  const tolerance = Number(args.tolerance);
  if (!(tolerance > 0 && tolerance < 1)) throw new UsageError(`--tolerance must be between 0 and 1, got ${args.tolerance}`);
  const { scenario, name } = await loadScenarioArgument(args.scenario, args);
  const progress = createProgress(terminal);
  const verification = await verifyScenario(scenario, {
    tolerance,
    progress: (part, formulation) => progress.show(part, formulation),
    signal: abortOnInterrupt(),
  }).finally(() => progress.done());
  if (verification.interrupted) return EXIT.interrupted;
  terminal.print(
    args.json ? toJson(verificationJson(name, verification)) : verificationText(scenario.name, verification, terminal.style),
  );
  return verification.agree ? 0 : EXIT.failure;
};

function verificationText(title: string, verification: Verification, style: Style): string {
  const { runs, notApplicable, differences, tolerance, agree } = verification;
  const worst = worstPerQuantity(differences);
  const table = formatTable(
    [
      { head: "", cells: worst.map((d) => (d.pass ? "✓" : "✗")) },
      { head: "quantity", cells: worst.map((d) => d.channel.name.split(".")[0]!) },
      { head: "largest difference", cells: worst.map((d) => exponentialText(d.difference, 2)), align: "right" },
      { head: "", cells: worst.map((d) => d.channel.unit) },
      { head: "in", cells: worst.map((d) => d.channel.name) },
      { head: "at t", cells: worst.map((d) => `${shortNumber(d.at, 4)} s`), align: "right" },
      { head: "size", cells: worst.map((d) => shortNumber(d.size, 2)), align: "right" },
    ],
    style,
  );
  const names = runs.map(({ system }) => system.formulation).join(", ");
  const largest = worst.reduce((a, b) => (b.difference / Math.max(1, b.size) > a.difference / Math.max(1, a.size) ? b : a));
  return [
    style.bold(title),
    ...runs.map(
      ({ system, run, seconds, failure }) =>
        `  ${system.formulation.padEnd(12)} ${run.counts.steps} steps to ${shortNumber(run.t)} s in ${durationText(seconds)}${failure ? `: ${style.bad(failure.message)}` : ""}`,
    ),
    ...notApplicable.map(({ formulation, reason }) => `  ${formulation.padEnd(12)} does not apply: ${reason}`),
    "",
    ...table,
    "",
    agree
      ? `${style.good("✓")} ${names} agree: largest difference ${exponentialText(largest.difference, 2)} ${largest.channel.unit}, tolerance ${exponentialText(tolerance, 1)}`
      : runs.length < 2
        ? `${style.bad("✗")} only ${names} applies to this model: there is nothing to compare it with`
        : `${style.bad("✗")} ${names} do not agree to ${exponentialText(tolerance, 1)}`,
  ].join("\n");
}

/** For each quantity, the channel with the largest difference. */
function worstPerQuantity(differences: readonly ChannelDifference[]): ChannelDifference[] {
  const worst = new Map<string, ChannelDifference>();
  for (const d of differences) {
    const quantity = quantityOfChannel(d.channel);
    const previous = worst.get(quantity);
    if (d.channel.name !== "t" && (previous === undefined || d.difference > previous.difference || Number.isNaN(d.difference)))
      worst.set(quantity, d);
  }
  return [...worst.values()];
}

function verificationJson(scenario: string, { runs, notApplicable, differences, tolerance, agree }: Verification): object {
  return {
    scenario,
    agree,
    tolerance,
    formulations: runs.map(({ system, run, seconds, failure }) => ({
      name: system.formulation,
      t: run.t,
      end: failure ? "failed" : run.end,
      ...(failure && { failure: failure.message }),
      counts: run.counts,
      seconds,
    })),
    notApplicable,
    differences: differences.map(({ channel, ...rest }) => ({ channel: channel.name, unit: channel.unit, ...rest })),
  };
}
