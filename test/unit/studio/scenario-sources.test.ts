import { describe, expect, it } from "vitest";
import { filesOfSource, type ScenarioSource } from "../../../studio/src/files/scenario-sources.ts";

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
