/** Sources of scenarios: the built-in ones (data.js next to the page), and files of the user. */
import { ModelError } from "castor";
import type { Raster } from "castor/ground";
import type { NamedText, ScenarioFiles } from "castor/scenario";
import { openedFile, type RobotOptions } from "./robot-assets.ts";

/** A folder of scenarios/: its text files, by path in the folder. */
export interface BuiltInScenario {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The text of a scenario and the files next to it. Plain data, which is also sent to the worker. */
export interface ScenarioSource {
  /** Short name, for titles and file names. */
  readonly name: string;
  /** Path of the text, as messages name it. */
  readonly path: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  readonly builtIn: boolean;
  /** Binary files of a user's source: meshes and maps. Only the page has them. */
  readonly assets?: Readonly<Record<string, ArrayBuffer>>;
  /** Paths of `assets`, for the worker, which has their contents only if the scenario reads them. */
  readonly assetPaths?: readonly string[];
  /** Options for a model that is a robot file. */
  readonly robot?: RobotOptions;
  /** Height maps read from `assets`, or the reason why a map could not be read. */
  readonly maps?: Readonly<Record<string, Raster | ModelError>>;
}

export const builtInSource = ({ name, files }: BuiltInScenario): ScenarioSource => ({
  name,
  path: `scenarios/${name}/scenario.yaml`,
  text: files["scenario.yaml"]!,
  files,
  builtIn: true,
});

/** Access to the files that a scenario may name. */
export function filesOfSource(source: ScenarioSource, library: readonly BuiltInScenario[]): ScenarioFiles {
  const folder = source.path.includes("/") ? source.path.slice(0, source.path.lastIndexOf("/") + 1) : "";
  const readBeside = (path: string): NamedText => {
    const parts = path.split("/").filter((part) => part !== "." && part !== "");
    const name = parts.join("/");
    if (Object.hasOwn(source.files, name)) return { text: source.files[name]!, source: folder + name };
    const advice = source.builtIn ? undefined : "Drop it together with the scenario";
    throw new ModelError(folder + name, [{ path: "", message: "is missing among the opened files", ...(advice && { advice }) }]);
  };
  const { assets = {}, assetPaths = Object.keys(assets) } = source;
  const readBytes = (path: string): Uint8Array => {
    const found = openedFile(path, assetPaths);
    if (found !== undefined && Object.hasOwn(assets, found)) return new Uint8Array(assets[found]!);
    throw new ModelError(folder + path, [
      { path: "", message: "is missing among the opened files", advice: "Drop it together with the scenario" },
    ]);
  };
  const models = library.filter(({ files }) => files["model.yaml"] !== undefined);
  return {
    ...(source.maps && { maps: new Map(Object.entries(source.maps)) }),
    readBeside,
    ...(!source.builtIn && {
      readBytes,
      importOptions: {
        ...source.robot,
        findMesh: (name: string) => openedFile(name, assetPaths),
        readMeshFile: (path: string) => (Object.hasOwn(assets, path) ? new Uint8Array(assets[path]!) : undefined),
        readInclude: (path: string) => readBeside(path).text,
      },
    }),
    readChosen: readBeside,
    builtIns: models.map(({ name }) => name),
    readBuiltIn: (name) => ({
      text: models.find((m) => m.name === name)!.files["model.yaml"]!,
      source: `scenarios/${name}/model.yaml`,
    }),
  };
}
