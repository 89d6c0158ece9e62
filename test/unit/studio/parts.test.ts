/** The parts of the studio that need no browser: interpolation, logs from blocks, addresses, files, what layers the scene has. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import * as programs from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import type { Model } from "../../../src/model/model.ts";
import { filesOfSource, type ScenarioSource } from "../../../studio/src/files/scenario-sources.ts";
import { MAX_LOG_NUMBERS, RunLog } from "../../../studio/src/run/run-log.ts";
import { sampleIndexAt } from "../../../studio/src/run/sample-index.ts";
import { packText, unpackText } from "../../../studio/src/state/address-text.ts";
import { Store } from "../../../studio/src/state/store.ts";
import { FIELD_OF_VIEW, fitCamera } from "../../../studio/src/view/camera.ts";
import { bodyDirectionToWorld, bodyPointToWorld } from "../../../studio/src/view/geometry/body-points.ts";
import { elasticRods, rodSections } from "../../../studio/src/view/geometry/elastic-rods.ts";
import { machineExtent } from "../../../studio/src/view/geometry/machine-extent.ts";
import { simplifyPolyline } from "../../../studio/src/view/geometry/polyline.ts";
import { rayHitsShape } from "../../../studio/src/view/geometry/shape-extent.ts";
import { largestAngularMomentum } from "../../../studio/src/view/layers/momentum.ts";
import { contactForceAt } from "../../../studio/src/view/motion/contact-forces.ts";
import { hermiteCubic, RunMotion, slerp } from "../../../studio/src/view/motion/run-motion.ts";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("simplified lines", () => {
  /** 3000 points: a spiral, then a straight line, then back along the same line. */
  const spiral = Float32Array.from(
    range(1000).flatMap((i) => [(i / 1000) * Math.cos(i / 50), (i / 1000) * Math.sin(i / 50), i / 2000]),
  );
  const straight = range(1000).flatMap((i) => [1 + i / 500, 0, 0]);
  const back = range(1000).flatMap((i) => [3 - i / 500, 0, 0]);
  const line = Float32Array.from([...spiral, ...straight, ...back]);
  const at = (i: number): number[] => [...line.subarray(3 * i, 3 * i + 3)];
  const apart = (a: number[], b: number[]): number => Math.hypot(...a.map((x, k) => x - b[k]!));
  const beside = (p: number[], a: number[], b: number[]): number => {
    const d = b.map((x, k) => x - a[k]!);
    const square = d.reduce((sum, x) => sum + x * x, 0);
    const s = square > 0 ? Math.min(1, Math.max(0, d.reduce((sum, x, k) => sum + x * (p[k]! - a[k]!), 0) / square)) : 0;
    return apart(p, a.map((x, k) => x + s * d[k]!)); // biome-ignore format: one line
  };

  it("pass all points within the tolerance, with far fewer points, in order and with both ends", () => {
    const needed = simplifyPolyline(line, 0.002, 0.2);
    expect([needed[0], needed.at(-1)]).toEqual([0, 2999]);
    expect([...needed]).toEqual([...needed].sort((a, b) => a - b));
    expect(needed.length).toBeLessThan(250);
    for (let k = 1; k < needed.length; k++) {
      const [from, to] = [needed[k - 1]!, needed[k]!];
      expect(to - from === 1 || apart(at(from), at(to)) <= 0.2 + 1e-6).toBe(true);
      for (let i = from + 1; i < to; i++) expect(beside(at(i), at(from), at(to))).toBeLessThanOrEqual(0.002 + 1e-6);
    }
    expect([...needed].some((i) => Math.abs(i - 2000) < 3)).toBe(true); // the point where the line turns back
  });

  it("with equal points, one point or no point keep their ends", () => {
    expect([...simplifyPolyline(new Float32Array(3000).fill(2), 0.002, 0.2)]).toEqual([0, 999]);
    expect([...simplifyPolyline(Float32Array.of(1, 2, 3), 0.002, 0.2)]).toEqual([0]);
    expect([...simplifyPolyline(new Float32Array(0), 0.002, 0.2)]).toEqual([]);
  });
});

