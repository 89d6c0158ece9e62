/**
 * Soils: the constants of Bekker's pressure-sinkage law, Mohr-Coulomb shear and Janosi-Hanamoto shear displacement, in SI units, each
 * preset with its source and its confidence. All were measured on Earth: under other gravity only loads and weights change.
 */
import { checkMembers } from "../arguments.ts";
export interface Soil {
  /** Cohesion, Pa. */
  readonly cohesion: number;
  /** Angle of internal friction, rad. */
  readonly friction: number;
  /** Bekker's moduli: N/m^(n+1) and N/m^(n+2). */
  readonly kc: number;
  readonly kphi: number;
  /** Sinkage exponent n. */
  readonly exponent: number;
  /** Angle of greatest stress: θ_m = (a0 + a1 s) θ_f. */
  readonly a0: number;
  readonly a1: number;
  /** Bulk density, kg/m³. */
  readonly density: number;
  /** Shear deformation moduli k = k0 + k1 |β|, m and m/rad, along and across the wheel. */
  readonly kx0: number;
  readonly kx1: number;
  readonly ky0: number;
  readonly ky1: number;
  /** Rear sinkage over front sinkage: soil that rises behind the wheel. */
  readonly rear: number;
  /** Damping of the normal force, Pa s/m. */
  readonly damping: number;
  /** Stiffness of reloading for each metre of the depth reached before, N/m⁴: k_u = A_u z_u. */
  readonly reload: number;
}

export interface SoilPreset extends Soil {
  readonly about: string;
  readonly source: string;
  readonly confidence: "high" | "medium" | "low";
}

const DEGREE = Math.PI / 180;
/** If a source gives only one shear modulus, it is used for both directions and all slip angles. */
const isotropicShear = (k: number) => ({ kx0: k, kx1: 0, ky0: k, ky1: 0 });
/** Mizukami 2012; the other sources give no damping. */
const DAMPING = 45_000;
/** Dry sand (LETE) after Wong: the only sand with measured repetitive loading. Low confidence for the other soils. */
const RELOAD = 5.03e8;

export const SOILS = {
  "lunar-simulant": {
    about: "Lunar regolith simulant under paddled wheels of 0.09 m.",
    source:
      "Ishigami, Mizuuchi, Yoshida 2005, Table 1 (c, φ, kc, kφ, n, a0, a1); kx, ky, ρ and λ after codes that cite Ishigami 2007; damping Mizukami 2012; reloading of a dry sand (Wong), low confidence",
    confidence: "high",
    cohesion: 800,
    friction: 37.2 * DEGREE,
    kc: 1.37e3,
    kphi: 8.14e5,
    exponent: 1,
    a0: 0.4,
    a1: 0.15,
    density: 1600,
    kx0: 0.036,
    kx1: 0.043,
    ky0: 0.013,
    ky1: 0.02,
    rear: 0.9,
    damping: DAMPING,
    reload: RELOAD,
  },
  "dry-sand": {
    about: "Dry sand.",
    source: "values after Ding 2015 as quoted by public simulators; a0, a1, λ and damping are those of the lunar simulant",
    confidence: "medium",
    cohesion: 1040,
    friction: 28 * DEGREE,
    kc: 990,
    kphi: 1.52843e6,
    exponent: 1.1,
    a0: 0.4,
    a1: 0.15,
    density: 1500,
    ...isotropicShear(0.01),
    rear: 0.9,
    damping: DAMPING,
    reload: RELOAD,
  },
  regolith: {
    about: "Lunar regolith, as given for mobility studies.",
    source:
      "lunar soil values in common use (kc 1.4 kN/m², kφ 820 kN/m³, c 170 Pa, φ 35°, K 18 mm); a0, a1, λ and damping of the simulant",
    confidence: "low",
    cohesion: 170,
    friction: 35 * DEGREE,
    kc: 1.4e3,
    kphi: 8.2e5,
    exponent: 1,
    a0: 0.4,
    a1: 0.15,
    density: 1500,
    ...isotropicShear(0.018),
    rear: 0.9,
    damping: DAMPING,
    reload: RELOAD,
  },
  "mars-analogue": {
    about: "Fine dry sand used as an analogue of Martian soil.",
    source:
      "Yoshida 2003 (φ 27.5°, k 12 mm, kc 85 kN/m^2.38, kφ 450 kN/m^3.38, n 1.38); cohesion, a0, a1, λ and damping are assumed",
    confidence: "low",
    cohesion: 200,
    friction: 27.5 * DEGREE,
    kc: 8.5e4,
    kphi: 4.5e5,
    exponent: 1.38,
    a0: 0.4,
    a1: 0.15,
    density: 1500,
    ...isotropicShear(0.012),
    rear: 0.9,
    damping: DAMPING,
    reload: RELOAD,
  },
} as const satisfies Readonly<Record<string, SoilPreset>>;

