/** The studio in a browser, as a user has it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScenario, openStudioPage, type StudioPage } from "./studio-page.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
});
afterAll(() => studio.close());

describe("the studio", () => {
  it("opens a scenario and runs it", async () => {
    await openScenario(studio, "satellite-manipulator");
    expect(await studio.page.textContent("h1")).toBe("satellite with a four-link manipulator");
    expect(studio.complaints).toEqual([]);
  });
});
