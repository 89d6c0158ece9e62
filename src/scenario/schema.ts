/**
 * The shape of a scenario file as a schema. Editors check and explain files with the JSON Schema made of it
 * (schema/scenario.schema.json). `loadScenario` does not need it: it checks every file itself, with better words.
 */
import { z } from "zod";
import { MAX_PARTS } from "../declare/limits.ts";
import type { Parameter, Parameters, Unit } from "../declare/parameters.ts";
import { isSiUnit, quantityPattern, unitsOf } from "../declare/units.ts";
import { FORMULATIONS } from "../dynamics/formulations.ts";
import { FORMAT_VERSION } from "../formats/document.ts";
import { modelFileSchema } from "../formats/schema/model-schema.ts";
import { CARRYING_ABOUT, CONTROLLERS } from "../parts/control/index.ts";
import { FORCES } from "../parts/force/index.ts";
import { TERRAINS } from "../parts/terrain/terrain.ts";
import { INTEGRATORS } from "../sim/integrators/index.ts";
import { APPROACH } from "./read/approach.ts";
import { DEVICES } from "./read/devices.ts";
import { CONFIDENCE_LEVELS } from "./read/limits.ts";
import { TOLERANCE_ABOUT, TOLERANCE_KEYS } from "./read/read-scenario.ts";
import { RUTS } from "./read/ruts.ts";
import { ON_GROUND } from "./read/stand-on-ground.ts";
import { DEFAULT_INTEGRATOR } from "./read/timing.ts";

/** A number, or text with a unit where the unit has any. */
function quantity(unit: Unit): z.ZodType {
  const units = [...new Set(typeof unit === "string" ? [unit] : [unit.turn, unit.slide])];
  const texts = units.filter(isSiUnit).filter((si) => unitsOf(si).length > 0);
  if (texts.length === 0) return z.number();
  const described = units.map((u) => u || "plain numbers").join(" or ");
  return z
    .union([z.number(), ...texts.map((si) => z.string().regex(new RegExp(quantityPattern(si))))])
    .describe(`In ${described}; or text with a unit: ${texts.flatMap((si) => [...unitsOf(si)]).join(", ")}.`);
}

const seconds = quantity("s");
const pairSchema = (x: Unit, y: Unit): z.ZodType => z.tuple([quantity(x), quantity(y)]);
const nameOrNames = z.union([z.string(), z.array(z.string()).min(1)]);

function parameterSchema(p: Parameter): z.ZodType {
  switch (p.type) {
    case "number":
      return quantity(p.unit);
    case "numbers":
      return z.union([quantity(p.unit), z.array(quantity(p.unit))]);
    case "vector":
      return z.array(quantity(p.unit)).length(3);
    case "direction":
      return z.union([z.enum(["x", "y", "z"]), z.array(z.number()).length(3)]);
    case "choice":
      return z.enum(p.of as [string, ...string[]]);
    case "choices": {
      const each = z.enum(p.of as [string, ...string[]]);
      return z.union([each, z.array(each).min(1)]);
    }
    case "boolean":
      return z.boolean();
    case "name":
    case "file":
    case "frame":
    case "freedom":
      return z.string();
    case "freedoms":
      return nameOrNames;
    case "table":
      return z.array(pairSchema(p.units.x, p.units.y)).min(p.rows);
    case "trajectory":
      return z.union([quantity(p.unit), z.array(pairSchema("s", p.unit)).min(1)]);
    case "list":
      return z.array(z.strictObject(parameterSchemas(p.of)));
  }
}

const parameterSchemas = (declared: Parameters): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(declared).map(([key, p]) => {
      const inner = parameterSchema(p);
      const text = p.default === undefined ? p.about : `${p.about} Default: ${JSON.stringify(p.default)}.`;
      return [key, (p.optional || p.default !== undefined ? inner.optional() : inner).describe(text)];
    }),
  );

interface DeclaredKind {
  readonly about: string;
  readonly parameters: Parameters;
}

