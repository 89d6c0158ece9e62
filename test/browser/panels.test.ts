/** Plots, settings, audit and About pages in a browser. Runs are compared with those of Node. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { csvLog } from "../../src/formats/log/log-csv.ts";
import type { Log } from "../../src/log/log.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { runScenario } from "../../src/scenario/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { builtIn } from "../fixtures/models/pendulum.ts";
import {
  columnOf,
  drag,
  openScenario,
  openStudioPage,
  type StudioPage,
  savedFile,
  type,
  waitForRun,
  write,
} from "../fixtures/pages/studio-page.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
});
afterAll(() => studio?.close());

const logOf = async (scenario: Scenario): Promise<Log> => (await runScenario(scenario)).run.log;

/** The field of a setting, found by its path in the search box. */
async function field(path: string): Promise<ReturnType<StudioPage["page"]["locator"]>> {
  await type(studio.page.locator('[aria-label="Find a setting"]'), path);
  return studio.page.locator(`[data-path="${path}"] :is(input, select)`);
}

async function setTo(path: string, text: string): Promise<void> {
  const input = (await field(path)).first();
  await write(input, text);
}

/** The columns of the current run for all channels of a log. */
const columnsOf = (log: Log): Promise<number[][]> =>
  studio.page.evaluate(
    async (names) => {
      const { runs, current } = window.studio.state;
      const run = runs.find(({ id }) => id === current)!;
      await window.studio.completeChannels(run, names);
      return names.map((name) => [...run.log.column(name)]);
    },
    log.channels.map(({ name }) => name),
  );

/** Expects a bit-identical run: kernels and step control use plain arithmetic. */
async function expectSameRun(scenario: Scenario): Promise<void> {
  await waitForRun(studio.page);
  const log = await logOf(scenario);
  for (const [c, ours] of (await columnsOf(log)).entries()) {
    const { name } = log.channels[c]!;
    const theirs = log.column(name);
    expect(ours.length).toBe(log.length);
    const apart = ours.reduce((most, value, i) => Math.max(most, Math.abs(value - theirs[i]!)), 0);
    expect(apart, name).toBe(0);
  }
}

const saved = (action: () => Promise<unknown>): ReturnType<typeof savedFile> => savedFile(studio.page, action);

const overrides = (): Promise<string[]> =>
  studio.page.evaluate(() => window.studio.state.overrides.map(({ path, value }) => `${path}=${JSON.stringify(value)}`));

