/**
 * Schema of scenario files. Editors use the JSON Schema generated from it (schema/scenario.schema.json) to check and explain files.
 * `loadScenario` does not use it: it checks every file itself and gives better messages.
 */
import { z } from "zod";
import { MAX_PARTS } from "../declare/limits.ts";
import type { Parameter, Parameters, Unit } from "../declare/parameters.ts";
import { isSiUnit, quantityPattern, unitsOf } from "../declare/units.ts";
import { FORMULATIONS } from "../dynamics/formulations.ts";
import { FORMAT_VERSION } from "../formats/document.ts";
import { modelFileSchema } from "../formats/schema/model-schema.ts";
import { CARRYING_ABOUT, CONTROLLERS } from "../parts/control/controllers.ts";
import { FORCES } from "../parts/force/forces.ts";
import { TERRAINS } from "../parts/terrain/terrain.ts";
import { INTEGRATORS } from "../sim/integrators/index.ts";
import { APPROACH } from "./read/approach.ts";
import { DEVICES } from "./read/devices.ts";
import { CONFIDENCE_LEVELS } from "./read/limits.ts";
import { TOLERANCE_ABOUT, TOLERANCE_KEYS } from "./read/read-scenario.ts";
import { RUTS } from "./read/ruts.ts";
import { ON_GROUND } from "./read/stand-on-ground.ts";
import { DEFAULT_INTEGRATOR, INTEGRATOR_ABOUT } from "./read/timing.ts";

/** A number, or text with a unit if there are units of this dimension. */
function quantity(unit: Unit): z.ZodType {
  const units = [...new Set(typeof unit === "string" ? [unit] : [unit.turn, unit.slide])];
  const texts = units.filter(isSiUnit).filter((si) => unitsOf(si).length > 0);
  if (texts.length === 0) return z.number();
  const unitNames = units.map((u) => u || "plain numbers").join(" or ");
  return z
    .union([z.number(), ...texts.map((si) => z.string().regex(new RegExp(quantityPattern(si))))])
    .describe(`In ${unitNames}; or text with a unit: ${texts.flatMap((si) => [...unitsOf(si)]).join(", ")}.`);
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

/** An object of named parts, each of one of the given kinds. */
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
  step: seconds.optional().describe(INTEGRATOR_ABOUT.step),
  relativeTolerance: z.number().positive().optional().describe(INTEGRATOR_ABOUT.relativeTolerance),
  absoluteTolerance: z.number().positive().optional().describe(INTEGRATOR_ABOUT.absoluteTolerance),
});

const channels = z.union([z.string(), z.array(z.string()).max(MAX_PARTS)]);

const plot = z
  .strictObject({
    title: z.string().min(1).max(100).describe("Title of the plot."),
    channels: channels.describe("Channels of the plot, with * for any part of a name. All must have the same unit."),
    unit: z.string().optional().describe("Unit of the axis, e.g. deg for angles. Default: the unit of the channels."),
    scale: z.enum(["linear", "log"]).optional().describe("Scale of the axis. Default: linear."),
  })
  .meta({ id: "plot", description: "A plot of channels over time." });

const limit = z
  .strictObject({
    channels: channels.describe("Limited channels, with * for any part of a name. All must have the same unit."),
    least: z
      .union([z.number(), z.string()])
      .optional()
      .describe("Smallest allowed value, in the unit of the channels or as text with a unit."),
    most: z.union([z.number(), z.string()]).optional().describe("Largest allowed value."),
    mean: seconds.optional().describe("If given, the limit applies to the mean over this time, not to each sample."),
    source: z.string().max(300).optional().describe("Source of the limit."),
    confidence: z.enum(CONFIDENCE_LEVELS).optional().describe("Confidence in the limit."),
  })
  .meta({ id: "limit", description: "Bounds of channels." });

const event = z
  .strictObject({
    at: seconds.optional().describe("Earliest time of the event; without a condition, its exact time."),
    when: nameOrNames
      .optional()
      .describe('Conditions on channels, e.g. "loop.grasp.distance < 0.01". The event happens when all of them are true.'),
    after: nameOrNames.optional().describe("Events that must happen first."),
    delay: seconds.optional().describe("Delay after the events in `after`."),
    repeat: z
      .boolean()
      .optional()
      .describe("true: the event happens every time its condition becomes true, not only the first time."),
    during: nameOrNames.optional().describe("The event can happen only in these modes."),
    release: nameOrNames.optional().describe("Loops that are released."),
    engage: nameOrNames.optional().describe("Loops that are engaged, with a plastic impact."),
    bump: nameOrNames.optional().describe("Loops that exert an impulse but are not engaged."),
    restitution: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe("Coefficient of restitution of the bump: speed after over speed before. Default: 0."),
    disable: nameOrNames.optional().describe("Controllers that are switched off; their commands become zero."),
    enable: nameOrNames.optional().describe("Controllers that are switched on; they restart."),
    set: z.record(z.string(), z.number()).optional().describe("New values of force inputs, as element.input."),
    mode: z.string().min(1).max(100).optional().describe("New mode of the run."),
  })
  .meta({ id: "event", description: "An event of the run: its trigger and its actions." });