/** Parts by name, each of one of the kinds. */
function partsByNameSchema(
  what: string,
  kinds: Readonly<Record<string, DeclaredKind>>,
  common: Record<string, z.ZodType> = {},
): z.ZodType {
  const each = Object.entries(kinds).map(([name, { about, parameters }]) =>
    z
      .strictObject({ kind: z.literal(name).describe(about), ...parameterSchemas(parameters), ...common })
      .meta({ id: `${name}-${what}`, description: about }),
  );
  return z.record(z.string().min(1).max(100), z.union(each)).optional();
}

const integrator = z.strictObject({
  name: z
    .enum(Object.keys(INTEGRATORS) as [string, ...string[]])
    .optional()
    .describe(
      `${Object.values(INTEGRATORS)
        .map((i) => `${i.name}: ${i.about}`)
        .join(". ")}. Default: ${DEFAULT_INTEGRATOR}.`,
    ),
  step: seconds.optional().describe("The step of a fixed-step integrator; the largest step of an adaptive one."),
  relativeTolerance: z.number().positive().optional().describe("Error allowed in a step, relative to the state; adaptive only."),
  absoluteTolerance: z.number().positive().optional().describe("Error allowed in a step whatever the state; adaptive only."),
});

const channels = z.union([z.string(), z.array(z.string()).max(MAX_PARTS)]);

const plot = z
  .strictObject({
    title: z.string().min(1).max(100).describe("Title of the plot."),
    channels: channels.describe("What it shows, with * for any part of a name; all in one unit."),
    unit: z.string().optional().describe("Unit of its axis, e.g. deg for angles; that of the channels if not given."),
    scale: z.enum(["linear", "log"]).optional().describe("Kind of its axis; linear if not given."),
  })
  .meta({ id: "plot", description: "Some channels against time." });

const limit = z
  .strictObject({
    channels: channels.describe("What is limited, with * for any part of a name; all in one unit."),
    least: z
      .union([z.number(), z.string()])
      .optional()
      .describe("Smallest value, in the unit of the channels or as text with a unit."),
    most: z.union([z.number(), z.string()]).optional().describe("Largest value."),
    mean: seconds.optional().describe("Limits the mean over so long, not each sample."),
    source: z.string().max(300).optional().describe("Where the limit comes from."),
    confidence: z.enum(CONFIDENCE_LEVELS).optional().describe("How sure it is."),
  })
  .meta({ id: "limit", description: "What channels should stay within." });

const event = z
  .strictObject({
    at: seconds.optional().describe("Not before this time; exactly then if there is no condition."),
    when: nameOrNames
      .optional()
      .describe(
        'Conditions over channels, which must all be true, e.g. "loop.grasp.distance < 0.01"; it happens when the last comes true.',
      ),
    after: nameOrNames.optional().describe("Events that must have happened before."),
    delay: seconds.optional().describe("Seconds after those."),
    repeat: z.boolean().optional().describe("Whenever the condition comes true, not only the first time."),
    during: nameOrNames.optional().describe("Only while the run is in one of these modes."),
    release: nameOrNames.optional().describe("Loops that let go."),
    engage: nameOrNames.optional().describe("Loops that take hold, with a plastic impact."),
    bump: nameOrNames.optional().describe("Loops that give an impulse and do not take hold."),
    restitution: z.number().min(0).max(1).optional().describe("Of the bump: speed after it over speed before; 0 if not given."),
    disable: nameOrNames.optional().describe("Controllers that are switched off: their commands become zero."),
    enable: nameOrNames.optional().describe("Controllers that are switched on, and begin anew."),
    set: z
      .record(z.string(), z.number())
      .optional()
      .describe("Inputs of forces, as element.input, and their values from then on."),
    mode: z.string().min(1).max(100).optional().describe("The mode that the run is in from then on."),
  })
  .meta({ id: "event", description: "When something happens in a run, and what is then done." });

