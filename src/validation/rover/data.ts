/** End states of the reference runs of the rocker rover: computed by two independent programs, rk4 at steps of 0.25 ms. */

export interface RoverEnd {
  readonly t: number;
  /** Position and quaternion of the base. */
  readonly place: readonly number[];
  readonly attitude: readonly number[];
  /** Slip, sinkage and load of the front left wheel. */
  readonly slip: number;
  readonly sinkage: number;
  readonly load: number;
}

export const ROVER_ENDS = {
  flat: {
    t: 10,
    place: [0.446547849, -0.0, 0.271719838],
    attitude: [0.9999998211, 0.0, -0.0005982429, 0.0],
    slip: 0.00272458,
    sinkage: 0.017921074,
    load: 83.3698607,
  },
  slope5: {
    t: 30,
    place: [1.275004147, 0.0, 0.38407445],
    attitude: [0.9989452783, -0.0, -0.0459165655, 0.0],
    slip: 0.09680977,
    sinkage: 0.017129202,
    load: 76.2083194,
  },
  slope15: {
    t: 30,
    place: [0.816964059, 1.5e-7, 0.499729941],
    attitude: [0.9906501158, -9e-9, -0.1364270796, 6.22e-8],
    slip: 0.35613016,
    sinkage: 0.015157201,
    load: 60.0406706,
  },
  slope15Moon: {
    t: 30,
    place: [0.730746879, 0.0, 0.490232429],
    attitude: [0.9912348062, -0.0, -0.1321119186, -0.0],
    slip: 0.41993668,
    sinkage: 0.004642276,
    load: 10.241102,
  },
  bump: {
    t: 40,
    place: [1.922477653, 0.013367612, 0.271719838],
    attitude: [0.9999897987, 2.6859e-6, -0.0005982369, 0.0044771092],
    slip: 0.00272409,
    sinkage: 0.017921084,
    load: 83.3699369,
  },
  bumpHard: {
    t: 40,
    place: [1.940089312, 0.0173515, 0.285708125],
    attitude: [0.9999771597, 1e-10, 0.0, 0.0067587011],
    slip: -1.682e-5,
    sinkage: 0.004292019,
    load: 85.840319,
  },
  steer: {
    t: 40,
    place: [1.676399368, 0.805315685, 0.271685714],
    attitude: [0.9427353589, -0.0001812674, -0.0008156402, 0.3335406197],
    slip: 0.08119766,
    sinkage: 0.016987744,
    load: 75.5743754,
  },
  steerHard: {
    t: 40,
    place: [1.7763071, 0.693397108, 0.285707511],
    attitude: [0.9667404125, 1.0152e-6, 3.821e-7, 0.2557596037],
    slip: 0.05428192,
    sinkage: 0.00355353,
    load: 71.0705969,
  },
  sideOpen: {
    t: 60,
    place: [2.929305179, -0.241642954, 0.233554524],
    attitude: [0.9956338348, 0.0931836642, -0.0001030973, -0.0054827932],
    slip: 0.00408465,
    sinkage: 0.015209918,
    load: 65.5089381,
  },
  sideSight: {
    t: 60,
    place: [2.896090172, -0.063669132, 0.264891053],
    attitude: [0.9951568992, 0.0931686857, -0.0033319267, 0.0311647278],
    slip: 0.01914131,
    sinkage: 0.01513009,
    load: 64.7581605,
  },
  sideCompensated: {
    t: 60,
    place: [2.886844229, -0.002497784, 0.275677973],
    attitude: [0.9956398802, 0.0932764056, -0.0005371204, -0.0006728166],
    slip: 0.01943858,
    sinkage: 0.015183684,
    load: 65.0904447,
  },
} as const satisfies Readonly<Record<string, RoverEnd>>;

export interface RoverStatics {
  readonly g: number;
  /** On level ground: load and sinkage of a wheel. */
  readonly load: number;
  readonly sinkage: number;
  /** On hard slopes: degrees, load of a front and of a rear wheel. */
  readonly slopes: readonly (readonly [degrees: number, front: number, rear: number])[];
  /** Driving up soil at 5 cm/s: degrees, slip, sinkages of front and rear wheels, loads of both. */
  readonly steady: readonly (readonly [
    degrees: number,
    slip: number,
    front: number,
    rear: number,
    frontLoad: number,
    rearLoad: number,
  ])[];
}

/** Closed forms, and equilibria of the reference programs without time integration. */
export const ROVER_STATICS: Readonly<Record<"earth" | "mars" | "moon", RoverStatics>> = {
  earth: {
    g: 9.81,
    load: 85.8375,
    sinkage: 0.01430262757697081,
    slopes: [
      [0, 85.8375, 85.8375],
      [5, 79.04850375100392, 91.9732210438965],
      [10, 71.6579006576711, 97.40897034069972],
      [15, 63.72193767211, 102.1033785560658],
      [20, 55.30101226450623, 106.0207184089146],
    ],
    steady: [
      [0, 0.002724583711502602, 0.01792107352112935, 0.018638964855580736, 83.36986071764622, 88.30513928235376],
      [10, 0.21005171428479535, 0.016204642190632418, 0.021095389994269246, 68.42128700840696, 100.64558398996384],
      [15, 0.35613015524475305, 0.015157200632893834, 0.022302041475811493, 60.04066844845245, 105.78464777972333],
    ],
  },
  mars: {
    g: 3.71,
    load: 32.4625,
    sinkage: 0.007420395247741064,
    slopes: [
      [0, 32.4625, 32.4625],
      [5, 29.894999889523397, 34.78294088408318],
      [10, 27.099980778793054, 36.83866258552455],
      [15, 24.098714450920305, 38.614019820897454],
      [20, 20.914042354874425, 40.09550104965068],
    ],
    steady: [
      [0, 0.029612359195984594, 0.009362208986752801, 0.009617400607483154, 31.816574879541, 33.10842512045904],
      [10, 0.2595087574157761, 0.008535415500326807, 0.010882798101256046, 26.286348039774605, 37.65229532454301],
      [15, 0.4091008318081427, 0.008028458800411326, 0.011506451944176632, 23.19099181127896, 39.52174246053879],
    ],
  },
  moon: {
    g: 1.62,
    load: 14.175,
    sinkage: 0.004255598172132864,
    slopes: [
      [0, 14.174999999999999, 14.175000000000002],
      [5, 13.053881353376795, 15.188238337524194],
      [10, 11.833414787505323, 16.085885010390776],
      [15, 10.52288878988973, 16.86110838540536],
      [20, 9.1322772546891, 17.508008544591405],
    ],
    steady: [
      [0, 0.03468907686761005, 0.00538116193006231, 0.0054887998469451684, 13.966114428355754, 14.383885571644237],
      [10, 0.2738738914492087, 0.004925264317412255, 0.006209764041098168, 11.577199257493323, 16.342100540402793],
      [15, 0.41993668203625006, 0.004642276251075307, 0.0065617674230122325, 10.24110199754042, 17.142895177754674],
    ],
  },
};
