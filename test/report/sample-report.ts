/** A report as a run would fill it: a satellite with a four-link arm, damped, with its audit. */

import { Recording } from "../../src/log/log.ts";
import type { Report } from "../../src/report/report-data.ts";

/** Small deterministic noise of size 1, for what in a real run is rounding. */
const noise = (i: number, seed: number): number => {
  const x = Math.sin(12.9898 * i + 78.233 * seed) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
};

/** What a model file may call its bodies. */
export const HOSTILE = `</script></style></title><script>window.hacked=1</script><img src=x onerror="window.hacked=1">&lt;'"\u2028`;

const ARM = ["shoulder yaw", "shoulder pitch", "elbow", "wrist"];

/** Angles and rates of four hinges, attitude, energies and momenta: 20 channels. */
export function sampleLog(samples: number, duration = 20): Recording {
  const log = new Recording(
    [
      { name: "t", unit: "s", about: "time" },
      ...ARM.map((hinge) => ({ name: `${hinge}.q`, unit: "rad", about: `angle of hinge ${hinge}` })),
      ...ARM.map((hinge) => ({ name: `${hinge}.u`, unit: "rad/s" })),
      { name: "base.qw", unit: "" },
      { name: "base.qx", unit: "" },
      { name: "base.qy", unit: "" },
      { name: "base.qz", unit: "" },
      { name: "energy.kinetic", unit: "J" },
      { name: "energy.potential", unit: "J" },
      { name: "energy.total", unit: "J", about: "kinetic + potential + dissipated - supplied" },
      { name: "momentum.linear", unit: "kg m/s" },
      { name: "momentum.angular", unit: "kg m^2/s" },
      { name: "drift.energy", unit: "", about: "relative to the largest kinetic energy" },
      { name: "drift.momentum", unit: "" },
    ],
    samples,
  );
  for (let i = 0; i < samples; i++) {
    const t = (duration * i) / Math.max(1, samples - 1);
    const q = ARM.map(
      (_, k) => 0.3 - 0.15 * k + (0.9 - 0.15 * k) * Math.exp(-t / (9 + 2 * k)) * Math.cos((0.9 + 0.55 * k) * t + 0.7 * k),
    );
    const u = ARM.map((_, k) => {
      const [a, d, w, p] = [0.9 - 0.15 * k, 9 + 2 * k, 0.9 + 0.55 * k, 0.7 * k];
      return a * Math.exp(-t / d) * (-Math.cos(w * t + p) / d - w * Math.sin(w * t + p));
    });
    const half = 0.4 * Math.exp(-t / 10) * Math.sin(0.8 * t);
    const kinetic = 24 * u.reduce((sum, v) => sum + v * v, 0);
    const total = 75.255733558306 + 3e-10 * noise(i, 1) * Math.sqrt(t / duration) + 2e-10 * (t / duration);
    const drift = 1e-15 * (1 + 900 * (t / duration) ** 1.5 * (1 + 0.5 * noise(i, 2)));
    log.add([
      t,
      ...q,
      ...u,
      Math.cos(half),
      0.6 * Math.sin(half),
      0.8 * Math.sin(half),
      0,
      kinetic,
      total - kinetic,
      total,
      4e-14 * noise(i, 3) * Math.sqrt(1 + t),
      1.6e-13 * noise(i, 4) * Math.sqrt(1 + t),
      drift * 30,
      drift,
    ]);
  }
  return log;
}

