/** Finds the attack generators: the modules of test/attacks/cases with a default export. */
import { readdirSync } from "node:fs";
import type { AttackCase, CaseModule, Outcome } from "../cases/case.ts";

const FOLDER = new URL("../cases/", import.meta.url);

export interface Generator extends CaseModule {
  readonly name: string;
}

export async function loadGenerators(): Promise<readonly Generator[]> {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
  const modules = await Promise.all(
    names.map(async (name) => ({ name, module: (await importCases(name)) as Partial<CaseModule> })),
  );
  return modules.flatMap(({ name, module }) => (module.default ? [{ ...(module as CaseModule), name }] : []));
}

/** One module. */
export const importCases = (name: string): Promise<object> => import(`../cases/${name}.ts`);

/** Runs a case. What it throws is wrong: a case itself turns expected refusals into an outcome. */
export async function runCase(draw: () => AttackCase): Promise<{ readonly description: string; readonly outcome: Outcome }> {
  let description = "";
  try {
    const attack = draw();
    description = attack.description;
    return { description, outcome: await attack.run() };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    return { description, outcome: { wrong: `threw ${text.split("\n").slice(0, 3).join(" | ")}` } };
  }
}
