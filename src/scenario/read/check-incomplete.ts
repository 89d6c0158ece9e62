/**
 * Checks of a scenario whose model, devices, forces or controllers have problems: everything else is judged as far as possible, so that all
 * problems are reported at once. A name that may belong to a part with a problem is accepted.
 */

import type { Parameters } from "../../declare/parameters.ts";
import { type KnownNames, readParameters } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, isFields, readRecord } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import type { Problem } from "../../errors.ts";
import type { ModelOutline } from "../../model/build/read-model.ts";
import { freedomsOf } from "../../model/freedoms.ts";
import type { Hinge, Model } from "../../model/model.ts";
import { CONTROLLERS } from "../../parts/control/controllers.ts";
import { LINK_PARAMETER } from "../../parts/control/link/with-link.ts";
import { ASSUMES_PARAMETER } from "../../parts/control/with-assumed-model.ts";
import { FORCES } from "../../parts/force/forces.ts";
import { fieldsOf } from "../fields-of.ts";
import { APPROACH } from "./approach.ts";
import { resolveEvents } from "./events.ts";
import { isPartName, partKind } from "./forces-and-controllers.ts";
import type { ReadSections } from "./sections.ts";
import { readByHinge } from "./state.ts";

/** Checks the sections that need the model: state, approach, forces, controllers and events. */
export function checkWithoutModel(fields: Fields, sections: ReadSections, outline: ModelOutline, problems: Problem[]): void {
  const isOfDevice = isNameOfDevice(fields.devices);
  const isBroken = (name: string): boolean => outline.isBroken(name) || isOfDevice(name);
  const hinges = knownHinges(outline);
  const count = (which: "nq" | "nu"): number => hinges.reduce((sum, hinge) => sum + hinge[which], 0);
  const state = { q: new Float64Array(count("nq")), u: new Float64Array(count("nu")) };
  readByHinge(
    fields.state,
    state,
    new Map(outline.bodies?.map(({ hingeName, hinge }) => [hingeName, hinge])),
    isBroken,
    problems,
  );
  const names: KnownNames = {
    frames: outline.frames,
    hinges: hinges.map(({ name }) => name),
    freedoms: freedomsOf({ bodies: hinges.map((hinge) => ({ hinge })) } as unknown as Model),
    isBroken,
  };
  checkParts(fields.forces, "forces", FORCES, names, problems);
  checkParts(fields.controllers, "controllers", CONTROLLERS, names, problems, {
    assumes: ASSUMES_PARAMETER,
    link: LINK_PARAMETER,
  });
  if (fields.approach !== undefined)
    readParameters(APPROACH, fields.approach, names, problems, { path: "approach", quantity: readQuantityInUnit });
  checkWithoutParts(fields, sections, outline, problems);
}

/** Checks the events as far as they do not depend on forces. */
export function checkWithoutParts(fields: Fields, sections: ReadSections, outline: ModelOutline, problems: Problem[]): void {
  const references = {
    loops: outline.bodies && outline.loops,
    controllers: Object.keys(fieldsOf(fields.controllers)),
    frames: undefined,
    inputs: undefined,
    events: undefined,
  };
  resolveEvents(sections.events ?? {}, sections.mode, fields.events, references, problems);
}

/** The hinges that could be read, in the order of their coordinates. */
const knownHinges = ({ bodies = [] }: ModelOutline): readonly Hinge[] =>
  bodies.flatMap(({ hinge }) => (hinge === undefined ? [] : [hinge])).sort((a, b) => a.u - b.u || a.q - b.q);

/** True for names of bodies, hinges and motors that a device adds. */
function isNameOfDevice(devices: unknown): (name: string) => boolean {
  const names = Object.keys(isFields(devices) ? devices : {});
  return (name) => names.some((device) => name === device || name.startsWith(`${device}-`));
}

/** Checks the parameters of parts by name, without creating them. All kinds have the parameters `shared`. */
function checkParts(
  value: unknown,
  section: string,
  kinds: Readonly<Record<string, { readonly parameters: Parameters }>>,
  names: KnownNames,
  problems: Problem[],
  shared: Parameters = {},
): void {
  if (value === undefined) return;
  for (const [name, part] of Object.entries(readRecord(value, section, problems) ?? {})) {
    const path = childPath(section, name);
    const fields = readRecord(part, path, problems);
    if (!isPartName(name, path, problems) || fields === undefined) continue;
    const kind = partKind(fields.kind, kinds, section, path, problems);
    const { kind: _, carrying: _loop, ...parameters } = fields;
    if (kind !== undefined)
      readParameters({ ...kinds[kind]!.parameters, ...shared }, parameters, names, problems, {
        path,
        quantity: readQuantityInUnit,
      });
  }
}