export function sampleReport(samples = 2001): Report {
  const channels = (end: string) => ARM.map((hinge) => ({ channel: `${hinge}.${end}`, label: hinge }));
  return {
    title: "Satellite with a four-link manipulator",
    scenario: "satellite-manipulator",
    outcome: "complete",
    summary:
      "A free-flying satellite of 2,400 kg unfolds its four-link arm with springs and dampers in the hinges. The base turns " +
      "by at most 19 degrees while the arm settles; energy and momentum are kept to rounding over the 20 s.",
    facts: [
      { label: "Formulation", value: "kane", group: "Method" },
      { label: "Integrator", value: "dop853", group: "Method" },
      { label: "Relative tolerance", value: 1e-12, group: "Method" },
      { label: "Kernel", value: "WebAssembly, 1,842 operations", group: "Method" },
      { label: "Duration", value: 20, unit: "s", group: "Run" },
      { label: "Accepted steps", value: 1184, group: "Run" },
      { label: "Rejected steps", value: 12, group: "Run" },
      { label: "Samples", value: samples, group: "Run" },
      { label: "Total mass", value: 2731.4, unit: "kg", group: "Model" },
      { label: "Freedoms", value: 10, group: "Model" },
    ],
    audit: [
      { channel: "energy", worst: 7.1e-12, at: 18.42, tolerance: 1e-9, pass: true },
      { channel: "linear momentum", worst: 1.7e-13, at: 19.9, tolerance: 1e-10, pass: true, unit: "kg m/s" },
      { channel: "angular momentum", worst: 6.2e-13, at: 17.03, tolerance: 1e-10, pass: true, unit: "kg m^2/s" },
      { channel: "quaternion norm", worst: 2.2e-16, at: 3.1, tolerance: 1e-12, pass: true },
      { channel: "finite numbers", worst: 0, at: 0, tolerance: 0, pass: true },
    ],
    timeline: [
      { name: "grasp", t: 12.25, done: "engaged grasp, enabled hold", force: 3.5, torque: 0.25, lost: 0.125 },
      { name: "release", done: "has not happened" },
    ],
    limits: [
      {
        name: "load",
        bound: "most",
        value: 12.5,
        limit: 40,
        unit: "N",
        at: 12.25,
        channel: "tau.elbow",
        within: true,
        source: "motor",
      },
      {
        ...{ name: "angle", bound: "least", value: -1.4, limit: -1.2, unit: "rad", at: 3.5, channel: "q.elbow", within: false },
        ...{ mean: 0.1, source: "stop", confidence: "low" },
      },
    ],
    plots: [
      { title: "Hinge angles", unit: "rad", series: channels("q") },
      { title: "Hinge rates", unit: "rad/s", series: channels("u") },
      {
        title: "Base attitude (quaternion)",
        unit: "",
        series: ["w", "x", "y", "z"].map((c) => ({ channel: `base.q${c}`, label: c })),
      },
      {
        title: "Energy",
        unit: "J",
        series: [
          { channel: "energy.kinetic", label: "kinetic" },
          { channel: "energy.potential", label: "potential" },
          { channel: "energy.total", label: "total" },
        ],
      },
      { title: "Total energy", unit: "J", series: [{ channel: "energy.total", label: "total" }] },
      { title: "Angular momentum", unit: "kg m^2/s", series: [{ channel: "momentum.angular", label: "about the mass centre" }] },
      {
        title: "Relative drift",
        unit: "",
        scale: "log",
        series: [
          { channel: "drift.energy", label: "energy" },
          { channel: "drift.momentum", label: "momentum" },
        ],
      },
    ],
    log: sampleLog(samples),
    tree: [
      {
        name: "satellite",
        mass: 2400,
        hinge: { name: "satellite", kind: "free", freedoms: 6 },
        children: [
          {
            name: "solar panel left",
            mass: 60,
            hinge: { name: "left root", kind: "fixed", freedoms: 0 },
            children: [],
          },
          {
            name: "solar panel right",
            mass: 60,
            hinge: { name: "right root", kind: "fixed", freedoms: 0 },
            children: [],
          },
          {
            name: "upper arm",
            mass: 82.4,
            hinge: { name: "shoulder yaw", kind: "revolute", freedoms: 1 },
            children: [
              {
                name: "lower arm",
                mass: 71,
                hinge: { name: "shoulder pitch", kind: "revolute", freedoms: 1 },
                children: [
                  {
                    name: "hand",
                    mass: 34,
                    hinge: { name: "elbow", kind: "revolute", freedoms: 1 },
                    children: [
                      { name: "payload", mass: 24, hinge: { name: "wrist", kind: "revolute", freedoms: 1 }, children: [] },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    notes: ['Body "hand": an inertia of the report violates the triangle inequality by 0.3 %; it is used as printed.'],
    pictures: [
      { title: "Posture at the start and at the end", svg: POSTURE, about: "Seen along the orbit normal; grey: start." },
    ],
  };
}

const POSTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" fill="none" stroke="currentColor" stroke-width="2">
<rect x="30" y="110" width="70" height="50" rx="4"/><path d="M30 135H4M100 135h4" stroke-width="6"/>
<polyline points="100,120 150,70 205,60 240,30" opacity="0.35" stroke-width="4"/>
<polyline points="100,120 165,105 220,130 270,118" stroke="#d55e00" stroke-width="4"/>
<g fill="currentColor" stroke="none"><circle cx="100" cy="120" r="5"/><circle cx="165" cy="105" r="5"/><circle cx="220" cy="130" r="5"/></g>
<text x="276" y="122" fill="currentColor" stroke="none" font-size="12">hand</text></svg>`;

/** A report where everything that a file names is hostile. */
export function hostileReport(): Report {
  const log = new Recording([
    { name: HOSTILE, unit: HOSTILE, about: HOSTILE },
    { name: `q${HOSTILE}`, unit: HOSTILE, about: HOSTILE },
  ]);
  log.add([0, 0]);
  log.add([1, 2]);
  const hinge = { name: HOSTILE, kind: HOSTILE, freedoms: 1 };
  return {
    title: HOSTILE,
    summary: HOSTILE,
    scenario: HOSTILE,
    outcome: "complete",
    facts: [{ label: HOSTILE, value: HOSTILE, unit: HOSTILE, group: HOSTILE }],
    audit: [{ channel: HOSTILE, worst: Number.NaN, at: Number.NaN, tolerance: 0, pass: false, unit: HOSTILE }],
    timeline: [{ name: HOSTILE, done: HOSTILE, t: Number.NaN }],
    limits: [
      {
        ...{ name: HOSTILE, bound: "most", value: Number.NaN, limit: 0, unit: HOSTILE, at: Number.NaN, channel: HOSTILE },
        ...{ within: false, source: HOSTILE, confidence: HOSTILE },
      },
    ],
    plots: [{ title: HOSTILE, unit: HOSTILE, series: [{ channel: `q${HOSTILE}`, label: HOSTILE }] }],
    log,
    tree: [{ name: HOSTILE, mass: 1, hinge, children: [{ name: HOSTILE, mass: 1, hinge, children: [] }] }],
    notes: [HOSTILE],
    pictures: [{ title: HOSTILE, svg: `<svg>${HOSTILE}<script>window.hacked=1</script></svg>${HOSTILE}`, about: HOSTILE }],
  };
}
