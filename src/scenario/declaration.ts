/** Every section of a scenario file. Readers, the JSON Schema, settings and the reference page derive from it. */

import { MAX_PARTS } from "../declare/limits.ts";
import type { DeclaredKind, Parameter, Parameters } from "../declare/parameters.ts";
import { FORMULATIONS } from "../dynamics/formulations.ts";
import { MODEL } from "../model/elastic/elastic-bodies.ts";
import { CARRYING_ABOUT, CONTROLLERS } from "../parts/control/controllers.ts";
import { LINK_PARAMETER } from "../parts/control/link/with-link.ts";
import { ASSUMES_PARAMETER } from "../parts/control/with-assumed-model.ts";
import { FORCES } from "../parts/force/forces.ts";
import { TERRAINS } from "../parts/terrain/terrain.ts";
import { DEFAULT_CHANNELS } from "../sim/record/recorder.ts";
import { COORDINATES } from "../sim/system/mass-centre/free-floating.ts";
import { COMPARE } from "./measured/histories.ts";
import { IDENTIFY } from "./measured/unknowns.ts";
import { APPROACH } from "./read/approach.ts";
import { AUDIT } from "./read/audit.ts";
import { PLOTS } from "./read/channels.ts";
import { DEVICES, MAX_DEVICES } from "./read/devices.ts";
import { EVENTS } from "./read/events.ts";
import { LIMITS } from "./read/limits.ts";
import { RUTS } from "./read/ruts.ts";
import { STATE } from "./read/state.ts";
import { DURATION, INTEGRATOR, SAMPLE } from "./read/timing.ts";

/** Parts by name, each of one of the kinds. */
const parts = (
  noun: string,
  nouns: string,
  about: string,
  kinds: Readonly<Record<string, DeclaredKind>>,
  common: Parameters = {},
  most = MAX_PARTS,
) =>
  ({
    type: "record",
    nouns,
    most,
    optional: true,
    about,
    of: { type: "kinds", noun, about, kinds: () => kinds, common },
  }) as const satisfies Parameter;

export const SCENARIO = {
  name: { type: "text", title: true, optional: true, about: "Title; the name of the model if not given." },
  about: { type: "text", longest: 1000, default: "", about: "Description in one line." },
  model: {
    type: "either",
    about:
      "A model file in the scenario's folder or below (.yaml, .yml, .json), the name of a built-in model, or the model itself.",
    forms: "a file name, the name of a built-in model, or the model itself",
    of: [
      { type: "text", about: "A model file, or the name of a built-in model." },
      { type: "object", id: "model", about: "The model itself.", of: MODEL },
    ],
  },
  state: STATE,
  approach: {
    type: "object",
    id: "approach",
    optional: true,
    about: "Approach of one vehicle to another: sets the initial state of the free-floating vehicle that carries the port.",
    of: APPROACH,
  },
  devices: parts(
    "device",
    "devices",
    "Reaction wheels and control moment gyros, by name; they are added to the model with their motors.",
    DEVICES,
    {},
    MAX_DEVICES,
  ),
  terrain: parts("terrain", "layers", "Layers of the ground by name; their heights are added.", TERRAINS),
  ruts: {
    type: "object",
    optional: true,
    about: "Ruts that wheels leave in the soil and that following wheels drive in; no ruts if not given.",
    of: RUTS,
  },
  forces: parts("force", "forces", "Force elements by name, in addition to uniform gravity.", FORCES),
  controllers: parts("controller", "controllers", "Controllers by name; they command the actuators.", CONTROLLERS, {
    carrying: { type: "reference", to: "loop", optional: true, about: CARRYING_ABOUT },
    assumes: ASSUMES_PARAMETER,
    link: LINK_PARAMETER,
  }),
  mode: { type: "name", optional: true, about: "First mode of the run, if events have modes." },
  events: EVENTS,
  formulation: {
    type: "choice",
    of: Object.keys(FORMULATIONS),
    refusal: "no such formulation",
    default: "articulated",
    about: "Formulation of the equations of motion; partition and minimal are for models with loops.",
  },
  coordinates: {
    type: "choice",
    of: COORDINATES,
    refusal: "no such choice of coordinates",
    default: "world",
    about:
      "Origin of positions and velocities. mass-centre, for free-flying machines: they are relative to the common mass centre of all bodies, and " +
      "its motion in the world is separate, in the channels `mass-centre.*`. No digits are lost on an orbit.",
  },
  integrator: INTEGRATOR,
  duration: DURATION,
  sample: SAMPLE,
  channels: {
    type: "texts",
    noun: "channel",
    most: MAX_PARTS,
    default: DEFAULT_CHANNELS,
    about: "Recorded channels, with * for any part of a name.",
  },
  plots: PLOTS,
  limits: LIMITS,
  compare: COMPARE,
  identify: IDENTIFY,
  audit: AUDIT,
  stop: {
    type: "texts",
    noun: "condition",
    most: MAX_PARTS,
    example: 'For example "q.waist < 0"',
    optional: true,
    about: 'The run ends when one of these conditions becomes true, e.g. "q.waist < 0".',
  },
} as const satisfies Parameters;
