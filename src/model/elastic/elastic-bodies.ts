/** Models with elastic bodies: their sections, and how elastic bodies become links. */
import type { Parameters } from "../../declare/parameters.ts";
import { type ElasticBodies, RIGID_MODEL } from "../build/read-model.ts";
import { ELASTIC_BODY } from "./declaration.ts";
import { expandElasticBodies } from "./expand-elastic-bodies.ts";
import { SPRINGS, springsOf } from "./springs.ts";

/** Every section of a model. */
export const MODEL = {
  ...RIGID_MODEL,
  bodies: {
    ...RIGID_MODEL.bodies,
    of: {
      type: "either",
      about: "A rigid body, or an elastic one.",
      forms: "an object with keys",
      of: [ELASTIC_BODY, RIGID_MODEL.bodies.of],
    },
  },
  springs: {
    type: "items",
    noun: "set of springs",
    nouns: "springs",
    optional: true,
    setting: "never",
    about: "Springs of elastic bodies that are given as links.",
    of: SPRINGS,
  },
} as const satisfies Parameters;

export const elasticBodies: ElasticBodies = { sections: MODEL, expand: expandElasticBodies, springsOf };
