import { embeddedStepper } from "./explicit/embedded.ts";
import { type EmbeddedMethod, tableauRow } from "./explicit/tableau.ts";
import type { Integrator } from "./integrator.ts";

/** Dormand and Prince 5(4) [HNW I, II.5, table 5.2], with the output of order 4 of [HNW I, II.6 (6.12)] as Shampine and Hairer give it. */
export const DOPRI5_METHOD: EmbeddedMethod = {
  name: "dopri5",
  times: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1],
  stages: [
    tableauRow({ 1: 1 / 5 }),
    tableauRow({ 1: 3 / 40, 2: 9 / 40 }),
    tableauRow({ 1: 44 / 45, 2: -56 / 15, 3: 32 / 9 }),
    tableauRow({ 1: 19372 / 6561, 2: -25360 / 2187, 3: 64448 / 6561, 4: -212 / 729 }),
    tableauRow({ 1: 9017 / 3168, 2: -355 / 33, 3: 46732 / 5247, 4: 49 / 176, 5: -5103 / 18656 }),
  ],
  solution: tableauRow({ 1: 35 / 384, 3: 500 / 1113, 4: 125 / 192, 5: -2187 / 6784, 6: 11 / 84 }),
  error: tableauRow({ 1: 71 / 57600, 3: -71 / 16695, 4: 71 / 1920, 5: -17253 / 339200, 6: 22 / 525, 7: -1 / 40 }),
  errorOrder: 5,
  outputStages: [],
  outputTerms: [
    tableauRow({
      1: -12715105075 / 11282082432,
      3: 87487479700 / 32700410799,
      4: -10690763975 / 1880347072,
      5: 701980252875 / 199316789632,
      6: -1453857185 / 822651844,
      7: 69997945 / 29380423,
    }),
  ],
};

export const dopri5: Integrator = {
  name: "dopri5",
  about: "Dormand-Prince 5(4), adaptive, dense output of order 4: for moderate accuracy",
  order: 5,
  adaptive: true,
  start: (problem, options) => embeddedStepper(DOPRI5_METHOD, problem, options),
};
