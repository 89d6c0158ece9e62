/** What commands do between the updates of a controller, as a parameter of kinds that command positions and speeds. */
export const COMMAND_INTERPOLATION = {
  type: "choice",
  of: ["hold", "ramp"],
  default: "hold",
  about:
    "What commands do between updates: held, or led linearly to the new ones within the period that follows, as motor controllers do. " +
    "Held commands jump, and adaptive integrators take short steps after each jump; ramps are later by half a period.",
} as const;
