/** `castor list`: everything that a scenario can name, or the entries that match a word. */

import { matchesSearch } from "../../declare/search-words.ts";
import type { FORMULATIONS } from "../../dynamics/formulations.ts";
import { readDocument } from "../../formats/document.ts";
import { readText } from "../../formats/node-files.ts";
import { HINGES } from "../../model/hinges/index.ts";
import { CONTROLLERS } from "../../parts/control/controllers.ts";
import { FORCES } from "../../parts/force/forces.ts";
import { DEVICES } from "../../scenario/read/devices.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { type Action, CommandError } from "../command.ts";
import type { listCommand } from "../commands/list.ts";
import { builtInNames, packagePath } from "../files/package-files.ts";
import { definitionList } from "../help.ts";
import { toJson } from "../text/json.ts";
import { wrapText } from "../text/wrap-text.ts";

/** Entries of the list: name and description. */
type Things = Readonly<Record<string, string>>;

export const run: Action<typeof listCommand> = (args, terminal) => {
  const all = matching(everything(), args.word ?? "");
  if (Object.keys(all).length === 0)
    throw new CommandError(`nothing matches ${JSON.stringify(args.word)}. Run castor list to see all entries`);
  if (args.json) terminal.print(toJson(all));
  else
    terminal.print(
      Object.entries(all)
        .map(([title, things]) => `${terminal.style.bold(title)}\n${definitionList(entriesWithin(things, terminal.width))}`)
        .join("\n\n"),
    );
  return 0;
};

const everything = (): Readonly<Record<string, Things>> => ({
  scenarios: builtIns("scenario.yaml"),
  campaigns: builtIns("campaign.yaml"),
  formulations: FORMULATION_ABOUT,
  integrators: abouts(INTEGRATORS),
  forces: abouts(FORCES),
  controllers: abouts(CONTROLLERS),
  devices: abouts(DEVICES),
  hinges: abouts(HINGES),
});

/** The sections and entries that match a word. Sections that match by their own title come first, then those with a name that matches. */
function matching(all: Readonly<Record<string, Things>>, word: string): Readonly<Record<string, Things>> {
  const sections = Object.entries(all)
    .map(([section, things]): [string, Things] => [
      section,
      Object.fromEntries(Object.entries(things).filter(([name, about]) => matchesSearch(`${name} ${about} ${section}`, word))),
    ])
    .filter(([, things]) => Object.keys(things).length > 0);
  const rank = ([section, things]: readonly [string, Things]): number =>
    matchesSearch(section, word) ? 0 : Object.keys(things).some((name) => matchesSearch(name, word)) ? 1 : 2;
  return Object.fromEntries(sections.sort((a, b) => rank(a) - rank(b)));
}

const abouts = (kinds: Readonly<Record<string, { readonly about: string }>>): Things =>
  Object.fromEntries(Object.entries(kinds).map(([name, { about }]) => [name, about]));

/** One line for each formulation. The README describes them in full. */
const FORMULATION_ABOUT: Readonly<Record<keyof typeof FORMULATIONS, string>> = {
  articulated: "articulated-body recursion, cost linear in the number of hinges",
  kane: "Kane's method of TR-942 in minimal coordinates",
  matrix: "the matrix method of TR-942: every body by itself, one augmented system",
  partition: "loops solved one after the other, equations of the true freedoms only",
  minimal: "partition, and only the true freedoms are integrated: the others follow from them in closed form or by Newton",
};

/** The line `about` of each scenario, without checking the rest of it. */
/** Built-in scenarios or campaigns, by the names of their folders. */
function builtIns(file: "scenario.yaml" | "campaign.yaml"): Things {
  return Object.fromEntries(
    builtInNames(file).map((name) => {
      const path = packagePath(`scenarios/${name}/${file}`);
      const data = readDocument(readText(path), path).data as Readonly<Record<string, unknown>>;
      return [name, String(data.about ?? "")];
    }),
  );
}

const GAP = 4;

/** The first sentence of each, in as many lines as it takes. */
function entriesWithin(things: Things, width: number): [string, string][] {
  const column = Math.max(...Object.keys(things).map((name) => name.length)) + GAP;
  return Object.entries(things).map(([name, about]) => {
    const first = /^.*?\.(?= |$)/s.exec(about)?.[0].replace(/\.$/, "") ?? about;
    return [name, wrapText(first, width, " ".repeat(column)).join("\n").trimStart()];
  });
}
