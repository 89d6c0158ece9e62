/** createForce and createController: kind and parameters are one typed union. A wrong kind or key is an error of the compiler, and of the call. */
import { buildModel, createController, createForce } from "castor";
import { describe, expect, it } from "vitest";

const arm = buildModel("arm")
  .body({ name: "upper", mass: 2, inertia: [0.1, 0.2, 0.2], com: [0.5, 0, 0], hinge: { kind: "revolute", axis: "y" } })
  .build();

describe("typed descriptions of parts", () => {
  it("create a force element", () => {
    const spring = createForce(arm, { kind: "hinge-spring", name: "spring", hinge: "upper", stiffness: 3 });
    expect(spring).toMatchObject({ name: "spring", kind: "hinge-spring" });
  });

  it("create a controller", () => {
    const hinges = [{ hinge: "upper", actuator: "motor", kp: 4, kd: 1, reference: 0.2 }];
    const hold = createController(arm, { kind: "hinge-pd", name: "hold", period: 0.01, hinges });
    expect(hold.name).toBe("hold");
  });

  it("refuse a wrong kind", () => {
    // @ts-expect-error there is no such kind
    expect(() => createForce(arm, { kind: "hinge-sprong", name: "s", hinge: "upper" })).toThrow(/Did you mean "hinge-spring"/);
    // @ts-expect-error a force is not a controller
    expect(() => createController(arm, { kind: "hinge-spring", name: "s", hinge: "upper" })).toThrow(
      /no such kind of controller/,
    );
  });

  it("refuse a wrong key, a wrong type and a missing key", () => {
    // @ts-expect-error the parameter is called stiffness
    expect(() => createForce(arm, { kind: "hinge-spring", name: "s", hinge: "upper", stifness: 3 })).toThrow(/stifness/);
    // @ts-expect-error a stiffness is a number
    expect(() => createForce(arm, { kind: "hinge-spring", name: "s", hinge: "upper", stiffness: "3" })).toThrow(/s\.stiffness/);
    // @ts-expect-error the hinge is missing
    expect(() => createForce(arm, { kind: "hinge-spring", name: "s", stiffness: 3 })).toThrow(/s\.hinge: is missing/);
    // @ts-expect-error the name is missing
    expect(() => createForce(arm, { kind: "hinge-spring", hinge: "upper" })).toThrow(/^description\.name: must be text/);
    // @ts-expect-error the arguments are in the wrong order
    expect(() => createForce("hinge-spring", "s", { hinge: "upper" }, arm)).toThrow(/description/);
  });
});
