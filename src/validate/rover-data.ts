/** End states of the reference runs of the rocker rover: computed by two independent programs, rk4 at steps of 0.25 ms. */

export interface RoverEnd {
  readonly t: number;
  /** Place of the base, and its quaternion. */
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
