/** Runs a scenario file in code, with one value changed per run, and checks the audit. */
import { readFileSync } from "node:fs";
import { openScenario, parseOverride, runScenario, type ScenarioFiles } from "castor/scenario";

// A scenario reads the files that it names through its caller, so this also works in a browser.
const read = (path: string) => ({ text: readFileSync(path, "utf8"), source: path });
const files: ScenarioFiles = { readBeside: read, readChosen: read, builtIns: [], readBuiltIn: read };

for (const damping of [0.4, 0.8, 1.6]) {
  const overrides = [parseOverride(`forces.elbow-damper.damping=${damping}`)];
  const scenario = await openScenario(readFileSync("swing.yaml", "utf8"), "swing.yaml", { files, overrides });
  const { run, failure } = await runScenario(scenario);
  if (failure) throw failure;
  const elbow = run.log.column("q.lower");
  const passed = run.audit.every(({ worst, tolerance }) => worst <= tolerance) ? "passed" : "failed";
  console.log(`damping ${damping}: largest elbow angle ${Math.max(...elbow.map(Math.abs)).toFixed(4)} rad, audit ${passed}`);
}

/* prints
damping 0.4: largest elbow angle 1.4902 rad, audit passed
damping 0.8: largest elbow angle 1.0562 rad, audit passed
damping 1.6: largest elbow angle 0.6207 rad, audit passed
*/
