/** Forward dynamics as a C file. The C compiler of the system compiles it; its results equal those of WebAssembly. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildModel, compile, programs } from "castor";
import { cName, cSource } from "castor/kernel";

const rod = { mass: 1, com: [0, 0, -0.5], inertia: [0.1, 0.1, 0.01] } as const;
const pendulum = buildModel("double pendulum")
  .gravity([0, 0, -9.81])
  .body({ name: "upper", ...rod, hinge: { kind: "revolute", axis: "y" } })
  .body({ name: "lower", parent: "upper", ...rod, hinge: { kind: "revolute", axis: "y", at: [0, 0, -1] } })
  .build();
const program = programs.forwardDynamics(pendulum); // inputs q, u, tau with two numbers each; output udot
const x = [0.5, -0.3, 0.1, 0.2, 0, 0];

const folder = mkdtempSync(join(tmpdir(), "castor-"));
writeFileSync(join(folder, "dynamics.c"), cSource(program));
const caller = `#include <stdio.h>
void ${cName(program)}(const double *x, double *y);
int main(void) {
  const double x[] = { ${x.join(", ")} };
  double y[2];
  ${cName(program)}(x, y);
  printf("%.12f %.12f\\n", y[0], y[1]);
  return 0;
}
`;
writeFileSync(join(folder, "main.c"), caller);
execFileSync("cc", ["-O2", "-Wall", "-Wextra", "main.c", "dynamics.c", "-lm", "-o", "main"], { cwd: folder });
console.log("C   ", execFileSync(join(folder, "main"), { encoding: "utf8" }).trim());

const kernel = compile(program);
kernel.x.set(x);
kernel.evaluate();
console.log("WASM", Array.from(kernel.y, (v) => v.toFixed(12)).join(" "));

/* prints
C    -8.222574892415 16.664481887071
WASM -8.222574892415 16.664481887071
*/
