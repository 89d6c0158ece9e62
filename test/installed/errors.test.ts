/** Help and error messages: what, where, which value, what to do; exit codes; no stack trace. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, installedFolder, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

const STACK = /\n\s+at .*:\d+:\d+/;

describe("help", () => {
  const commands = "run studio verify validate list inspect modes map identify eval compile bench".split(" ");

  it.each([[], ["--help"], ["-h"], ["help"]])("castor %s lists the commands", (...words) => {
    const { status, stdout, stderr } = castor(folder, words);
    expect([status, stderr]).toEqual([0, ""]);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} +\\w`, "m"));
  });

  it.each(commands)("castor %s --help explains it with an example, and its JSON", (command) => {
    const { status, stdout } = castor(folder, [command, "--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain(`castor ${command}`);
    expect(stdout).toMatch(new RegExp(`for example\\n  # .+\\n  castor ${command}\\b`));
    expect(stdout).toContain("--json");
    expect(castor(folder, ["help", command]).stdout).toBe(stdout);
  });

  it("prints its version", () => {
    expect(castor(folder, ["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("a wrong command line: exit code 2", () => {
  const built = "satellite-manipulator";
  it.each([
    [["evl"], 'there is no command "evl". Did you mean "eval"?'],
    [["simulate"], "There are: "],
    [["--json"], "the command comes first, got --json"],
    [["eval"], "MODEL is missing"],
    [["eval", built, "more"], 'unexpected argument "more"'],
    [["eval", built, "--jsno"], 'there is no option --jsno. Did you mean "--json"?'],
    [["eval", built, "-x"], "there is no option -x"],
    [["eval", built, "--json=yes"], "--json takes no value"],
    [["eval", built, "--state"], "--state needs a value"],
    [["eval", built, "--state", "a", "--state", "b"], "--state is given twice"],
    [["eval", built, "--formulation", "cane"], '--formulation cannot be "cane". Did you mean "kane"?'],
    [["compile", built], "--output is missing"],
    [["compile", built, "-o", "x", "--target", "rust"], '--target cannot be "rust"'],
    [["compile", built, "-o", "x.c", "--target", "wasm"], "--target wasm contradicts the extension of x.c, which means c"],
    [["compile", built, "-o", "x.rs"], "there is no language for .rs. Known extensions: .wasm, .js, .mjs, .c"],
    [["compile", built, "-o", "x"], "it has no extension. Known extensions: .wasm, .js, .mjs, .c"],
    [["compile", built, "-o", "x", "--quantity", "mass"], 'there is no quantity "mass". There are: forward-dynamics'],
    [["compile", built, "-o", "x", "--lanes", "2", "--target", "c"], "--lanes 2 needs --target wasm"],
    [["compile", built, "-o", "x", "--quantity", "mass-matrix", "--wrenches", "tip"], "--wrenches does not apply to mass-matrix"],
  ])("castor %j", (words, message) => {
    const { status, stdout, stderr } = castor(folder, words);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/For help: castor .*--help\n$/);
    expect(stderr).not.toMatch(STACK);
    expect(status).toBe(2);
    expect(stdout.startsWith("{") || stdout === "").toBe(true);
  });
});

describe("wrong input: exit code 1", () => {
  it("a model that does not exist: the tried path, and similar names", () => {
    const { status, stderr } = castor(folder, ["eval", "satellite-manipulater"]);
    expect(status).toBe(1);
    const [what, tried, advice, list] = stderr.split("\n");
    expect(what).toBe('castor: there is no model "satellite-manipulater"');
    expect(tried).toBe(`  tried the file ${join(folder, "satellite-manipulater")}`);
    expect(advice).toBe('  Did you mean "satellite-manipulator"?');
    expect(list).toMatch(/^ {2}castor list scenarios shows all \d+ built-in ones$/);
    expect(castor(folder, ["eval", "no/model.yaml"]).stderr).toContain(join(folder, "no/model.yaml"));
  });

  it("a state that does not exist", () => {
    const { status, stderr } = castor(folder, ["eval", "satellite-manipulator", "--state", "nowhere.yaml"]);
    expect(status).toBe(1);
    expect(stderr).toBe("castor: nowhere.yaml has 1 problem\n  there is no such file\n");
  });

  it("all problems of a model at once, each with location, value and advice", () => {
    const text = `name: broken
bodies:
  - name: one
    mass: -3 kg
    inertia: [1, 1, 1]
    hinge: { kind: revolut }
  - name: two
    parent: oen
    mass: 1
    inertia: [1, 1, 1]
    hinge: { kind: fixed }
    colour: red
`;
    writeFileSync(join(folder, "broken.yaml"), text);
    const { status, stderr, stdout } = castor(folder, ["eval", "broken.yaml"]);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("castor: broken.yaml has 4 problems\n");
    expect(stderr).toContain("  bodies[0].mass  line 4, column 11\n    must not be negative, got -3\n");
    expect(stderr).toContain(
      '  bodies[0].hinge.kind  line 6, column 20\n    no such kind of hinge, got "revolut"\n    Did you mean "revolute"?\n',
    );
    expect(stderr).toContain(
      '  bodies[1].parent  line 8, column 13\n    no body has this name, got "oen"\n    Did you mean "one"?\n',
    );
    expect(stderr).toContain("  bodies[1].colour  line 12");
    expect(stderr).not.toMatch(STACK);
    const forPrograms = JSON.parse(castor(folder, ["eval", "broken.yaml", "--json"]).stdout) as { error: { problems: object[] } };
    expect(forPrograms.error.problems).toHaveLength(4);
    expect(forPrograms.error.problems[0]).toMatchObject({ path: "bodies[0].mass", line: 4, column: 11, value: "-3" });
  });

  it("a frame, a parameter, a hinge that the model does not have", () => {
    expect(castor(folder, ["eval", "satellite-manipulator", "--frame", "tpi"]).stderr).toContain('no frame or body named "tpi"');
    const compile = ["compile", "satellite-manipulator", "-o", "never.wasm"];
    expect(castor(folder, [...compile, "--parameters", "hand.mas"]).stderr).toContain('Did you mean "hand.mass"?');
    expect(castor(folder, [...compile, "--actuated", "wrist"]).stderr).toContain('no hinge is named "wrist"');
    expect(castor(folder, [...compile, "--wrenches", "tpi"]).status).toBe(1);
  });

  it("bench outside the repository refers to the repository", () => {
    const { status, stderr } = castor(folder, ["bench"]);
    expect(status).toBe(1);
    expect(stderr).toContain("part of Castor's repository, not of the package");
  });

  it("shows a stack trace only with CASTOR_DEBUG", () => {
    expect(castor(folder, ["eval", "nowhere"], { CASTOR_DEBUG: "1" }).stderr).toMatch(STACK);
  });
});

describe("mistakes and full devices that are no bugs of Castor: exit code 1", () => {
  const RELAY = `name: relay
model:
  name: relay
  bodies:
    - { name: a, mass: 1, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: x } }
forces:
  motor: { kind: motors, hinge: [a] }
state: { u: { a: 1 } }
events:
  up: { when: u.a < 0, repeat: true, set: { motor.a: 1 } }
  down: { when: u.a > 0, repeat: true, set: { motor.a: -1 } }
duration: 5
`;

  it("events that repeat without end", () => {
    writeFileSync(join(folder, "relay.yaml"), RELAY);
    const { status, stdout, stderr } = castor(folder, ["run", "relay.yaml", "--json"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^castor: 100 events at t = 1\.0\d* s, the last "down": two laws contradict each other there\. Give /);
    expect(JSON.parse(stdout)).toMatchObject({ end: "failed", failure: { name: "ChatterError", code: "chatter" } });
  });

  it("a reorientation without a solution", () => {
    const reach = [0, 1, 2].flatMap((i) => ["--set", `controllers.turn.moving.${i}.reach=0.001`]);
    const { status, stdout, stderr } = castor(folder, ["run", "reorient-by-arm", ...reach, "--json"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^castor: turn: no loop of stabilizer-yaw, .* within reach turns the base .*: allow more reach, or .*\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { name: "UnreachableError", code: "unreachable" } });
  });

  const FULL = "/dev/full";
  const program = (): string => join(installedFolder(), "node_modules/.bin/castor");

  it.runIf(existsSync(FULL))("a full device as standard output", () => {
    const { status, stderr } = spawnSync("sh", ["-c", `'${program()}' list > ${FULL}`], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("castor: cannot write the standard output: the disk is full. Free some space, or choose another place\n");
    expect(status).toBe(1);
  });

  it.runIf(existsSync(FULL))("full devices as standard output and standard error, and a reader that is gone", () => {
    const shell = (line: string): string => spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" }).stdout;
    expect(shell(`'${program()}' list > ${FULL} 2> ${FULL}; echo $?`)).toBe("1\n");
    expect(shell(`{ { '${program()}' list 2>&3; echo $? >&3; } | true; } 3>&1`)).toBe("0\n");
    expect(shell(`'${program()}' list >&-; echo $?`)).toBe("0\n");
  });

  it.runIf(existsSync(FULL))("a full device as output file, which stays a device", () => {
    const { status, stderr, stdout } = castor(folder, [
      "compile",
      "satellite-manipulator",
      "--target",
      "wasm",
      "-o",
      FULL,
      "--json",
    ]);
    expect(stderr).toBe(`castor: cannot write ${FULL}: the disk is full. Free some space, or choose another place\n`);
    expect([status, JSON.parse(stdout).error.code]).toEqual([1, "write"]);
    expect(statSync(FULL).isCharacterDevice()).toBe(true);
  });

  it.runIf(canMountTmpfs())("a full disk, which then has no partial files", () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const line = `mount -t tmpfs -o size=64k tmpfs '${disk}' && { '${program()}' run satellite-manipulator -o '${disk}/out'; echo $?; ls -A '${disk}'; }`;
    const { stdout, stderr } = spawnSync("unshare", ["-rm", "sh", "-c", line], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe(`castor: cannot write ${disk}/out/log.csv: the disk is full. Free some space, or choose another place\n`);
    expect(stdout).toBe("1\n");
  });
});

/** True if a test may mount a small disk that nobody else sees. */
function canMountTmpfs(): boolean {
  return spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /mnt"]).status === 0;
}

describe("a closed pipe", () => {
  it("is not an error", () => {
    const program = join(installedFolder(), "node_modules/.bin/castor");
    const line = `set -o pipefail; '${program}' eval satellite-manipulator --json | head -n 1`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", line], { cwd: folder, encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "{\n", ""]);
  });
});
