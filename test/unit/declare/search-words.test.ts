import { describe, expect, test } from "vitest";
import { matchesSearch } from "../../../src/declare/search-words.ts";

describe("search", () => {
  test.each([
    ["tau.elbow torque about the hinge", "torque"],
    ["tau.elbow", "torque"],
    ["tau.elbow", "Torques"],
    ["tau.elbow", "tau"],
    ["q.elbow", "angle"],
    ["q.elbow", "joint angle"],
    ["q.elbow", "joint position elbow"],
    ["u.base.wx", "omega"],
    ["u.base.wx", "angular velocity"],
    ["u.elbow", "velocity"],
    ["q.base.qw", "attitude"],
    ["reaction.elbow.fx", "constraint force"],
    ["revolute a hinge that turns about one axis", "joint"],
    ["hinges revolute turns about one axis", "joint"],
    ["hinges revolute turns about one axis", "joints"],
    ["reaction-wheels wheels with motors", "reaction wheel"],
    ["q.elbow", ""],
    ["q.elbow", "  ELBOW "],
  ])("%j matches %j", (text, query) => {
    expect(matchesSearch(text, query)).toBe(true);
  });

  test.each([
    ["q.elbow", "torque"],
    ["u.base.vx", "omega"],
    ["energy.kinetic", "joint"],
    ["tau.elbow", "torque wrist"],
    ["energy.tau.", "torque"],
  ])("%j does not match %j", (text, query) => {
    expect(matchesSearch(text, query)).toBe(false);
  });
});
