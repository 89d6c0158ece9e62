/** Every section of a campaign file. Readers, the JSON Schema and the reference page derive from it. */
import { MAX_PARTS } from "../declare/limits.ts";
import type { Parameters } from "../declare/parameters.ts";
import { DESIGNS } from "./designs/index.ts";
import { CORRELATIONS } from "./dispersions/correlation.ts";
import { DISPERSIONS } from "./dispersions/index.ts";
import { MEASURES } from "./measures/index.ts";

export const MAX_CHUNK = 100_000;
const CONFIDENCE = { type: "number", unit: "", above: 0, most: 0.999999, default: 0.95 } as const;

/** Keys of every dispersion. */
export const DISPERSION_COMMON = {
  path: {
    type: "texts",
    noun: "path",
    most: MAX_PARTS,
    about:
      "The dispersed setting, as in --set, or a list: components of a vector for ball, otherwise settings that share the drawn number.",
  },
} as const satisfies Parameters;

export const CAMPAIGN = {
  name: { type: "text", title: true, optional: true, about: "Title; the name of the scenario if not given." },
  about: { type: "text", longest: 1000, default: "", about: "Description in one line." },
  scenario: {
    type: "text",
    longest: 1000,
    about: "The scenario of all cases: a file in the folder of the campaign or below, or the name of a built-in scenario.",
  },
  set: {
    type: "texts",
    noun: "change",
    most: MAX_PARTS,
    default: [],
    example: "For example duration=15",
    about: "Changes of the scenario for all cases, as in --set: PATH=VALUE.",
  },
  seed: { type: "number", unit: "", whole: true, least: 0, most: 4294967295, default: 1, about: "Seed of all random numbers." },
  design: {
    type: "kinds",
    noun: "design",
    about: "Which cases are run.",
    kinds: () => DESIGNS,
    common: {},
  },
  dispersions: {
    type: "record",
    nouns: "dispersions",
    most: MAX_PARTS,
    named: true,
    optional: true,
    about: "Settings that differ from case to case, by name.",
    of: { type: "kinds", noun: "dispersion", about: "A dispersed setting.", kinds: () => DISPERSIONS, common: DISPERSION_COMMON },
  },
  correlations: CORRELATIONS,
  measures: {
    type: "record",
    nouns: "measures",
    most: MAX_PARTS,
    named: true,
    about: "Numbers of each case that are stored, by name.",
    of: { type: "kinds", noun: "measure", about: "One number of a case.", kinds: () => MEASURES, common: {} },
  },
  histories: {
    type: "object",
    optional: true,
    about: "Courses over time that are stored of each case and shown as envelopes over all cases.",
    of: {
      samples: {
        type: "number",
        unit: "",
        whole: true,
        least: 2,
        most: 1000,
        default: 61,
        about: "Number of times from the start to the duration of the scenario.",
      },
      of: {
        type: "record",
        nouns: "histories",
        most: MAX_PARTS,
        named: true,
        about: "Expressions of channels by name.",
        of: { type: "text", longest: 500, about: "An expression of channels." },
      },
    },
  },
  success: {
    type: "texts",
    noun: "condition",
    most: MAX_PARTS,
    default: [],
    example: 'For example "peak < 3900"',
    about:
      "A case has passed if all of these conditions on measures and inputs are true. A condition with a measure that has no value is false.",
  },
  require: {
    type: "object",
    optional: true,
    about: "Requirement on the whole campaign. Without it every case must pass.",
    of: {
      probability: { type: "number", unit: "", above: 0, most: 1, about: "Smallest fraction of valid cases that must pass." },
      proven: {
        type: "boolean",
        default: false,
        about: "True if the lower end of the 95 % Wilson interval must reach it, and not only the fraction itself.",
      },
    },
  },
  stop: {
    type: "object",
    optional: true,
    about:
      "Stopping rule: the campaign ends after the first batch at which the interval of the probability of success is narrow enough.",
    of: {
      width: { type: "number", unit: "", above: 0, most: 1, about: "Width of the Wilson interval, e.g. 0.01." },
      confidence: { ...CONFIDENCE, about: "Confidence of the interval." },
      batch: {
        type: "number",
        unit: "",
        whole: true,
        least: 1,
        most: MAX_CHUNK,
        default: 100,
        about: "Number of cases between two checks of the rule.",
      },
    },
  },
  keep: {
    type: "object",
    optional: true,
    about: "Cases whose complete run is written to the store: log, plots, report and scenario.",
    of: {
      logs: {
        type: "choices",
        of: ["failed", "invalid", "extremes"],
        set: true,
        default: [],
        about: "failed and invalid cases; extremes: the cases with the largest and the smallest value of each measure.",
      },
      cases: { type: "series", unit: "", least: 0, default: [], about: "Numbers of cases." },
      most: {
        type: "number",
        unit: "",
        whole: true,
        least: 1,
        most: 10_000,
        default: 20,
        about: "Largest number of runs that are written.",
      },
    },
  },
  limit: {
    type: "number",
    unit: "s",
    above: 0,
    default: 600,
    about: "Wall time that one case may take; a case that takes longer is invalid.",
  },
  chunk: {
    type: "number",
    unit: "",
    whole: true,
    least: 1,
    most: MAX_CHUNK,
    default: 16,
    about: "Number of cases that a thread or worker gets at a time; choose 1 to 5 s of work.",
  },
} as const satisfies Parameters;
