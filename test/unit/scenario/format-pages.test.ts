/** The tables of docs/model-format.md and docs/scenario-format.md, from the declarations of the files (vitest -u writes them). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FILE_HEADER } from "../../../src/formats/model-schema.ts";
import { STATE_FILE } from "../../../src/formats/state-file.ts";
import { RIGID_BODY } from "../../../src/model/build/body-draft.ts";
import { HINGE } from "../../../src/model/build/hinge-draft.ts";
import { LOOP_ENDS } from "../../../src/model/build/loop-frames.ts";
import { LOOP_LIST } from "../../../src/model/build/loops.ts";
import { PLACEMENT } from "../../../src/model/build/placement.ts";
import { SHAPE_LIST } from "../../../src/model/build/shapes.ts";
import { ELASTIC_BODY } from "../../../src/model/elastic/declaration.ts";
import { MODEL } from "../../../src/model/elastic/elastic-bodies.ts";
import { SECTIONS } from "../../../src/model/elastic/section.ts";
import { HINGES } from "../../../src/model/hinges/index.ts";
import { loopKinds } from "../../../src/model/loops/index.ts";
import { SCENARIO } from "../../../src/scenario/declaration.ts";
import { kindParameterTable, kindTable, pageWithTables, parameterTable } from "../../fixtures/reference-tables.ts";

/** Declarations that have a table of their own. */
const ELSEWHERE = [
  "body",
  "elastic-body",
  "placement",
  "rotation",
  "attachment",
  "elastic",
  "springs",
  "model",
  "event",
  "impulse",
  "approach",
];
const without = (declared: object, ...keys: readonly string[]): never =>
  Object.fromEntries(Object.entries(declared).filter(([key]) => !keys.includes(key))) as never;

/** The parameters of all kinds, and the key of the kind itself. */
const withKind = (noun: string, common: object): never =>
  ({ kind: { type: "reference", to: "kind", about: `Kind of ${noun}, see below.` }, ...common }) as never;

const otherLoops = Object.fromEntries(Object.entries(loopKinds()).filter(([kind]) => !Object.hasOwn(HINGES, kind)));
const attachment = without(LOOP_ENDS.from.of, ...Object.keys(PLACEMENT));

const MODEL_TABLES = {
  model: parameterTable({ ...FILE_HEADER, ...MODEL }, ELSEWHERE),
  body: parameterTable(RIGID_BODY.of, ELSEWHERE),
  placement: parameterTable(PLACEMENT),
  shape: parameterTable(without(SHAPE_LIST.of.common, ...Object.keys(PLACEMENT))),
  "shape-kinds": kindTable(SHAPE_LIST.of.kinds()),
  "shape-parameters": kindParameterTable(SHAPE_LIST.of.kinds()),
  hinge: parameterTable(withKind("hinge", without(HINGE.common, ...Object.keys(PLACEMENT))), ELSEWHERE),
  "hinge-kinds": kindTable(HINGES),
  "hinge-parameters": kindParameterTable(HINGES),
  elastic: parameterTable(ELASTIC_BODY.of.elastic.of),
  "section-kinds": kindTable(SECTIONS),
  "section-parameters": kindParameterTable(SECTIONS),
  springs: parameterTable(MODEL.springs.of.of),
  loop: parameterTable(withKind("loop", { ...LOOP_LIST.of.common, ...LOOP_ENDS }), ELSEWHERE),
  attachment: parameterTable(attachment),
  "loop-kinds": kindTable({
    "any kind of hinge that blocks a motion": {
      about: "As in the tree: M moves relative to F only in the freedoms of the hinge.",
    },
    ...otherLoops,
  }),
  "loop-parameters": kindParameterTable(otherLoops, LOOP_ENDS),
  state: parameterTable(STATE_FILE),
};

const SCENARIO_TABLES = {
  scenario: parameterTable({ ...FILE_HEADER, ...SCENARIO }, ELSEWHERE),
  approach: parameterTable(SCENARIO.approach.of),
  event: parameterTable(SCENARIO.events.of.of, ELSEWHERE),
  impulse: parameterTable(SCENARIO.events.of.of.impulse.of),
};

it.each([
  ["model-format.md", MODEL_TABLES],
  ["scenario-format.md", SCENARIO_TABLES],
])("%s has every key of the declarations", async (page, tables) => {
  await expect(pageWithTables(readFileSync(`docs/${page}`, "utf8"), tables)).toMatchFileSnapshot(`../../../docs/${page}`);
});
