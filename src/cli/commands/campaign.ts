/** `castor campaign`: runs many cases of a scenario with dispersed settings. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

export const campaignCommand = defineCommand({
  name: "campaign",
  about: "run many cases of a scenario with dispersed settings, on all cores",
  args: {
    campaign: { type: "positional", required: true, description: "a campaign file, or the name of a built-in campaign" },
    out: { type: "string", alias: "o", valueHint: "DIR", description: "folder of the store (default: out/NAME)" },
    threads: { type: "string", valueHint: "N", description: "number of worker threads (default: all cores); 0: in this thread" },
    queue: {
      type: "string",
      valueHint: "URL",
      description: "run the cases on the workers of this queue, redis://HOST:PORT; see castor worker",
    },
    cases: { type: "string", valueHint: "N", description: "use this number of cases" },
    seed: { type: "string", valueHint: "N", description: "use this seed" },
    shard: {
      type: "string",
      valueHint: "K/N",
      description: "run only part K of N, for schedulers; join the stores with --merge",
    },
    merge: {
      type: "string",
      valueHint: "DIR",
      list: "of texts",
      description: "take over the cases of these stores, or of all stores in these folders; repeatable",
    },
    case: { type: "string", valueHint: "K", description: "run case K alone and write its log, plots and report" },
    compare: {
      type: "string",
      valueHint: "DIR",
      description: "compare case by case with this store of the same seed and design",
    },
    "dry-run": { type: "boolean", description: "write the scenario of every case, and run nothing" },
    export: { type: "string", valueHint: "FILE", description: "write the table of all cases as CSV" },
    json: { type: "boolean", description: "print the summary as JSON" },
  },
  details: [
    "The store has one row for each case: its drawn values, its measures, and its",
    "status. passed: it ran and met all criteria. failed: it ran and did not.",
    "invalid: it did not run, broke the audit, or took too long. Every finished case",
    "is kept at once: after Ctrl-C, a crash or a full disk the same command goes on",
    "where it stopped. Case K depends on the file, the seed and K only, so all ways to",
    "run it give the same rows. report.html in the store shows distributions and the",
    "inputs that matter.",
    "",
    `Exit code: 0 if the campaign has passed, ${EXIT.failure} if cases are invalid or missing, ${EXIT.usage} for a`,
    `wrong command line, ${EXIT.broken} if cases failed their criterion (or the required`,
    `probability is not reached), ${EXIT.interrupted} after Ctrl-C.`,
  ].join("\n"),
  examples: [
    { command: "castor campaign campaign-manipulator", about: "a built-in campaign; the store is out/campaign-manipulator" },
    { command: "castor campaign mine.yaml --threads 4 --export cases.csv", about: "your own, on four threads; the table as CSV" },
    {
      command: "castor campaign mine.yaml --case 17 --out case-17",
      about: "the complete run of case 17, as castor run writes it",
    },
    { command: "castor campaign mine.yaml --shard 3/40 --out shard-3", about: "the third of 40 parts, e.g. in a Slurm array" },
    { command: "castor campaign mine.yaml --merge shard-1 --merge shard-2", about: "join stores, and run what is missing" },
    { command: "castor campaign mine.yaml --queue redis://head:6379", about: "on all machines that run castor worker" },
  ],
});
