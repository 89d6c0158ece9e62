/**
 * Draws the picture of the README with the library: the arm of the TR-942 satellite unfolds under the control of the report. Prints an
 * SVG with one snapshot every half second.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, programs } from "castor";
import { parseModel, parseState } from "castor/formats";
import { offsetsOf } from "castor/kernel";

type Point = readonly [number, number];
type Vector = readonly [number, number, number];

const scenario = new URL("./scenarios/satellite-manipulator/", import.meta.resolve("castor/package.json"));
const read = (name: string): string => readFileSync(fileURLToPath(new URL(name, scenario)), "utf8");
const model = parseModel(read("model.yaml"));
const { q, u } = parseState(read("state.yaml"), model);
const arm = ["waist", "upper-arm", "forearm", "hand"];
const STIFFNESS = [10, 10, 10, 1]; // N m/rad
const DAMPING = [5, 2, 2, 5]; // N m s/rad

const dynamics = compile(programs.forwardDynamics(model, { actuated: arm }));
const rates = compile(programs.coordinateRates(model));
const shapes = compile(programs.frameKinematics(model, ["satellite", ...arm, "tip"]));

/** Time derivative of [q, u] at y + h k. */
function rate(y: Float64Array, h = 0, k = y): Float64Array {
  rates.x.set(y.map((v, i) => v + h * k[i]!));
  rates.evaluate();
  const { x } = rates;
  const torques = STIFFNESS.map((K, i) => -K * x[7 + i]! - DAMPING[i]! * x[model.nq + 6 + i]!);
  dynamics.x.set([...x, ...torques]);
  dynamics.evaluate();
  return Float64Array.from([...rates.y, ...dynamics.y]);
}

