/** Conservation of energy and momentum of a free satellite with elastic parts. */
import { runScenario } from "../../scenario/run.ts";
import { change, type Validation } from "../validation.ts";
import { row } from "./rods.ts";

export const flexibleSatellite: Validation = {
  name: "flexible-satellite",
  title: "A free satellite with elastic paddles and arm, without damping, for 600 s",
  source: "conservation laws",
  scenario: "flexible-satellite",
  async tables(load) {
    const elastic = ["paddle-left", "paddle-right", "upper-arm"];
    const { run } = await runScenario(
      load("flexible-satellite", [
        ...elastic.map((name) => change(`model.bodies.${name}.elastic.damping`, 0)),
        change("controllers", {}),
        change("forces", { hold: { kind: "hinge-spring", hinge: ["shoulder", "forearm"], stiffness: [400, 200] } }),
        change("state", {
          u: { bus: [0.01, 0.02, 0.015, 0, 0, 0], "paddle-left-2": [0, 0.05], "paddle-right-2": [0.03, 0.04] },
        }),
        change("integrator", { name: "dop853", relativeTolerance: 1e-9, absoluteTolerance: 1e-10 }),
        change("duration", 600),
        change("sample", 1),
        change("channels", ["energy.*"]),
        change("plots", []),
      ]),
    );
    const limits: Readonly<Record<string, number>> = { energy: 1e-7, "angular momentum": 1e-10, "linear momentum": 1e-10 };
    return [
      {
        title: "Relative drift, largest of all samples",
        origin: "conservation law",
        rows: run.audit.flatMap(({ channel, worst }) =>
          limits[channel] === undefined ? [] : [row(channel, "", [0], [worst], limits[channel])],
        ),
      },
    ];
  },
};