/** A cohesion between 0 and this is probably in kPa instead of Pa: even the least cohesive sands have tens of Pa. */
const SUSPECT_COHESION = 10;

export interface SoilProblem {
  readonly parameter: keyof Soil;
  readonly message: string;
  readonly advice: string;
}

/** @throws ArgumentError if `soil` is not an object with these parameters */
export const checkSoil = (
  soil: unknown,
  parameters: readonly (keyof Soil)[] = ["cohesion", "friction", "kc", "kphi", "exponent"],
): void => checkMembers("soil", Array.isArray(soil) ? undefined : soil, parameters, 'a soil, e.g. SOILS["lunar-simulant"]');

/** Problems: parameters outside of the physical range. */
export function soilProblems(soil: Soil): SoilProblem[] {
  checkSoil(soil, []);
  const problems: SoilProblem[] = [];
  const check = (ok: boolean, parameter: keyof Soil, message: string, advice: string): void => {
    if (!ok) problems.push({ parameter, message, advice });
  };
  const { friction, kc, kphi, exponent, density, cohesion, rear, a0, a1, kx0, ky0, damping, reload } = soil;
  check(cohesion >= 0 && cohesion <= 1e6, "cohesion", "must be between 0 and 1 MPa", "In Pa: sands have 0 to 2000");
  check(friction >= 0 && friction < 60 * DEGREE, "friction", "must be between 0 and 60 degrees", "Sands have 25 to 45 deg");
  check(kphi > 0 && kphi <= 1e12, "kphi", "must be positive, at most 1e12", "In N/m^(n+2): sands have 1e5 to 1e7");
  check(Math.abs(kc) <= 1e9, "kc", "must be at most 1e9 in size", "In N/m^(n+1): sands have 0 to 1e5");
  check(exponent >= 0.3 && exponent <= 2.5, "exponent", "must be between 0.3 and 2.5", "Sands have 0.7 to 1.5");
  check(density > 0 && density < 1e4, "density", "must be between 0 and 10000 kg/m³", "In kg/m³: sands have 1300 to 1800");
  check(rear >= 0 && rear <= 2, "rear", "must be between 0 and 2", "Rear over front sinkage: usually 0 to 1.1");
  check(a0 >= 0 && a0 + a1 <= 1 && a0 + a1 >= 0, "a0", "a0 and a0 + a1 must be between 0 and 1", "Usually 0.4 and 0.55");
  check(kx0 > 0 && kx0 < 1, "kx0", "must be between 0 and 1 m", "Sands have 0.01 to 0.04 m");
  check(ky0 > 0 && ky0 < 1, "ky0", "must be between 0 and 1 m", "Sands have 0.01 to 0.04 m");
  check(damping >= 0 && damping <= 1e9, "damping", "must be between 0 and 1e9 Pa s/m", "E.g. 45000");
  check(reload > 0 && reload <= 1e15, "reload", "must be positive, at most 1e15 N/m⁴", "E.g. 5e8 for dry sand");
  return problems;
}

/** Warnings: parameters that are possible but unlikely, mostly because of a wrong unit. */
export function soilWarnings(soil: Soil): SoilProblem[] {
  checkSoil(soil, []);
  const warnings: SoilProblem[] = [];
  const check = (isUnlikely: boolean, parameter: keyof Soil, message: string, advice: string): void => {
    if (isUnlikely) warnings.push({ parameter, message, advice });
  };
  const { cohesion, friction, kphi, density } = soil;
  check(
    cohesion > 0 && cohesion < SUSPECT_COHESION,
    "cohesion",
    `${cohesion} Pa is almost zero; it is probably in kPa`,
    `Write ${1000 * cohesion} Pa, or 0 for none`,
  );
  check(
    friction < 10 * DEGREE,
    "friction",
    `${+(friction / DEGREE).toPrecision(3)} degrees is very low for a soil`,
    "Sands have 25 to 45 deg; in rad unless a unit is written",
  );
  check(
    kphi < 1e4,
    "kphi",
    `${kphi} N/m^(n+2) is very soft; it is probably in kN/m^(n+2)`,
    `Sands have 1e5 to 1e7 N/m^(n+2): write ${1000 * kphi}?`,
  );
  check(
    density < 100,
    "density",
    `${density} kg/m³ is lighter than any soil; it is probably in g/cm³`,
    `Write ${1000 * density}?`,
  );
  return warnings;
}
