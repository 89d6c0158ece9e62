/** The plane Kepler orbit with gravitational parameter 1 and semi-major axis 1, at its pericentre at t = 0: [x, y, vx, vy]. */

export function keplerState(eccentricity: number, t: number): Float64Array {
  const M = t % (2 * Math.PI);
  let E = M + eccentricity * Math.sin(M);
  for (let k = 0; k < 20; k++) E -= (E - eccentricity * Math.sin(E) - M) / (1 - eccentricity * Math.cos(E));
  const b = Math.sqrt(1 - eccentricity ** 2);
  const rate = 1 / (1 - eccentricity * Math.cos(E));
  return Float64Array.of(Math.cos(E) - eccentricity, b * Math.sin(E), -rate * Math.sin(E), rate * b * Math.cos(E));
}

export function keplerDerivative(_t: number, y: Float64Array, ydot: Float64Array): void {
  const [x, z] = [y[0]!, y[1]!];
  const r2 = x * x + z * z;
  const pull = 1 / (r2 * Math.sqrt(r2));
  ydot[0] = y[2]!;
  ydot[1] = y[3]!;
  ydot[2] = -pull * x;
  ydot[3] = -pull * z;
}

export function keplerEnergy(y: Float64Array): number {
  return (y[2]! ** 2 + y[3]! ** 2) / 2 - 1 / Math.hypot(y[0]!, y[1]!);
}

export function keplerAngularMomentum(y: Float64Array): number {
  return y[0]! * y[3]! - y[1]! * y[2]!;
}
