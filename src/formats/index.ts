/** Files of models, states, logs, maps and meshes, and the units that they use. */

export type { SiUnit } from "../declare/units.ts";
export { factorTo, isSiUnit, UNITS, unitsOf } from "../declare/units.ts";
export { exportModel } from "./export/export-model.ts";
export type { ExportedRobot, MissingFeature, WrittenRobot } from "./export/exported-robot.ts";
export { type FileKind, kindOfFile } from "./file-kind.ts";
export { csvLog, parseCsvLog } from "./log/log-csv.ts";
export { jsonLog, parseJsonLog } from "./log/log-json.ts";
export { readMap } from "./map-file.ts";
export type { MapFiles } from "./map-frame.ts";
export { readMesh } from "./mesh/mesh-file.ts";
export { type MeshMassProperties, meshMassProperties } from "./mesh/mesh-mass.ts";
export type { TriangleMesh } from "./mesh/triangle-mesh.ts";
export { formatModel, parseModel } from "./model-file.ts";
export type { ModelFormat } from "./model-format.ts";
export { registerFormat } from "./model-formats.ts";
export { decodePlainData, encodePlainData } from "./plain-data-json.ts";
export { importModel } from "./robot/import-model.ts";
export type { ImportedModel, ImportOptions, NamedState, UnsupportedFeature } from "./robot/imported-model.ts";
export { type InitialState, parseState } from "./state-file.ts";
