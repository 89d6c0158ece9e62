import { dop853 } from "./dop853.ts";
import { dopri5 } from "./dopri5.ts";
import { dopri5radau5 } from "./dopri5-radau5.ts";
import { gauss6 } from "./gauss6.ts";
import type { Integrator } from "./integrator.ts";
import { radau5 } from "./radau5.ts";
import { rk4 } from "./rk4.ts";
import { rkg } from "./rkg.ts";

/** Every integrator by its name. */
export const INTEGRATORS = { rkg, rk4, dopri5, dop853, radau5, "dopri5-radau5": dopri5radau5, gauss6 } satisfies Readonly<
  Record<string, Integrator>
>;

export type IntegratorName = keyof typeof INTEGRATORS;
