/** Independent random cases. */
import { CASES, designKind, independentNumbers } from "./kind.ts";

export const monteCarlo = designKind({
  name: "monte-carlo",
  about: "Independent random cases.",
  parameters: CASES,
  create: ({ cases }, context) => ({
    kind: "monte-carlo",
    cases,
    canStop: true,
    numbers: independentNumbers(context),
  }),
});