describe("between samples", () => {
  it("Hermite cubics are exact for cubics, and of fourth order for other functions", () => {
    const f = (t: number): number => 2 - t + 3 * t * t - 0.5 * t ** 3;
    const df = (t: number): number => -1 + 6 * t - 1.5 * t * t;
    for (const s of [0, 0.2, 0.5, 0.9, 1]) expect(hermiteCubic(f(1), f(3), df(1), df(3), 2, s)).toBeCloseTo(f(1 + 2 * s), 13);
    const error = (h: number): number => Math.abs(hermiteCubic(0, Math.sin(h), 1, Math.cos(h), h, 0.5) - Math.sin(h / 2));
    expect(error(0.2) / error(0.1)).toBeGreaterThan(14);
    expect(hermiteCubic(1, 3, undefined, undefined, 2, 0.25)).toBe(1.5);
  });

  it("attitudes turn at a constant rate, the shorter way", () => {
    const q = (angle: number): number[] => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
    const between = (a: number[], b: number[], s: number): Float64Array => {
      const out = new Float64Array(4);
      slerp(
        range(4).map((k) => Float64Array.of(a[k]!, b[k]!)),
        0,
        1,
        s,
        out,
        0,
      );
      return out;
    };
    for (const s of [0, 0.3, 1])
      for (const b of [q(1.2), q(1.2).map((x) => -x)])
        for (const [k, x] of between(q(0.2), b, s).entries()) expect(x).toBeCloseTo(q(0.2 + s)[k]!, 14);
    expect([...between(q(1), q(1), 0.5)]).toEqual(q(1).map((x) => expect.closeTo(x, 15)));
  });

  it("poses follow from the coordinates, and hinges stay closed", async () => {
    const model = parseModel(`
name: arm
bodies:
  - { name: base, mass: 1, inertia: [1, 1, 1], hinge: { kind: free } }
  - { name: arm, parent: base, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1], hinge: { kind: revolute, at: [0, 1, 0] } }
`);
    const motion = await RunMotion.create(model, Float64Array.of(1, 0, 0, 0, 5, 0, 0, 0));
    expect(bodyPointToWorld(motion.at(0).poses, 1, [1, 0, 0])).toEqual([6, 1, 0]);
    const names = ["t", "q.base.qw", "q.base.qx", "q.base.qy", "q.base.qz", "q.base.x", "q.base.y", "q.base.z", "q.arm"];
    const log = new RunLog(names.map((name) => ({ name, unit: "" })));
    const half = Math.SQRT1_2;
    const samples = [
      [0, 1, 0, 0, 0, 0, 0, 0, 0],
      [2, half, 0, 0, half, 4, 0, 0, Math.PI / 2],
    ];
    log.append({ count: 2, values: Float64Array.from(names.flatMap((_, c) => samples.map((sample) => sample[c]!))) });
    motion.setLog(log);
    for (const t of [0, 0.7, 1, 2]) {
      const { poses } = motion.at(t);
      const turn = (Math.PI / 4) * t;
      const [x, y] = bodyPointToWorld(poses, 0, [0, 1, 0]);
      expect([x, y]).toEqual([expect.closeTo(2 * t - Math.sin(turn), 12), expect.closeTo(Math.cos(turn), 12)]);
      expect(bodyPointToWorld(poses, 1, [0, 0, 0]).slice(0, 2)).toEqual([expect.closeTo(x, 12), expect.closeTo(y, 12)]);
      expect(bodyDirectionToWorld(poses, 1, [1, 0, 0])[0]).toBeCloseTo(Math.cos(2 * turn), 12);
    }
    expect(bodyPointToWorld(motion.atSample(1).poses, 0, [0, 0, 0])[0]).toBeCloseTo(4, 12);
    const extent = machineExtent(model, motion.at(0).poses, [[], []]);
    expect(extent).toMatchObject({ gravity: false, comoving: false, up: [0, 0, 1] });
  });

  it("angular momentum is taken about the mass centre", () => {
    const names = ["momentum.angular.", "momentum.linear.", "centre."].flatMap((head) =>
      ["x", "y", "z"].map((axis) => head + axis),
    );
    const log = new RunLog(names.map((name) => ({ name, unit: "" })));
    // A spin of 3 about z, moving along x at a distance of 1000 m: c × p = (0, 0, -2000).
    log.append({ count: 1, values: Float64Array.of(0, 0, 3 - 2000, 2, 0, 0, 5, 1000, 0) });
    expect(largestAngularMomentum(log)).toBe(3);
  });

  it("the last sample up to a time is found", () => {
    const t = Float64Array.of(0, 1, 2, 2, 3);
    expect([-1, 0, 0.5, 1, 2, 2.9, 3, 9].map((x) => sampleIndexAt(t, x))).toEqual([0, 0, 0, 1, 3, 3, 4, 4]);
  });
});