describe("a changed scenario", () => {
  beforeEach(() => openScenario(studio, "free-floating-arm"));

  it("runs as on the command line with the same --set", async () => {
    await setTo("model.bodies.elbow.mass", "7.5 kg");
    await expectSameRun(builtIn("free-floating-arm", "model.bodies.elbow.mass=7.5 kg"));
    await setTo("state.q.elbow", "-75 deg");
    await (await field("formulation")).selectOption("kane");
    await expectSameRun(
      builtIn("free-floating-arm", "model.bodies.elbow.mass=7.5 kg", "state.q.elbow=-75 deg", "formulation=kane"),
    );
    await (await field("integrator.name")).selectOption("rk4");
    await waitForRun(studio.page);
    expect(await overrides()).toContain("integrator.step=0.1");
    await (await field("integrator.name")).selectOption("dop853");
    await waitForRun(studio.page);
    expect(await overrides()).not.toContainEqual(expect.stringContaining("undefined"));
  });

  it("can have another kind of shape: the fields change with the kind, and Reset restores them", async () => {
    const { page } = studio;
    await type(page.locator('[aria-label="Find a setting"]'), "mass");
    await openScenario(studio, "contact-bouncing");
    expect(await page.inputValue('[aria-label="Find a setting"]')).toBe(""); // the search text belonged to another scenario
    const shape = "forces.lively-ball.shapes[0]";
    const labels = (): Promise<string[]> => page.locator(`[data-path^="${shape}."] label`).allTextContents();
    // Without a search text, groups that were opened stay open.
    for (const group of ["forces", "forces/lively-ball", "forces/lively-ball/shapes 1"])
      if ((await page.getAttribute(`[data-group="${group}"]`, "open")) === null)
        await page.click(`[data-group="${group}"] > summary`);
    const kind = page.locator(`[data-path="${shape}.kind"] select`);
    await kind.waitFor();
    expect(await labels()).toEqual(["kind", "name", "on", "at", "radius", "copies", "around"]);
    const before = await columnOf(page, "q.lively.z");
    await kind.focus();
    await kind.selectOption("box");
    await waitForRun(page);
    expect(await labels()).toEqual(["kind", "name", "on", "at", "size", "rpy", "copies", "around"]);
    // The focus stays, although the fields are new.
    expect(await page.evaluate(() => document.activeElement?.closest<HTMLElement>("[data-path]")?.dataset.path)).toBe(
      `${shape}.kind`,
    );
    await setTo(`${shape}.at`, "0.01");
    await waitForRun(page);
    const set = `${shape}={kind: box, on: lively, size: [0.2, 0.2, 0.2]}`;
    await expectSameRun(builtIn("contact-bouncing", set, `${shape}.at=[0.01, 0, 0]`));
    await field(`${shape}.kind`);
    await page.click(`[aria-label="Reset ${shape}.kind"]`);
    await waitForRun(page);
    expect(await overrides()).toEqual([]);
    expect(await columnOf(page, "q.lively.z")).toEqual(before);
    // An impossible value is reported and not applied.
    await (await field(`${shape}.kind`)).selectOption("ground");
    expect(await page.locator(`[data-path="${shape}.kind"] [role=alert]`).count()).toBe(1);
    expect(await overrides()).toEqual([]);
  });

  it("does not run with a wrong value: the field shows the problem", async () => {
    await setTo("model.bodies.elbow.mass", "-2 kg");
    const problem = studio.page.locator('[data-path="model.bodies.elbow.mass"] [role=alert]');
    expect(await problem.textContent()).toContain("must not be negative");
    expect(await studio.page.getAttribute('[data-path="model.bodies.elbow.mass"] input', "aria-invalid")).toBe("true");
    await setTo("model.bodies.elbow.mass", "2 deg");
    expect(await problem.textContent()).toContain("wrong dimension");
    await setTo("model.bodies.elbow.mass", "[1");
    expect(await problem.count()).toBe(1);
    expect(await overrides()).toEqual([]);
    await setTo("model.bodies.elbow.mass", "9");
    expect(await problem.count()).toBe(0);
    expect(await overrides()).toEqual(["model.bodies.elbow.mass=9"]);
  });

  it("can be undone and redone, with keys and with buttons", async () => {
    const { page } = studio;
    const before = await columnOf(page, "q.elbow");
    await setTo("state.q.elbow", "-10 deg");
    await waitForRun(page);
    const after = await columnOf(page, "q.elbow");
    expect(after).not.toEqual(before);
    const chips = (): Promise<string[]> => page.locator(".run-chip .name").allTextContents();
    expect(await chips()).toEqual(["state.q.elbow=-10 deg", "as in the file"]);
    await page.keyboard.press("Control+z");
    await waitForRun(page);
    expect(await columnOf(page, "q.elbow")).toEqual(before);
    expect(await chips()).toEqual(["as in the file"]); // a run is not compared with itself
    await page.keyboard.press("Control+Shift+z");
    await waitForRun(page);
    expect(await columnOf(page, "q.elbow")).toEqual(after);
    expect(await chips()).toEqual(["state.q.elbow=-10 deg", "as in the file"]);
    // In a shorter run, time and zoom move inside the run.
    await page.evaluate(() => {
      window.studio.seek(50);
      window.studio.store.set({ zoom: [40, 60] });
    });
    await setTo("duration", "5");
    await waitForRun(page);
    expect(await page.evaluate(() => [window.studio.state.time, window.studio.state.zoom])).toEqual([5, undefined]);
    await page.keyboard.press("Control+z");
    await page.click('button:text-is("Reset")');
    expect(await overrides()).toEqual([]);
    await page.click('[aria-label="Undo (Ctrl+Z)"]');
    expect(await overrides()).toEqual(['state.q.elbow="-10 deg"']);
  });

  it("is saved as a file with the same scenario, and is restored after a reload", async () => {
    const { page } = studio;
    await setTo("model.bodies.elbow.mass", "8 kg");
    await setTo("integrator.relativeTolerance", "1e-11");
    const { name, bytes } = await saved(() => page.click('[aria-label^="Save as a file"]'));
    expect(name).toBe("free-floating-arm.yaml");
    await expectSameRun(loadScenario(bytes.toString(), name));
    await page.reload();
    await waitForRun(page);
    expect(await overrides()).toEqual(['model.bodies.elbow.mass="8 kg"', "integrator.relativeTolerance=1e-11"]);
    await expectSameRun(loadScenario(bytes.toString(), name));
  });

  it("can be compared with the unchanged run, on the same axes and as a difference", async () => {
    const { page } = studio;
    const before = await columnOf(page, "q.elbow");
    await setTo("state.u.elbow", "-0.4");
    await waitForRun(page);
    const after = await columnOf(page, "q.elbow");
    await page.waitForSelector(".run-chip:not(.current)");
    expect(await page.locator(".run-chip").allTextContents()).toEqual(["state.u.elbow=-0.4", "as in the file×"]);
    await page.click('button:text-is("Difference")');
    await page.evaluate(() => window.studio.seek(60));
    const chip = page.locator(".chip", { hasText: "Δ q.elbow" }).locator("output");
    const degrees = ((after.at(-1)! - before.at(-1)!) * 180) / Math.PI;
    expect(Number((await chip.textContent())!.replace("−", "-"))).toBeCloseTo(degrees, 2);
    const reaction = "reaction.elbow.tz"; // not requested before, so not recorded
    const [wasRecorded, late] = await page.evaluate(async (name) => {
      const { runs, current } = window.studio.state;
      const old = runs.find(({ id }) => id !== current)!;
      const recorded = old.log.recorded.includes(name);
      await window.studio.completeChannels(old, [name]);
      return [recorded, [...old.log.column(name)]] as const;
    }, reaction);
    const scenario = builtIn("free-floating-arm");
    expect(wasRecorded).toBe(false);
    expect(late).toEqual([...(await logOf({ ...scenario, channels: scenario.available })).column(reaction)]);
    await page.click('[aria-label="Remove as in the file from the comparison"]');
    expect(await page.locator('button:text-is("Difference")').isVisible()).toBe(false);
  });

  it("leaves the page usable when its run is cancelled", async () => {
    const { page } = studio;
    await page.goto(`${studio.server.address}#/scenario/free-floating-arm?set=duration%3D10+h&set=audit%3Dnull&set=sample%3D10`);
    await page.waitForFunction(() => window.studio.endTime() > 0);
    await page.click('[aria-label="Cancel the run"]');
    await page.waitForFunction(() => window.studio.state.runs.at(-1)!.status === "cancelled");
    const [times, late] = [await columnOf(page, "t"), await columnOf(page, "acceleration.elbow.x")];
    expect(times.length).toBeGreaterThan(0);
    expect(late.length).toBe(times.length);
    await page.click('button:text-is("Reset")');
    await expectSameRun(builtIn("free-floating-arm"));
  });
});