const hingeValues = (what: string): z.ZodType =>
  z
    .record(z.string(), z.union([z.number(), z.string(), z.array(z.union([z.number(), z.string()]))]))
    .optional()
    .describe(`${what} by hinge: a number or text with a unit; a list if the hinge has several.`);

export const scenarioFileSchema = z
  .strictObject({
    $schema: z.string().optional().describe("Schema of the file, for editors."),
    castor: z.literal(FORMAT_VERSION).optional().describe("Version of the file format."),
    name: z.string().min(1).max(100).optional().describe("Title. Default: the name of the model."),
    about: z.string().max(1000).optional().describe("Description in one line."),
    model: z
      .union([z.string(), modelFileSchema.omit({ $schema: true, castor: true })])
      .describe(
        "A model file in the scenario's folder or below (.yaml, .yml, .json), the name of a built-in model, or the model itself.",
      ),
    state: z
      .strictObject({
        q: hingeValues("Initial coordinates"),
        u: hingeValues("Initial speeds"),
        [ON_GROUND]: z
          .union([z.string(), z.array(z.string())])
          .optional()
          .describe(
            "Free hinges that start on the ground. Their coordinates are relative to the ground at their x and y, with z along its normal.",
          ),
      })
      .optional()
      .describe("Initial state. A hinge that is not named is at home and at rest."),
    approach: z
      .strictObject(parameterSchemas(APPROACH))
      .optional()
      .describe("Approach of one vehicle to another: sets the initial state of the free-floating vehicle that carries the port."),
    devices: partsByNameSchema("device", DEVICES).describe(
      "Reaction wheels and control moment gyros added to the model, by name.",
    ),
    terrain: partsByNameSchema("terrain", TERRAINS).describe("Layers of the ground by name; their heights are added."),
    ruts: z
      .strictObject(parameterSchemas(RUTS))
      .optional()
      .describe("Ruts that wheels leave in the soil and that following wheels drive in. Default: none."),
    forces: partsByNameSchema("force", FORCES).describe("Force elements by name, in addition to uniform gravity."),
    controllers: partsByNameSchema("controller", CONTROLLERS, {
      carrying: z.string().optional().describe(CARRYING_ABOUT),
    }).describe("Controllers by name; they command the actuators."),
    mode: z.string().min(1).max(100).optional().describe("First mode of the run, if events have modes."),
    events: z
      .record(z.string().min(1).max(100), event)
      .optional()
      .describe("Events by name: at a time or on a condition they engage or release loops, switch controllers and set inputs."),
    formulation: z
      .enum(Object.keys(FORMULATIONS) as [string, ...string[]])
      .optional()
      .describe("Formulation of the equations of motion. Default: articulated."),
    integrator: integrator.optional().describe("Integrator of the equations of motion."),
    duration: seconds.describe("Duration of the simulated motion."),
    sample: seconds
      .optional()
      .describe("Time between recorded samples. Default: the step; with an adaptive integrator 1/500 of the duration."),
    channels: channels
      .optional()
      .describe("Recorded channels, with * for any part of a name. Default: coordinates, speeds, energy and momentum."),
    plots: z.array(plot).max(MAX_PARTS).optional().describe("Plots of the report; their channels are recorded too."),
    limits: z
      .record(z.string().min(1).max(100), limit)
      .optional()
      .describe(
        "Bounds of channels, by name. The summary and the report show the largest values and whether they are within the limits.",
      ),
    audit: z
      .strictObject(
        Object.fromEntries(
          Object.entries(TOLERANCE_KEYS).map(([key, channel]) => [
            key,
            z.number().positive().optional().describe(`${TOLERANCE_ABOUT[channel]}. The run ends if it is exceeded.`),
          ]),
        ),
      )
      .optional()
      .describe("Tolerances of the audit."),
    stop: z
      .union([z.string(), z.array(z.string()).max(MAX_PARTS)])
      .optional()
      .describe('The run ends when one of these conditions becomes true, e.g. "q.waist < 0".'),
  })
  .describe(
    "A Castor scenario: a model with initial state, forces, controllers, events and settings. Numbers are in SI units and radians.",
  );

/** JSON Schema of scenario files, as text. */
export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioFileSchema, { io: "input", target: "draft-7" });
  return `${JSON.stringify({ title: "Castor scenario", ...schema }, null, 2)}\n`;
}