describe("the view", () => {
  const vehicle = (extra: string): Model =>
    parseModel(`
name: docking
bodies:
  - name: vehicle
    mass: 1000
    inertia: [1000, 1000, 1000]
    hinge: { kind: free }
    shapes: [{ kind: cylinder, radius: 2, length: 8, at: [0, 0, -4.1] }]
  - { name: probe, parent: vehicle, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute, at: [0.2, 0, ${extra}] }, frames: { tip: { at: [0, 0, 0.5] } }, shapes: [{ kind: box, size: [0.1, 0.1, 0.5], at: [0, 0, 0.25] }] }
`);
  const extent = (model: Model): ReturnType<typeof machineExtent> => {
    const poses = compile(programs.bodyPoses(model));
    poses.x.set([1, 0, 0, 0, 0, 0, 0, 0]);
    poses.evaluate();
    return machineExtent(
      model,
      poses.y,
      model.bodies.map(({ shapes }) => shapes),
    );
  };

  it("shows the mechanism and not an oversized body, unless that contains the mechanism", () => {
    const [outside, inside] = [extent(vehicle("0.1")), extent(vehicle("-4"))];
    expect([outside.oversized.size, inside.oversized.size]).toEqual([1, 0]);
    expect(outside.radius).toBeLessThan(0.5);
    expect(inside.radius).toBeGreaterThan(4);
    expect([outside.enclosing.size, inside.enclosing.size]).toEqual([0, 1]);
  });

  it("is chosen so that joints are visible", () => {
    const plate = (x: number, radius: number): string =>
      `{ kind: cylinder, radius: ${radius}, length: 0.05, at: [${x}, 0, 0], rotation: { rpy: [0, 90 deg, 0] } }`;
    const between = (radius: number): readonly number[] =>
      extent(
        parseModel(`
name: plates
bodies:
  - { name: plates, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${plate(-0.3, radius)}, ${plate(0.3, radius)}], frames: { a: { at: [0, 0.5, 0] }, b: { at: [0, -0.5, 0.3] } } }
  - { name: arm, parent: plates, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute } }
`),
      ).eye;
    const [open, hidden] = [between(0.01), between(1)];
    const alongAxis = (eye: readonly number[]): number => Math.abs(eye[0]!) / Math.hypot(...eye);
    expect(alongAxis(open)).toBeGreaterThan(0.6);
    expect(alongAxis(hidden)).toBeLessThan(0.3);
  });

  it("makes shapes translucent that hide a joint on most sides or contain a body, and no others", () => {
    const box = (size: string, at: string): string => `{ kind: box, size: [${size}], at: [${at}] }`;
    const walls = [
      box("2, 0.1, 2", "0, 1, 0"),
      box("2, 0.1, 2", "0, -1, 0"),
      box("0.1, 2, 2", "1, 0, 0"),
      box("0.1, 2, 2", "-1, 0, 0"),
    ];
    const seenThrough = (shapes: readonly string[], arm: string): string[] => {
      const model = parseModel(`
name: housing
bodies:
  - { name: housing, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${shapes.join(", ")}] }
  - { name: arm, parent: housing, mass: 1, inertia: [1, 1, 1], hinge: { kind: revolute, at: [0, 0, 0] }, shapes: [${arm}] }
`);
      const { occluding: surrounding } = extent(model);
      return model.bodies.flatMap(({ name, shapes: own }) => own.filter((shape) => surrounding.has(shape)).map(() => name));
    };
    const long = "{ kind: capsule, radius: 0.05, length: 4 }";
    expect(seenThrough(walls, long)).toEqual(new Array(4).fill("housing"));
    expect(seenThrough(walls.slice(0, 2), long)).toEqual([]);
    // The joint is inside the hub, and the walls hide it on one side only.
    expect(seenThrough([box("1, 1, 1", "0, 0, 0"), ...walls.slice(0, 1)], long)).toEqual([]);
    expect(seenThrough([box("1, 1, 1", "0, 0, 0")], box("0.9, 0.9, 0.9", "0, 0, 0"))).toEqual(["housing"]);
    expect(seenThrough([box("1, 1, 1", "0, 0, 0")], box("1.1, 0.9, 0.9", "0, 0, 0"))).toEqual([]);
  });

  it("is hidden by a shape that a ray hits", () => {
    const [body] = parseModel(`
name: shapes
bodies:
  - { name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [{ kind: box, size: [2, 4, 6] }, { kind: sphere, radius: 2 }, { kind: cylinder, radius: 1, length: 4 }, { kind: capsule, radius: 1, length: 2 }] }
`).bodies;
    const hits = (o: readonly [number, number, number], d: readonly [number, number, number]): boolean[] =>
      body!.shapes.map((shape) => rayHitsShape(shape, o, d));
    expect(hits([5, 0, 0], [-1, 0, 0])).toEqual([true, true, true, true]);
    expect(hits([5, 0, 0], [1, 0, 0])).toEqual([false, false, false, false]);
    expect(hits([5, 1.5, 0], [-1, 0, 0])).toEqual([true, true, false, false]);
    expect(hits([5, 0, 1.9], [-1, 0, 0])).toEqual([true, true, true, true]);
    expect(hits([5, 0.9, 1.9], [-1, 0, 0])).toEqual([true, false, true, false]);
    expect(hits([0.9, 0.9, 9], [0, 0, -1])).toEqual([true, true, false, false]);
    expect(hits([0, 0, 0], [0, 0, 1])).toEqual([true, true, true, true]);
  });

  it("contains everything, and fills the picture between two opposite edges", () => {
    const balls = [1, 0, 0, 0.3, -2, 4, 1, 0, 0, 1, -3, 0.5, 5, 5, 5, 0.1];
    const room = { sides: 0.92, top: 0.7, bottom: 0.84 };
    for (const aspect of [2.5, 1, 0.5]) {
      const camera = new PerspectiveCamera(FIELD_OF_VIEW, aspect);
      fitCamera(camera, { ...extent(vehicle("0.1")), radius: 0.1, eye: [1, -2, 0.7] }, { spheres: balls, travels: false }, room);
      camera.updateMatrixWorld();
      // Extent of the spheres in the picture, by sampling their surfaces.
      const reach = [0, 0, 0, 0];
      for (let i = 0; i < balls.length; i += 4)
        for (const a of range(40))
          for (const b of range(20)) {
            const [u, v] = [(a * Math.PI) / 20, (b * Math.PI) / 19];
            const [r, sine] = [balls[i + 3]!, Math.sin(v)];
            const p = new Vector3(
              balls[i]! + r * sine * Math.cos(u),
              balls[i + 1]! + r * sine * Math.sin(u),
              balls[i + 2]! + r * Math.cos(v),
            );
            p.project(camera);
            for (const [k, x] of [p.x, -p.x, p.y, -p.y].entries()) reach[k] = Math.max(reach[k]!, x);
          }
      const [right, left, top, bottom] = reach as [number, number, number, number];
      expect(Math.max(right, left)).toBeLessThan(0.9201);
      expect(top).toBeLessThan(0.7001);
      expect(bottom).toBeLessThan(0.8401);
      const fills = Math.min(right, left) > 0.91 || (top > 0.69 && bottom > 0.83);
      expect(fills).toBe(true);
    }
  });
});

