/** Quantities that can be compiled, with their inputs and outputs. Help shows them, so this file loads nothing of the library. */
export const QUANTITY_ABOUT = {
  "forward-dynamics": "q, u, tau → accelerations udot",
  "inverse-dynamics": "q, u, udot → forces tau",
  "bias-force": "q, u → tau for zero acceleration",
  "mass-matrix": "q → mass matrix by rows",
  "frame-kinematics": "q, u → pose, Jacobian and bias acceleration of frames",
  "body-poses": "q → rotation and position of every body",
  "momentum-energy": "q, u → momentum, energy, mass centre",
  "free-flying": "q, u → generalised Jacobian, generalised inertia and momentum of a free-flying robot",
  "hinge-wrenches": "q, u, udot → torque and force through every hinge",
  "partitioned-dynamics": "t, q, u, tau → udot, lambda of a machine with loops; dependents are chosen at --state",
  "coordinate-rates": "q, u → rates of the coordinates qdot",
} as const;

export type QuantityName = keyof typeof QUANTITY_ABOUT;
export const QUANTITY_NAMES = Object.keys(QUANTITY_ABOUT) as QuantityName[];
