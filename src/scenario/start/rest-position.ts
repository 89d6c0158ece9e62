/** The start of a scenario from rest: the position in which its loads balance. */

import { type Equilibrium, equilibriumNear } from "../../analysis/equilibrium.ts";
import { CastorError, ModelError } from "../../errors.ts";
import { choleskySolver } from "../../math/linear/cholesky.ts";
import { coordinateNames } from "../../model/model.ts";
import type { State } from "../../sim/state.ts";
import { type Assembly, assemble } from "../../sim/system/assembly.ts";
import type { System } from "../../sim/system/system.ts";
import type { Scenario } from "../scenario.ts";

/** What the search of a rest position has found. */
export interface RestPosition {
  readonly iterations: number;
  /** Coordinates that changed, largest change first. */
  readonly moved: Assembly["moved"];
  /** False if a small push drives the machine away from the position. */
  readonly isStable: boolean;
}

/** Changes below this are rounding, m or rad. */
const SMALLEST_CHANGE = 1e-12;
/** Forces that the search leaves out must not accelerate the machine by more than this at the position, m/s² or rad/s². */
const LARGEST_ACCELERATION = 1e-6;

const SETTLE =
  "A machine that stands on contacts or wheels settles in a run: castor run NAME --until T --save FILE, then castor run --from FILE";
const ADVICE =
  "Name freedoms that nothing holds in state.hold: they stay as given. Or give coordinates nearer to rest in state.q. " + SETTLE;

/**
 * The state at rest near an assembled one, with the hinges in `hold` and those of devices as given. @throws ModelError with the reason if there
 * is none
 */
export function stateAtRest(
  scenario: Scenario,
  system: System,
  from: State,
): { readonly state: State; readonly rest: RestPosition } {
  const { model, hold, given } = scenario;
  const { nq, nu } = system.layout;
  const held = [...new Set([...hold, ...given.u])]; // speeds are given by devices only: wheels that spin
  const before = from.y.slice(0, nq);
  const found = searchFrom(scenario, before, held);
  const speeds = from.y.slice(nq, nq + nu);
  const { state } = assemble(system, system.start({ q: found.q, u: speeds }), { hold: held, keep: given });
  checkLeftOut(scenario, system, state, found, held);
  const moved = coordinateNames(model)
    .q.map((name, i) => ({ name: `q.${name}`, from: before[i]!, to: state.y[i]! }))
    .filter((change) => Math.abs(change.to - change.from) > SMALLEST_CHANGE)
    .sort((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from));
  return { state, rest: { iterations: found.iterations, moved, isStable: isStable(found) } };
}

function searchFrom({ name, model, forces }: Scenario, q: Float64Array, locked: readonly string[]): Equilibrium {
  try {
    return equilibriumNear(model, forces, { q, locked });
  } catch (error) {
    if (!(error instanceof CastorError)) throw error;
    throw new ModelError(name, [{ path: "state.rest", message: `no rest position: ${error.message}`, advice: ADVICE }], {
      cause: error,
    });
  }
}

/** Refuses a position at which forces act that the search could not include. Dry friction holds a machine that is at rest without it. */
function checkLeftOut({ name }: Scenario, system: System, state: State, { linear }: Equilibrium, held: readonly string[]): void {
  if (linear.leftOut.length === 0) return;
  const { names, largest } = largestAcceleration(system, state, held);
  if (largest <= LARGEST_ACCELERATION) return;
  throw new ModelError(name, [
    {
      path: "state.rest",
      message:
        `no rest position: the search cannot include ${linear.leftOut.join(", ")}, because these laws are numeric, ` +
        `and at the position without them ${names} accelerates by ${largest.toPrecision(3)} (SI units)`,
      advice: SETTLE,
    },
  ]);
}

/** The freedom with the largest acceleration, apart from those of held hinges. */
function largestAcceleration(
  system: System,
  state: State,
  held: readonly string[],
): { readonly names: string; readonly largest: number } {
  const udot = system.accelerations(state);
  const names = coordinateNames(system.model).u;
  const isHeld = new Set(
    system.model.bodies.flatMap(({ hinge }) =>
      held.includes(hinge.name) ? Array.from({ length: hinge.nu }, (_, i) => hinge.u + i) : [],
    ),
  );
  let worst = -1;
  for (const [i, a] of udot.entries()) if (!isHeld.has(i) && (worst < 0 || Math.abs(a) > Math.abs(udot[worst]!))) worst = i;
  return worst < 0 ? { names: "", largest: 0 } : { names: names[worst]!, largest: Math.abs(udot[worst]!) };
}

/** True if the symmetric part of the stiffness is positive definite. */
function isStable({ linear: { m, stiffness } }: Equilibrium): boolean {
  if (m === 0) return true;
  const K = Float64Array.from({ length: m * m }, (_, k) => {
    const [i, j] = [Math.floor(k / m), k % m];
    return (stiffness[i * m + j]! + stiffness[j * m + i]!) / 2;
  });
  return choleskySolver(m).factor(K) < 0;
}