/** One step of the classical Runge-Kutta method. */
function step(y: Float64Array, h: number): Float64Array {
  const k1 = rate(y);
  const k2 = rate(y, h / 2, k1);
  const k3 = rate(y, h / 2, k2);
  const k4 = rate(y, h, k3);
  return y.map((v, i) => v + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
}

/** Parallel projection, seen from above and from the side; y of the picture points down. */
const [AZIMUTH, ELEVATION, SCALE] = [(-137 * Math.PI) / 180, (20 * Math.PI) / 180, 130];
function project([x, y, z]: Vector): Point {
  const right = -x * Math.sin(AZIMUTH) + y * Math.cos(AZIMUTH);
  const toward = x * Math.cos(AZIMUTH) + y * Math.sin(AZIMUTH);
  const up = z * Math.cos(ELEVATION) - toward * Math.sin(ELEVATION);
  return [SCALE * right, -SCALE * up];
}
const depth = ([x, y, z]: Vector): number =>
  (x * Math.cos(AZIMUTH) + y * Math.sin(AZIMUTH)) * Math.cos(ELEVATION) + z * Math.sin(ELEVATION);

const pointList = (points: readonly Vector[]): string =>
  points
    .map((p) =>
      project(p)
        .map((v) => v.toFixed(1))
        .join(","),
    )
    .join(" ");

/** World coordinates of a point given in body axes. */
function worldPoint(pose: Float64Array, [x, y, z]: Vector): Vector {
  const row = (i: number): number => pose[3 * i]! * x + pose[3 * i + 1]! * y + pose[3 * i + 2]! * z + pose[9 + i]!;
  return [row(0), row(1), row(2)];
}

/** Polygons of the visible faces of the satellite's box and of its two solar panels. */
function satellite(pose: Float64Array, name: string): string[] {
  const toWorld = (p: Vector): Vector => worldPoint(pose, p);
  const faces: { readonly centre: Vector; readonly corners: Vector[]; readonly shade: string }[] = [];
  for (const axis of [0, 1, 2])
    for (const side of [-0.5, 0.5]) {
      const point = (a: number, b: number): Vector => {
        const p = [0, 0, 0];
        p[axis] = side;
        p[(axis + 1) % 3] = a;
        p[(axis + 2) % 3] = b;
        return toWorld(p as unknown as Vector);
      };
      const corners = [point(-0.5, -0.5), point(0.5, -0.5), point(0.5, 0.5), point(-0.5, 0.5)];
      faces.push({ centre: point(0, 0), corners, shade: ["side", "front", "top"][axis]! });
    }
  const middle = depth(toWorld([0, 0, 0]));
  const wing = (side: number): string => {
    const corners: Vector[] = [
      toWorld([0.1, side * 0.5, -0.3]),
      toWorld([0.1, side * 0.5, 0.3]),
      toWorld([0.1, side * 2, 0.3]),
      toWorld([0.1, side * 2, -0.3]),
    ];
    return `<polygon class="panel ${name}" points="${pointList(corners)}"/>`;
  };
  const [far, near] = depth(toWorld([0, 1, 0])) < middle ? [1, -1] : [-1, 1];
  const visible = faces.filter(({ centre }) => depth(centre) > middle);
  return [
    wing(far),
    ...visible.map(({ corners, shade }) => `<polygon class="${shade} ${name}" points="${pointList(corners)}"/>`),
    wing(near),
  ];
}

/** Elements of one snapshot: links, hinges and, for the first and last one, the satellite. */
function snapshot(y: Float64Array, name: string): string[] {
  shapes.x.set(y);
  shapes.evaluate();
  const start = offsetsOf(shapes.outputs).pose!;
  const poses = ["satellite", ...arm, "tip"].map((_, i) => shapes.y.slice(start + 12 * i, start + 12 * i + 12));
  const joints = poses.slice(1).map((pose) => worldPoint(pose, [0, 0, 0]));
  const links = joints.slice(1).map((to, i) => `<polyline class="link l${i} ${name}" points="${pointList([joints[i]!, to])}"/>`);
  const hinges = joints.slice(0, -1).map((p) => {
    const [x, y] = project(p).map((v) => v.toFixed(1));
    return `<circle class="hinge ${name}" cx="${x}" cy="${y}" r="5"/>`;
  });
  const base = name === "now" || name === "before s0" ? satellite(poses[0]!, name) : [];
  return [...base, ...links, ...hinges];
}

const EVERY = 0.5; // s
const LAST = 2; // s
const shots: string[] = [];
let state: Float64Array = Float64Array.from([...q, ...u]);
for (let t = 0; t <= LAST + 1e-9; t += EVERY) {
  if (t > 0) for (let i = 0; i < 50; i++) state = step(state, EVERY / 50);
  shots.push(...snapshot(state, t > LAST - 1e-9 ? "now" : `before s${Math.round(t / EVERY)}`));
}

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-280 -255 560 400" font-family="sans-serif">
<title>A satellite unfolds its arm, seen every half second for two seconds</title>
<style>
polygon, polyline { stroke-linejoin: round; stroke-linecap: round; stroke-width: 1.5 }
.top { fill: #b9c4d0 } .front { fill: #93a3b5 } .side { fill: #74879c } .panel { fill: #3f6ea8 }
.now { stroke: #2b3a4a } .link { fill: none } .hinge { fill: #f4f6f8; stroke-width: 2 }
.link.l0 { stroke: #74879c; stroke-width: 16 } .link.l1 { stroke: #d1495b; stroke-width: 14 }
.link.l2 { stroke: #e58b3a; stroke-width: 12 } .link.l3 { stroke: #4f9d69; stroke-width: 12 }
.before { opacity: 0.15 } .before.s1 { opacity: 0.2 } .before.s2 { opacity: 0.28 } .before.s3 { opacity: 0.38 }
polygon.before { opacity: 0.55; fill-opacity: 0.12; stroke: #8494a5; stroke-dasharray: 5 5 } .hinge.before { stroke: #74879c }
@media (prefers-color-scheme: dark) {
  .now { stroke: #0d1117 } .before { opacity: 0.28 } .before.s1 { opacity: 0.34 } .before.s2 { opacity: 0.42 } .before.s3 { opacity: 0.5 }
}
</style>
${shots.join("\n")}
</svg>`);
