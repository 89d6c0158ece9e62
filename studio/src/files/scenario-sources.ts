/** Where scenarios come from: the built-in ones, which lie beside the page (data.ts), and files that the user gives. */
import { ModelError, type NamedText, type Raster, type ScenarioFiles } from "castor";

/** A folder of scenarios/ as texts, by path in the folder. */
export interface BuiltInScenario {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What is open: the text of a scenario, and the files beside it. Plain data: the worker gets the same. */
export interface ScenarioSource {
  /** Short, for people and file names. */
  readonly name: string;
  /** How the text is called in messages. */
  readonly path: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  readonly builtIn: boolean;
  /** Files that are not text, of a source that is not built in: meshes, maps. For the page only. */
  readonly assets?: Readonly<Record<string, ArrayBuffer>>;
  /** Maps of heights, read from those, or why they could not be. */
  readonly maps?: Readonly<Record<string, Raster | ModelError>>;
}

export const builtInSource = ({ name, files }: BuiltInScenario): ScenarioSource => ({
  name,
  path: `scenarios/${name}/scenario.yaml`,
  text: files["scenario.yaml"]!,
  files,
  builtIn: true,
});

/** The files that a scenario may name. */
export function filesOfSource(source: ScenarioSource, library: readonly BuiltInScenario[]): ScenarioFiles {
  const folder = source.path.includes("/") ? source.path.slice(0, source.path.lastIndexOf("/") + 1) : "";
  const beside = (path: string): NamedText => {
    const plain = path.split("/").filter((part) => part !== "." && part !== "");
    const name = plain.join("/");
    if (Object.hasOwn(source.files, name)) return { text: source.files[name]!, source: folder + name };
    const advice = source.builtIn ? undefined : "Drop it together with the scenario";
    throw new ModelError(folder + name, [{ path: "", message: "is not among the files here", ...(advice && { advice }) }]);
  };
  const models = library.filter(({ files }) => files["model.yaml"] !== undefined);
  return {
    ...(source.maps && { maps: new Map(Object.entries(source.maps)) }),
    readBeside: beside,
    readChosen: beside,
    builtIns: models.map(({ name }) => name),
    readBuiltIn: (name) => ({
      text: models.find((m) => m.name === name)!.files["model.yaml"]!,
      source: `scenarios/${name}/model.yaml`,
    }),
  };
}