describe("logs from blocks", () => {
  it("contain the samples in order for every division into blocks", () => {
    const log = new RunLog(
      ["t", "x"].map((name) => ({ name, unit: "" })),
      2,
    );
    let at = 0;
    for (const count of [1, 3, 0, 7, 100]) {
      const samples = range(count).map((i) => at + i);
      log.append({ count, values: Float64Array.from([...samples, ...samples.map((i) => -i)]) });
      at += count;
    }
    expect([log.length, log.endTime]).toEqual([111, 110]);
    expect([...log.column("x")]).toEqual(range(111).map((i) => -i));
    expect(log.column("nothing").length).toBe(0);
    expect(log.has("nothing")).toBe(false);
  });

  it("have zeros for channels that are absent from a block", () => {
    const log = new RunLog(
      ["t", "x", "y"].map((name) => ({ name, unit: "" })),
      3,
    );
    log.append({ count: 2, present: Int32Array.of(0), values: Float64Array.of(0, 1) });
    expect([[...log.column("x")], log.recordedBlock(0, 2).values]).toEqual([[0, 0], Float64Array.of(0, 1, 0, 0, 0, 0)]);
    log.append({ count: 2, present: Int32Array.of(0, 2), values: Float64Array.of(2, 3, 7, 8) });
    log.append({ count: 3, present: Int32Array.of(0), values: Float64Array.of(4, 5, 6) });
    expect(log.recordedBlock(3, 6).values).toEqual(Float64Array.of(3, 4, 5, 0, 0, 0, 8, 0, 0));
    expect(["t", "x", "y"].map((name) => [...log.column(name)])).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [0, 0, 0, 0, 0, 0, 0],
      [0, 0, 7, 8, 0, 0, 0],
    ]);
  });

  it("request channels that were not recorded on first use, those with the fewest samples first", () => {
    const log = new RunLog(
      ["t", "a", "b"].map((name) => ({ name, unit: "" })),
      4,
      ["t"],
    );
    let asked = 0;
    log.onRequest = () => asked++;
    log.append({ count: 5, values: Float64Array.of(0, 1, 2, 3, 4) });
    expect([log.has("a"), log.nextMissing(9), asked]).toEqual([true, undefined, 0]);
    expect([log.column("a").length, log.column("a").length, asked]).toEqual([0, 0, 1]);
    expect(log.nextMissing(3)).toEqual({ names: ["a"], first: 0, end: 3 });
    const { version } = log;
    log.appendComputed(["a"], { count: 3, values: Float64Array.of(10, 11, 12) });
    expect(log.version).toBeGreaterThan(version);
    expect(log.column("b").length).toBe(0);
    expect(log.nextMissing(9)).toEqual({ names: ["b"], first: 0, end: 3 });
    log.appendComputed(["b"], { count: 3, values: Float64Array.of(20, 21, 22) });
    expect(log.nextMissing(9)).toEqual({ names: ["a", "b"], first: 3, end: 5 });
    expect(log.recordedBlock(3, 5)).toEqual({ count: 2, values: Float64Array.of(3, 4) });
    log.appendComputed(["a", "b"], { count: 2, values: Float64Array.of(13, 14, 23, 24) });
    expect([[...log.column("a")], [...log.column("b")], log.nextMissing(9)]).toEqual([
      [10, 11, 12, 13, 14],
      [20, 21, 22, 23, 24],
      undefined,
    ]);
  });

  it("request no more than fits into memory", () => {
    const log = new RunLog(
      ["t", "a", "b"].map((name) => ({ name, unit: "" })),
      1,
      ["t"],
    );
    const count = MAX_LOG_NUMBERS / 2;
    log.append({ count, values: new Float64Array(count) });
    log.column("a");
    log.column("b");
    expect(log.nextMissing(9)!.names).toEqual(["a"]);
  });
});

