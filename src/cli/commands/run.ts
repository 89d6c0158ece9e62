/** `castor run`: simulates a scenario and writes log, plots and report. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { FORMULATION_OPTION, ROBOT_OPTIONS, SCENARIO_ARGUMENT, SCENARIO_CHANGES } from "../options.ts";

export const runCommand = defineCommand({
  name: "run",
  about: "simulate a scenario and write log, plots and report",
  args: {
    scenario: { ...SCENARIO_ARGUMENT, required: false },
    ...SCENARIO_CHANGES,
    formulation: FORMULATION_OPTION,
    ...ROBOT_OPTIONS,
    until: { type: "string", valueHint: "TIME", description: "pause after the first step that reaches this time" },
    save: { type: "string", valueHint: "FILE", description: "save the end of the run, to continue it with --from" },
    from: { type: "string", valueHint: "FILE", description: "continue a saved run, instead of naming a scenario" },
    out: { type: "string", alias: "o", valueHint: "DIR", description: "output folder (default: out/NAME)" },
    open: { type: "boolean", description: "open the run in the studio when it is finished" },
    png: { type: "boolean", description: "also draw the plots and pictures as PNG" },
    strict: { type: "boolean", description: `exit with code ${EXIT.broken} if a limit of the scenario is broken` },
    json: { type: "boolean", description: "print the summary as JSON" },
  },
  details: [
    "Writes log.csv, log.json, report.html, each plot as SVG, with --png as PNG, and",
    "scenario.yaml, which reproduces the run. The folder appears complete or not at",
    "all. Ctrl-C ends the run and writes what was simulated until then.",
    "",
    "--set changes any value of the scenario file. The value is YAML: a number, text",
    "with a unit, [1, 2, 3]. List items are addressed by name or number:",
    "model.bodies.hand.mass=35.",
    "",
    "--save writes one file with the scenario, the model and everything that the run",
    "keeps. --from continues it bit for bit. With --set it branches: values change,",
    "and the bodies and parts stay. The new log starts at the saved time.",
    "",
    `Exit code: 0 if the run is complete, ${EXIT.failure} if the input has problems or the audit`,
    `fails, ${EXIT.usage} for a wrong command line, ${EXIT.broken} with --strict if it ran but a limit was`,
    `broken, ${EXIT.interrupted} after Ctrl-C.`,
  ].join("\n"),
  examples: [
    {
      command: "castor run satellite-manipulator",
      about: "the built-in satellite with an arm; output in out/satellite-manipulator",
    },
    {
      command: "castor run satellite-manipulator --integrator rkg --set integrator.step=0.05",
      about: "with the integrator and step of the report of 1987",
    },
    { command: "castor run arm-model.yaml", about: "a model without a scenario: 10 s from home, at rest, under gravity" },
    { command: "castor run robot.urdf --base free", about: "a robot file, with its base free" },
    {
      command: "castor run arm.yaml --set forces.spring.stiffness=12 --duration '2 min' --out stiff",
      about: "your own scenario",
    },
    {
      command: "castor run docking-soft-capture --until 2 --save contact.json",
      about: "simulate 2 s and save the run there",
    },
    {
      command: "castor run --from contact.json --set forces.legs.damping=500 --out soft",
      about: "continue it with other legs; without --set exactly as without the pause",
    },
  ],
});
