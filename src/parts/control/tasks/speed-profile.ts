/** Speed profiles of moves: path parameter s from 0 to 1, in phases of constant jerk or as a quintic. */
/** A time interval in which s(t) has one form. */
export interface MovePhase {
  readonly start: number;
  /** Number of the move. */
  readonly move: number;
  /** s, ṡ and s̈ at the start of the phase. */
  readonly s: number;
  readonly speed: number;
  readonly acceleration: number;
  /** Constant jerk; 0 if not given. */
  readonly jerk?: number;
  /** Duration of a quintic from rest to rest, which replaces speed, acceleration and jerk. */
  readonly quintic?: number;
}

/** Durations of a move; see MOVE in reference.ts. */
interface MoveTiming {
  readonly duration: number;
  readonly rise?: number | undefined;
  readonly soft?: number | undefined;
}

/** The phases of move number `move`, which begins at t. */
export function movePhases({ duration, rise, soft = 0 }: MoveTiming, move: number, t: number): MovePhase[] {
  if (rise === undefined) return [{ start: t, move, s: 0, speed: 0, acceleration: 0, quintic: duration }];
  const speed = 1 / (duration - rise);
  const a = speed / (rise - soft);
  const half = 0.5 * speed * rise;
  if (soft > 0) return sCurvePhases(duration, rise, soft, a, move, t);
  return [
    { start: t, move, s: 0, speed: 0, acceleration: a },
    ...(duration > 2 * rise ? [{ start: t + rise, move, s: half, speed, acceleration: 0 }] : []),
    { start: t + duration - rise, move, s: 1 - half, speed, acceleration: -a },
  ];
}

/** Seven intervals of constant jerk; those without duration are left out. */
function sCurvePhases(duration: number, rise: number, soft: number, a: number, move: number, t: number): MovePhase[] {
  const jerk = a / soft;
  const plateau = rise - 2 * soft;
  const intervals = [
    [soft, 0, jerk],
    [plateau, a, 0],
    [soft, a, -jerk],
    [duration - 2 * rise, 0, 0],
    [soft, 0, -jerk],
    [plateau, -a, 0],
    [soft, -a, jerk],
  ] as const;
  const phases: MovePhase[] = [];
  let [start, s, speed] = [t, 0, 0];
  for (const [d, acceleration, j] of intervals) {
    if (!(d > 0)) continue;
    phases.push({ start, move, s, speed, acceleration, jerk: j });
    s += d * (speed + d * (acceleration / 2 + (d * j) / 6));
    speed += d * (acceleration + (d * j) / 2);
    start += d;
  }
  return phases;
}

/** Rest before the first move. */
export const REST_AT_START: MovePhase = { start: 0, move: 0, s: 0, speed: 0, acceleration: 0 };
/** s, ṡ and s̈ as `evaluatePhase` wrote them last. */
export const profileState = new Float64Array(3);

/** Phases as a table of numbers, which avoids boxed doubles: start, s, speed, acceleration, jerk, duration of a quintic or 0. */
const PHASE_COLUMNS = 6;
export const phaseTable = (phases: readonly MovePhase[]): Float64Array =>
  Float64Array.from(
    phases.flatMap(({ start, s, speed, acceleration, jerk = 0, quintic = 0 }) => [start, s, speed, acceleration, jerk, quintic]),
  );

/** Writes s, ṡ and s̈ of phase k at t to `profileState`. */
export function evaluatePhase(table: Float64Array, k: number, t: number): void {
  const row = PHASE_COLUMNS * k;
  const d = t - table[row]!;
  const s = table[row + 1]!;
  const speed = table[row + 2]!;
  const acceleration = table[row + 3]!;
  const jerk = table[row + 4]!;
  const quintic = table[row + 5]!;
  if (quintic === 0) {
    profileState[0] = s + d * (speed + d * (acceleration / 2 + (d * jerk) / 6));
    profileState[1] = speed + d * (acceleration + (d * jerk) / 2);
    profileState[2] = acceleration + d * jerk;
  } else {
    const x = d / quintic;
    const w = x * (1 - x);
    profileState[0] = x * x * x * (10 + x * (6 * x - 15));
    profileState[1] = (30 * w * w) / quintic;
    profileState[2] = (60 * w * (1 - 2 * x)) / (quintic * quintic);
  }
}

/** Index of the last phase that has begun at t; -1 before the first. */
export function lastStartedPhase(starts: Float64Array, t: number): number {
  let [low, high] = [-1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Times at which the acceleration jumps between phases. A quintic begins and ends with zero acceleration. */
export const accelerationJumps = (phases: readonly MovePhase[]): number[] =>
  phases
    .filter((p, i) => {
      const previous = phases[i - 1];
      if (p.jerk !== undefined || previous?.jerk !== undefined) return false; // an S-curve has no jumps
      return p.start > 0 && p.acceleration !== (previous?.acceleration ?? 0);
    })
    .map((p) => p.start);