const hingeValues = (what: string): z.ZodType =>
  z
    .record(z.string(), z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]))
    .optional()
    .describe(`${what} by hinge: a number or text with a unit, a list where the hinge has several.`);

export const scenarioFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe("For editors."),
    castor: z.literal(FORMAT_VERSION).optional().describe("Version of the format."),
    name: z.string().min(1).max(100).optional().describe("Title; that of the model if not given."),
    about: z.string().max(1000).optional().describe("One line: what there is to see."),
    model: z
      .union([z.string(), modelFileSchema.omit({ $schema: true, castor: true })])
      .describe(
        "A model file in the scenario's folder or below (.yaml, .yml, .json), a built-in model by name, or a model itself.",
      ),
    state: z
      .strictObject({
        q: hingeValues("Coordinates at the start"),
        u: hingeValues("Speeds at the start"),
        [ON_GROUND]: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .describe(
            "Free hinges that begin on the ground: their coordinates are counted from it at their x and y, z along its normal.",
          ),
      })
      .optional()
      .describe("Where the motion begins; a hinge that is not named is at home and at rest."),
    approach: z
      .strictObject(parameterSchemas(APPROACH))
      .optional()
      .describe("How one vehicle comes to another: places the first body of the port's vehicle, which floats."),
    devices: partsByNameSchema("device", DEVICES).describe("Wheels and gyros that are added to the model, by name."),
    terrain: partsByNameSchema("terrain", TERRAINS).describe("The ground: layers by name, whose heights add up."),
    ruts: z
      .strictObject(parameterSchemas(RUTS))
      .optional()
      .describe("Wheels on soil leave tracks, which later wheels feel; none if not given."),
    forces: partsByNameSchema("force", FORCES).describe("What acts on the bodies besides uniform gravity, by name."),
    controllers: partsByNameSchema("controller", CONTROLLERS, {
      carrying: z.string().optional().describe(CARRYING_ABOUT),
    }).describe("What commands the actuators, by name."),
    mode: z.string().min(1).max(100).optional().describe("The mode that the run begins in, where events have modes."),
    events: z
      .record(z.string().min(1).max(100), event)
      .optional()
      .describe(
        "What happens at times and conditions, by name: loops take hold and let go, controllers and inputs are switched.",
      ),
    formulation: z
      .enum(Object.keys(FORMULATIONS) as [string, ...string[]])
      .optional()
      .describe("How the equations of motion are formed; articulated if not given."),
    integrator: integrator.optional().describe("How they are integrated."),
    duration: seconds.describe("How long."),
    sample: seconds
      .optional()
      .describe("Time between recorded samples; the step, or a 500th of the duration of an adaptive integrator."),
    channels: channels
      .optional()
      .describe("What is recorded, with * for any part of a name; coordinates, speeds, energy and momentum if not given."),
    plots: z.array(plot).max(MAX_PARTS).optional().describe("What the report draws; their channels are recorded too."),
    limits: z
      .record(z.string().min(1).max(100), limit)
      .optional()
      .describe(
        "What channels should stay within, by name. The summary and the report say how near they came, and where they went beyond.",
      ),
    audit: z
      .strictObject(
        Object.fromEntries(
          Object.entries(TOLERANCE_KEYS).map(([key, channel]) => [
            key,
            z.number().positive().optional().describe(`${TOLERANCE_ABOUT[channel]}; beyond it the run ends.`),
          ]),
        ),
      )
      .optional()
      .describe("What the audit tolerates."),
    stop: z
      .union([z.string(), z.array(z.string()).max(MAX_PARTS)])
      .optional()
      .describe('The run ends when one of these comes true: comparisons over channels, e.g. "q.waist < 0".'),
  })
  .describe("A Castor scenario: a model and everything that is chosen about its motion. Numbers are in SI units and radians.");

/** The JSON Schema of scenario files, as text. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioFileSchema, { io: "input", target: "draft-7" });
  return `${JSON.stringify({ title: "Castor scenario", ...schema }, null, 2)}\n`;
}