describe("addresses", () => {
  it("can contain any text", async () => {
    for (const text of ["", "name: ü ω 😀\n", "x".repeat(200_000)]) {
      const packed = await packText(text);
      expect(packed).toMatch(/^[\w-]*$/);
      expect(await unpackText(packed)).toBe(text);
    }
    const whole = await packText("something longer than nothing");
    await expect(unpackText(whole.slice(0, 9))).rejects.toThrow("may have been cut off");
    await expect(unpackText("§")).rejects.toThrow("may have been cut off");
    const bomb = await packText("0".repeat(33e6));
    expect(bomb.length).toBeLessThan(50_000);
    await expect(unpackText(bomb)).rejects.toThrow("unpacks to more than 32 MB");
  });
});

describe("the studio's sources", () => {
  /** Formatting of numbers and axes, which the plots share with the report. */
  const SHARED = ["numbers", "plots/line-labels", "plots/axis-scale"].map((name) => `../../src/report/${name}.ts`);

  it("import the library only by its public name", () => {
    const folder = fileURLToPath(new URL("../../../studio/src/", import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const imports = files.flatMap((name) =>
      Array.from(readFileSync(join(folder, name), "utf8").matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g), ([, to]) =>
        to!.startsWith(".") ? relative(folder, join(folder, dirname(name), to!)) : to!,
      ),
    );
    const outside = new Set(
      imports.filter((to) => !files.includes(to) && !/^three(\/addons\/|$)/.test(to) && !to.endsWith(".css")),
    );
    expect([...outside].sort()).toEqual([...SHARED, "castor", "uplot"].sort());
    expect(imports.length).toBeGreaterThan(100);
  });
});

describe("the store", () => {
  it("calls each listener once per change of a watched key", () => {
    const store = new Store({ a: 1, b: 2, c: 3 });
    const told: string[] = [];
    const stop = store.watch(["a", "b"], ({ a, b }) => told.push(`${a} ${b}`));
    store.set({ a: 5, b: 6 });
    store.set({ c: 9 });
    store.set({ a: 5 });
    stop();
    store.set({ a: 7 });
    expect(told).toEqual(["1 2", "5 6"]);
  });
});

describe("files of a scenario", () => {
  const source: ScenarioSource = {
    name: "x",
    path: "x/scenario.yaml",
    text: "",
    files: { "m/model.yaml": "name: m" },
    builtIn: false,
  };
  it("are those next to it and the built-in models", () => {
    const files = filesOfSource(source, [{ name: "four-bar", files: { "model.yaml": "name: f" } }]);
    expect(files.readBeside("./m/model.yaml")).toEqual({ text: "name: m", source: "x/m/model.yaml" });
    expect(files.readBuiltIn("four-bar").text).toBe("name: f");
    expect(() => files.readBeside("other.yaml")).toThrow("Drop it together with the scenario");
    expect(() => files.readBeside("toString")).toThrow("is missing among the opened files");
  });
});

describe("elastic bodies", () => {
  const model = (...more: readonly string[]): Model =>
    parseModel(
      [
        "name: m",
        "bodies:",
        "  - name: rod",
        "    elastic: { length: 2 m, material: steel, section: { kind: round, diameter: 20 mm }, freedoms: [rz], joints: 4 }",
        "    hinge: { kind: fixed }",
        ...more,
      ].join("\n"),
      "m.yaml",
    );
  const sections = (m: Model, q: readonly number[]): ReturnType<typeof rodSections> => {
    const kernel = compile(programs.bodyPoses(m));
    kernel.x.set(q);
    kernel.evaluate();
    return rodSections(elasticRods(m)[0]!, kernel.y);
  };

  it("are found by their springs; other springs are ignored", () => {
    const rods = elasticRods(model());
    expect(rods.map(({ name, links, round }) => [name, links.length, round])).toEqual([["rod", 5, true]]);
    const spring = "springs: [{ name: drive, joints: [{ hinge: rod-2, stiffness: [1] }] }]";
    expect(elasticRods(model(spring)).map(({ name }) => name)).toEqual(["rod"]);
  });

  it("are straight at rest, and bend without corners", () => {
    const m = model();
    const straight = sections(m, new Array(m.nq).fill(0));
    for (const { at, size } of straight) expect([at[1], at[2], ...size].map((v) => +v.toFixed(12))).toEqual([0, 0, 0.02, 0.02]);
    expect([straight[0]!.at[0], straight.at(-1)!.at[0]].map((v) => +v.toFixed(12))).toEqual([0, 2]);
    const bent = sections(m, new Array(m.nq).fill(0.2)).map(({ at }) => at);
    const directions = bent.slice(1).map((b, i) => Math.atan2(...([1, 0].map((k) => b[k]! - bent[i]![k]!) as [number, number])));
    const turns = directions.slice(1).map((d, i) => Math.abs(d - directions[i]!));
    expect(Math.abs(directions.at(-1)!)).toBeGreaterThan(0.7); // four joints of 0.2 rad
    expect(Math.max(...turns)).toBeLessThan(0.1); // no corner as large as a joint
  });
});

describe("contact forces in a log", () => {
  const names = ["t", "px", "py", "pz", "fx", "fy", "fz"];
  const channels = { name: "", point: ["px", "py", "pz"], force: ["fx", "fy", "fz"] } as const;
  const log = new RunLog(names.map((name) => ({ name, unit: "" })));
  const rows = [
    [0, 0, 0, 0, 0, 0, 0],
    [1, 5, 0, 0, 0, 0, 10],
    [2, 6, 0, 0, 0, 0, 20],
    [3, 0, 0, 0, 0, 0, 0],
  ];
  log.append({ count: 4, values: Float64Array.from(names.flatMap((_, c) => rows.map((row) => row[c]!))) });

  it("are interpolated only between samples with contact", () => {
    expect(contactForceAt(log, channels, 0.4)).toBeUndefined();
    expect(contactForceAt(log, channels, 0.6)?.point).toEqual([5, 0, 0]);
    expect(contactForceAt(log, channels, 1.5)).toEqual({ point: [5.5, 0, 0], force: [0, 0, 15] });
    expect(contactForceAt(log, channels, 2.4)?.force).toEqual([0, 0, 20]);
    expect(contactForceAt(log, channels, 9)).toBeUndefined();
  });
});