describe("plots", () => {
  beforeAll(() => openScenario(studio, "satellite-manipulator"));

  it("are those that the scenario declares, with the values at the current time", async () => {
    const { page } = studio;
    expect(await page.locator(".plot figcaption").allTextContents()).toEqual([
      "Hinge angles",
      "Hinge rates (figure 3.2.4)",
      "Angular velocity of the satellite",
      "Energy",
    ]);
    await page.evaluate(() => window.studio.seek(8));
    const shown = page.locator(".chip", { hasText: "q.waist" }).locator("output");
    const last = (await columnOf(page, "q.waist")).at(-1)!;
    await expect.poll(async () => Number((await shown.textContent())!.replace("−", "-"))).toBeCloseTo(last, 4); // updated with the next frame
  });

  it("get channels by keyboard and by dragging, and lose them again", async () => {
    const { page } = studio;
    await page.click("#tab-channels");
    await type(page.locator('[aria-label="Find a channel"]'), "tau.");
    const channel = page.locator('[aria-label="tau.waist"]');
    await channel.focus();
    await page.keyboard.press("Enter");
    const first = page.locator(".plot").first();
    await first.locator(".chip", { hasText: "tau.waist" }).waitFor({ state: "attached" }); // it may not fit into the legend
    expect(await channel.getAttribute("aria-pressed")).toBe("true");
    await drag(page, '[aria-label="tau.hand"]', ".plot >> nth=2");
    await page.locator(".plot").nth(2).locator(".chip", { hasText: "tau.hand" }).waitFor({ state: "attached" });
    await first.locator('[aria-label="Remove tau.waist from the plot"]').press("Enter");
    await first.locator(".chip", { hasText: "tau.waist" }).waitFor({ state: "detached" });
    await type(page.locator('[aria-label="Find a channel"]'), "");
  });

  it("show the audit with one click, zoom, and move the current time", async () => {
    const { page } = studio;
    await page.click('.plot-tools button:text-is("Audit")');
    const audit = page.locator(".plot figcaption", { hasText: "Audit: energy balance" });
    await audit.waitFor();
    await page.click('.plot-tools button:text-is("Audit")');
    await audit.waitFor({ state: "detached" });
    const area = (await page.locator(".plot .u-over").first().boundingBox())!;
    await page.mouse.move(area.x + area.width * 0.25, area.y + 20);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width * 0.75, area.y + 20, { steps: 4 });
    await page.mouse.up();
    const zoom = await page.evaluate(() => window.studio.state.zoom!);
    expect(zoom[0]).toBeCloseTo(2, 0);
    expect(zoom[1]).toBeCloseTo(6, 0);
    await page.mouse.click(area.x + area.width * 0.5, area.y + 20);
    expect(await page.evaluate(() => window.studio.state.time)).toBeCloseTo((zoom[0] + zoom[1]) / 2, 1);
    await page.click('[aria-label="Show the whole run"]');
    expect(await page.evaluate(() => window.studio.state.zoom)).toBeUndefined();
  });

  it("are saved: the run as log.csv of the command line, a plot as CSV, SVG and PNG", async () => {
    const { page } = studio;
    // Reactions by `matrix` are bit-identical to those of the command line, too.
    await (await field("formulation")).selectOption("matrix");
    await expectSameRun(builtIn("satellite-manipulator", "formulation=matrix"));
    await openScenario(studio, "satellite-manipulator");
    const log = await logOf(builtIn("satellite-manipulator"));
    const run = await saved(() => page.click('[aria-label^="Save the run as CSV"]'));
    expect(run.name).toBe("satellite-manipulator-log.csv");
    expect(run.bytes.toString()).toBe([...csvLog(log)].join(""));
    const save = (item: string) => async (): Promise<void> => {
      await page.click('[aria-label^="Save the plot Hinge angles"]');
      await page.click(`[popover]:popover-open >> text=${item}`);
    };
    const numbers = await saved(save("CSV"));
    expect(numbers.bytes.toString().split("\n")[0]).toBe("t [s],q.waist [rad],q.upper-arm [rad],q.forearm [rad],q.hand [rad]");
    const drawing = await saved(save("SVG"));
    expect(drawing.bytes.toString()).toMatch(/^<svg [\s\S]*Hinge angles[\s\S]*q\.forearm[\s\S]*<\/svg>\n$/);
    const picture = await saved(save("PNG"));
    expect(picture.bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(picture.bytes.readUInt32BE(16)).toBe(1920);
  });
});

