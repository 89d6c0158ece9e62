/** Interpolation of commands between the updates of a controller, as a parameter of kinds that command positions and speeds. */
export const COMMAND_INTERPOLATION = {
  type: "choice",
  of: ["hold", "ramp"],
  default: "hold",
  about:
    "Commands between updates. `hold`: constant. `ramp`: linear to the new command within the following period, as in motor controllers. " +
    "Held commands jump, and adaptive integrators take short steps after each jump; ramps are delayed by half a period.",
} as const;
