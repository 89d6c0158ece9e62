/** castor modes: its results, its page, and its messages for wrong arguments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

describe("castor modes", () => {
  const folder = workFolder();

  it("of the arm with two elastic links and locked motors agree with two independent computations", () => {
    // About the equilibrium of the PD-controlled arm; rods of the paper, masses as printed.
    const q =
      "{ motor-1: 0.62647036, drive-1: -0.00571243, link-1-2: -0.00879742, link-1-3: -0.00791771, motor-2: 0.69031439, drive-2: -0.00076777, link-2-2: -0.01866504, link-2-3: -0.00604319 }";
    const { stdout, status } = castor(folder, [
      "modes",
      "flexible-two-link",
      "--lock",
      "motor-1,motor-2",
      "--set",
      `state.q=${q}`,
      "--json",
    ]);
    expect(status).toBe(0);
    const { modes, leftOut } = JSON.parse(stdout) as {
      modes: { frequency: number; dampingRatio: number; kind: string; eigenvalue: { re: number } }[];
      leftOut: string[];
    };
    const expected = [
      [2.0595356, 0.0105348],
      [5.4374979, 0.0125852],
      [50.105317, 0.396015],
      [100.953537, 0.2431937],
    ];
    for (const [i, [f, zeta]] of expected.entries()) {
      expect(Math.abs(modes[i]!.frequency / f! - 1)).toBeLessThan(3e-4);
      expect(Math.abs(modes[i]!.dampingRatio / zeta! - 1)).toBeLessThan(3e-4);
    }
    expect(Math.abs(modes.at(-1)!.eigenvalue.re / -200415.7 - 1)).toBeLessThan(1e-3);
    expect(leftOut).toEqual(["motor-1-friction", "motor-2-friction"]);
  });

  it("writes a page that does not use the network", () => {
    const page = join(folder, "modes.html");
    const { status, stdout } = castor(folder, ["modes", "flexible-satellite", "--lock", "shoulder,forearm", "--report", page]);
    expect(status).toBe(0);
    expect(stdout).toContain("rigid");
    const text = readFileSync(page, "utf8");
    expect(text).toContain("default-src 'none'");
    expect(text).not.toMatch(/https?:\/\//);
    expect(text.match(/<canvas/g)).toHaveLength(12);
    // Smooth curves: four edges of each paddle and the centre line of the arm. Bus and payload are drawn by their shapes.
    const { curves, points, motions } = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(text)![1]!);
    expect(curves.filter((c: { kind: string }) => c.kind === "smooth")).toHaveLength(9);
    expect(curves.filter((c: { elastic: boolean }) => !c.elastic).length).toBeGreaterThan(6);
    expect(motions[0]).toHaveLength(points.length);
    expect(points.flat().every(Number.isFinite)).toBe(true);
  });

  it("reports an unknown lock and a wrong count", () => {
    expect(castor(folder, ["modes", "flexible-cantilever", "--lock", "rood-2"]).stderr).toContain("rod-2");
    expect(castor(folder, ["modes", "flexible-cantilever", "--lock", "foo"]).stderr).toContain(
      "are: rod-2, rod-3, rod-4, rod-5\n",
    );
    expect(castor(folder, ["modes", "flexible-cantilever", "--count", "no"])).toMatchObject({ status: 2 });
    expect(castor(folder, ["modes", "simple-pendulum", "--rest", "--json"]).status).toBe(0);
  });

  it("about a state that is not at rest say so, in JSON too", () => {
    const { imbalance, remarks } = JSON.parse(castor(folder, ["modes", "simple-pendulum", "--json"]).stdout);
    expect(imbalance).toBeGreaterThan(1);
    expect(remarks.at(-1)).toMatch(
      /^Not at rest there: unbalanced forces up to [0-9.]+ N or N m. Use --rest to find the equilibrium.$/,
    );
  });
});