describe("information about a run", () => {
  beforeAll(() => openScenario(studio, "four-bar"));

  it("includes the audit badge, and the rows of the audit on a click", async () => {
    const { page } = studio;
    const badge = page.locator(".badge");
    expect(await badge.getAttribute("data-verdict")).toBe("good");
    expect(await badge.textContent()).toMatch(/^energy .*loops /);
    await badge.click();
    expect(await page.locator("#audit-details tbody th").allTextContents()).toEqual(["energy", "loop closure", "loop speed"]);
    await page.keyboard.press("Escape");
  });

  it("includes the selected body, with its settings and channels", async () => {
    const { page } = studio;
    await page.click("#tab-outline");
    await page.click('#panel-outline button:has-text("coupler")');
    expect(await page.textContent(".picked-card")).toContain("revolute on crank");
    expect(await page.locator('[data-path="model.bodies.coupler.mass"] input').isVisible()).toBe(true);
    await page.click('.picked-card button:text-is("position")');
    await page.locator(".plot figcaption", { hasText: "coupler: position" }).waitFor();
    await page.click('[aria-label="Clear the selection"]');
    expect(await page.locator(".picked-card").isVisible()).toBe(false);
  });

  it("includes a verification with every formulation", async () => {
    const { page } = studio;
    await page.click('button:text-is("Verify")');
    await page.waitForSelector("[data-verdict=agree]", { timeout: 30_000 });
    expect(await page.textContent("dialog[open]")).toMatch(/Formulations: articulated, kane, matrix, partition\b/);
    expect(Number((await page.textContent(".largest"))!.replace("−", "-").split(" ")[0])).toBeLessThan(1e-8);
    await page.keyboard.press("Escape");
    expect(await page.locator("dialog[open]").count()).toBe(0);
  });

  it("includes an About page with published values", async () => {
    const { page } = studio;
    await openScenario(studio, "satellite-manipulator");
    await page.click('[aria-label="About this scenario"]');
    await page.waitForSelector("dialog[open] table");
    const text = (await page.textContent("dialog[open]"))!;
    expect(text).toContain("Example 1 of NAL TR-942");
    expect(text).toContain("Printed in the report");
    expect(await page.locator("dialog[open] td", { hasText: "θ2 at 2 s" }).count()).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
  });

  it("has an accessible name on every button and field, and no console messages", async () => {
    const nameless = await studio.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, input, select, a")]
        .filter((e) => e.offsetParent !== null)
        .filter((e) => {
          const labels = "labels" in e ? [...((e as HTMLInputElement).labels ?? [])] : [];
          const name = e.getAttribute("aria-label") ?? (labels.map((l) => l.textContent).join("") || e.textContent);
          return name?.trim() === "";
        })
        .map((e) => e.outerHTML),
    );
    expect(nameless).toEqual([]);
    // Screen readers do not announce numbers that follow the time, and every plot has a name.
    expect(await studio.page.locator("output:not([aria-live=off])").count()).toBe(0);
    expect(await studio.page.locator("figure").evaluateAll((all) => all.filter((e) => !e.ariaLabel).length)).toBe(0);
    expect(studio.complaints).toEqual([]);
  });
});
