/** Wrong calls of public functions. Each one gives a CastorError that names the argument and says what to do. */
import {
  ArgumentError,
  buildModel,
  CastorError,
  compile,
  coordinateNames,
  createController,
  createForce,
  createModel,
  createSystem,
  customForce,
  equilibriumOf,
  evaluate,
  FORMULATIONS,
  frameOf,
  homeOf,
  linearise,
  modesOf,
  programs,
  type Scalar,
  type SimulateOptions,
  Simulation,
  sCurve,
  simulate,
  trace,
  trapezoid,
} from "castor";
import { complianceOf, frequencyResponse, identify, modalAnalysis, quadraticProgram, steadyMotion } from "castor/analysis";
import { registerController } from "castor/control";
import { impulseJump, partitionReport } from "castor/dynamics";
import { registerForce, withReactionWheels } from "castor/force";
import { parseCsvLog, parseJsonLog, parseModel, parseState, readMap, registerFormat, unitsOf } from "castor/formats";
import { crater, gridOf, heightmap, mound, plane, rocks, roughness, SOILS, steadyPull, sumOf, WheelOnSoil } from "castor/ground";
import { cSource, interpret, jacobian, KernelMemory, scalar } from "castor/kernel";
import { equivalentShape, parameterValue, setParameters } from "castor/model";
import { inSequence, pathLoads, poseSpline, slowDown, slowingFor, straightLine, throughKnots, timeOptimal } from "castor/plan";
import { buildRunReport, plotSvg } from "castor/report";
import { writeRun } from "castor/report/files";
import { loadScenario, modelScenario, parseOverride, prepareScenario, runScenario, verifyScenario } from "castor/scenario";
import { assemble, changeLoops, Replay } from "castor/sim";
import { describe, expect, it } from "vitest";
import { flyer, linear, model, program, SCENARIO, scenario, start, system } from "../fixtures/public-calls.ts";

/** Wrong on purpose: any value as any type. */
const wrong = (value: unknown): never => value as never;
const zeros = (n: number): Float64Array => new Float64Array(n);
const body = { name: "rod", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } } as const;
const described = (changes: object): never => wrong({ name: "m", bodies: [{ ...body, ...changes }] });
const run = (options: object = {}): Simulation => new Simulation(system, start, wrong(options));
const finished = (): Simulation => {
  const simulation = run({ duration: 0.01 });
  while (simulation.end === undefined) simulation.advance();
  return simulation;
};
const simulateWith = (options: object): unknown =>
  simulate(system, start, wrong({ duration: 0.1, ...options }) as SimulateOptions);
const otherSystem = createSystem(flyer);
const motor = createForce(model, { kind: "actuator", name: "motor", hinge: "tip" });
const motorSystem = createSystem(model, [motor]);
const equations = FORMULATIONS.articulated.derive(model, { wrenches: ["tip"] });
const expression = { foreign: 0 as Scalar };
const foreignTrace = (): unknown => {
  trace("a", { x: 1 }, ({ x }) => {
    expression.foreign = x[0]!;
    return { y: [x[0]!] };
  });
  return trace("b", { x: 1 }, ({ x }) => ({ y: [scalar.add(x[0]!, expression.foreign)] }));
};
const line = throughKnots([0, 1], [[0], [1]]);
const pose = [1, 0, 0, 0, 0, 0, 0];
const grid = { columns: 2, rows: 2, x: 0, y: 0, dx: 1, dy: 1, heights: zeros(4) };
const soil = SOILS["lunar-simulant"];
const log = simulate(system, start, { duration: 0.1 }).log;
const rod = { length: 1, mass: 1 };

type Row = readonly [what: string, call: () => unknown, message: RegExp];

const MODEL_CALLS: readonly Row[] = [
  ["createModel without argument", () => createModel(wrong(undefined)), /^description: .*\n.*is missing/],
  [
    "createModel of text",
    () => createModel(wrong("arm.yaml")),
    /^description: .*\n.*must be an object with keys, got "arm.yaml"/,
  ],
  ["a model without bodies", () => createModel({ name: "m", bodies: [] }), /bodies: needs at least one body/],
  ["bodies as an object", () => createModel(wrong({ name: "m", bodies: {} })), /bodies: must be a list of bodies/],
  ["a misspelt key of a body", () => createModel(described({ mas: 1 })), /bodies\[0\]\.mas: unknown key.*Did you mean "mass"/],
  [
    "a misspelt key of a model",
    () => createModel(wrong({ name: "m", bodies: [body], gravty: 1 })),
    /gravty: unknown key.*"gravity"/,
  ],
  ["a negative mass", () => createModel(described({ mass: -1 })), /bodies\[0\]\.mass: must .*-1/],
  ["a mass as text", () => createModel(described({ mass: "1 kg" })), /bodies\[0\]\.mass: must be a number, got "1 kg"/],
  [
    "a mass that is not a number",
    () => createModel(described({ mass: Number.NaN })),
    /bodies\[0\]\.mass: must be a finite number/,
  ],
  ["a short com", () => createModel(described({ com: [1, 2] })), /bodies\[0\]\.com: must .*3 numbers/],
  ["a typed array of wrong length", () => createModel(described({ com: zeros(4) })), /bodies\[0\]\.com: must .*3 numbers/],
  ["an unknown hinge", () => createModel(described({ hinge: { kind: "revolut" } })), /bodies\[0\]\.hinge\.kind: .*"revolute"/],
  ["an unknown parent", () => createModel(described({ parent: "base" })), /bodies\[0\]\.parent: .*got "base"/],
  ["an unknown axis", () => createModel(described({ hinge: { kind: "revolute", axis: "w" } })), /bodies\[0\]\.hinge\.axis: must/],
  ["a body twice", () => createModel(wrong({ name: "m", bodies: [body, body] })), /bodies\[1\]\.name: .*"rod"/],
  ["buildModel without name", () => buildModel(wrong(undefined)).body(body).build(), /name: the name is missing/],
  ["a frame on no body", () => buildModel("m").body(body).frame("f", "rd").build(), /frames\.f: no body has this name.*rod/],
  [
    "frameOf a description",
    () => frameOf(wrong({ name: "m", bodies: [body] }), "rod"),
    /^model: must be a model, as createModel/,
  ],
  ["an unknown frame", () => frameOf(model, "tpi"), /no frame or body named "tpi"\. Did you mean "tip"/],
  ["frameOf a number", () => frameOf(model, wrong(3)), /no frame or body named 3\. There are: rod, tip/],
  ["coordinateNames of text", () => coordinateNames(wrong("arm")), /^model: must be a model, as createModel.*got "arm"/],
  ["homeOf nothing", () => homeOf(wrong(undefined)), /^model: must be a model, as createModel.*got undefined/],
  ["an unknown parameter", () => parameterValue(model, "tip.mas"), /tip\.mas: no such parameter\. Did you mean "tip\.mass"/],
  ["a parameter without path", () => parameterValue(model, wrong(undefined)), /^path: must be text: .*hand\.mass/],
  ["parameters as a list", () => setParameters(model, wrong([1])), /^values: must be an object with a number for each path/],
  ["a parameter as text", () => setParameters(model, wrong({ "tip.mass": "2" })), /tip\.mass: must be a finite number, got "2"/],
  ["a negative radius", () => equivalentShape(model.bodies[0]!, -1), /^pointRadius: must be a number of at least 0, got -1/],
];

const SYSTEM_CALLS: readonly Row[] = [
  [
    "a system of a description",
    () => createSystem(wrong({ name: "m", bodies: [body] })),
    /^model: must be a model, as createModel/,
  ],
  ["forces that are not a list", () => createSystem(model, wrong(motor)), /^elements: must be a list of force elements/],
  [
    "a description as force",
    () => createSystem(model, [wrong({ kind: "actuator" })]),
    /^elements\[0\]: must be a force element, as createForce/,
  ],
  ["a force twice", () => createSystem(model, [motor, motor]), /^elements\[1\]\.name: there is another element "motor"\. Choose/],
  ["a force of another model", () => createSystem(flyer, [motor]), /tip/],
  [
    "an unknown formulation",
    () => createSystem(model, [], { formulation: wrong("kan") }),
    /^options\.formulation: .*Did you mean "kane"/,
  ],
  [
    "an unknown target",
    () => createSystem(model, [], { target: wrong("wsm") }),
    /^options\.target: there is no target named "wsm".*"wasm"/,
  ],
  [
    "an unknown option of a system",
    () => createSystem(model, [], wrong({ formulations: "kane" })),
    /^options\.formulations: .*"formulation"/,
  ],
  [
    "options of a system as text",
    () => createSystem(model, [], wrong("kane")),
    /^options: must be an object with options, got "kane"/,
  ],
  ["a short q", () => system.start({ q: [0] }), /^options\.q: must have 2 numbers \(.*\), got 1/],
  ["a long q", () => system.start({ q: zeros(3) }), /^options\.q: must have 2 numbers \(.*\), got 3/],
  ["a q with a gap", () => system.start({ q: [0, Number.NaN] }), /^options\.q\[1\]: must be a finite number, got NaN/],
  ["q as an object", () => system.start(wrong({ q: { tip: 1 } })), /^options\.q: must be a list of 2 numbers/],
  ["a short u", () => system.start({ u: [] }), /^options\.u: must have 2 numbers \(.*\), got 0/],
  ["a quaternion of zeros", () => otherSystem.start({ q: zeros(9) }), /^options\.q\[0.*quaternion.*norm.*0/],
  ["a quaternion that is not normalised", () => otherSystem.start({ q: [2, 0, 0, 0, 0, 0, 0, 0, 0] }), /quaternion.*Divide/],
  ["a time as text", () => system.start(wrong({ t: "0" })), /^options\.t: must be a finite time in s, got "0"/],
  [
    "an unknown held input",
    () => motorSystem.start({ inputs: { "motor.torqe": 1 } }),
    /^options\.inputs.*Did you mean "motor\.torque"/,
  ],
  [
    "an infinite held input",
    () => motorSystem.start({ inputs: { "motor.torque": Number.POSITIVE_INFINITY } }),
    /motor\.torque.*finite number/,
  ],
  [
    "an unknown option of start",
    () => system.start(wrong({ speed: 1 })),
    /^options\.speed: there is no such option\. There are: q, u/,
  ],
  [
    "accelerations at nothing",
    () => system.accelerations(wrong(undefined)),
    /^state: must be a state as system\.start\(\) returns it/,
  ],
  ["accelerations at y", () => system.accelerations(wrong(start.y)), /^state: must be a state as system\.start\(\) returns it/],
  ["a state of another system", () => system.accelerations(otherSystem.start()), /^state\.y: must have \d+ numbers/],
  ["observe at garbage", () => system.observe(wrong({ t: 0 })), /^state: must be a state as system\.start\(\) returns it/],
  ["a state with a list y", () => system.observe({ ...start, y: wrong([...start.y]) }), /^state\.y: must be a Float64Array/],
  ["a state without loops", () => system.observe({ ...start, discrete: wrong({}) }), /^state\.discrete\.loops: must be a Map/],
  ["assemble a model", () => assemble(wrong(model), start), /^system: must be a system, as createSystem returns it/],
  ["assemble without state", () => assemble(system, wrong(undefined)), /^state: must be a state/],
  ["an unknown loop", () => changeLoops(system, start, { engage: ["hook"] }), /no loop is named "hook"\. The model has no loops/],
  ["an unknown change", () => changeLoops(system, start, wrong({ enagge: [] })), /^change\.enagge: .*Did you mean "engage"/],
];

const RUN_CALLS: readonly Row[] = [
  [
    "simulate without options",
    () => simulate(system, start, wrong(undefined)),
    /^options: must be an object with options, e\.g\. \{ duration/,
  ],
  ["simulate without duration", () => simulate(system, start, wrong({})), /^options\.duration: is missing\. Give the time/],
  ["a negative duration", () => simulateWith({ duration: -1 }), /^options\.duration: must be a finite number above 0, got -1/],
  [
    "a duration as text",
    () => simulateWith({ duration: "10 s" }),
    /^options\.duration: must be a finite number above 0, got "10 s"/,
  ],
  [
    "a model instead of a system",
    () => simulate(wrong(model), start, { duration: 1 }),
    /^system: must be a system, as createSystem/,
  ],
  ["y instead of a state", () => simulate(system, wrong(start.y), { duration: 1 }), /^state: must be a state/],
  [
    "an unknown integrator",
    () => simulateWith({ integrator: "rk45" }),
    /^options\.integrator: there is no integrator named "rk45"/,
  ],
  [
    "an integrator of garbage",
    () => simulateWith({ integrator: {} }),
    /^options\.integrator: there is no integrator.*There are: /,
  ],
  [
    "an unknown option",
    () => simulateWith({ tolerance: 1 }),
    /^options\.tolerance: there is no such option\. Did you mean "tolerances"/,
  ],
  [
    "an unknown setting",
    () => simulateWith({ settings: { stepSize: 1 } }),
    /^options\.settings\.stepSize: there is no such option/,
  ],
  [
    "a step of zero",
    () => simulateWith({ integrator: "rk4", settings: { step: 0 } }),
    /^options\.settings\.step: must be a number above 0/,
  ],
  [
    "a tolerance of an unknown quantity",
    () => simulateWith({ tolerances: { enrgy: 1 } }),
    /^options\.tolerances\.enrgy: .*"energy"/,
  ],
  [
    "a negative tolerance",
    () => simulateWith({ tolerances: { energy: -1 } }),
    /^options\.tolerances\.energy: must be a number above 0/,
  ],
  ["a negative sample", () => simulateWith({ sample: -0.1 }), /^options\.sample: must be a finite number above 0, got -0\.1/],
  [
    "samples that decrease",
    () => simulateWith({ sample: [0.05, 0.02] }),
    /^options\.sample\[1\]: sample times must be.*increasing, got 0\.02/,
  ],
  [
    "samples that are text",
    () => simulateWith({ sample: ["0.05"] }),
    /^options\.sample\[0\]: must be a finite number, got "0\.05"/,
  ],
  ["a sample of null", () => simulateWith({ sample: null }), /^options\.sample: must be a list of numbers.*got null/],
  ["an unknown channel", () => simulateWith({ channels: ["q.tpi"] }), /channels\[0\]: no channel matches "q\.tpi"\. There are/],
  ["channels as text", () => simulateWith({ channels: "q.tip" }), /^options\.channels: must be a list of names of channels/],
  [
    "a controller of garbage",
    () => simulateWith({ controllers: [{}] }),
    /^options\.controllers\[0\]: must be a controller with name/,
  ],
  ["controllers as an object", () => simulateWith({ controllers: {} }), /^options\.controllers: must be a list of controllers/],
  [
    "a controller of an unknown input",
    () => simulateWith({ controllers: [{ name: "c", period: 0, commands: ["m.torque"], start() {}, update() {} }] }),
    /m\.torque/,
  ],
  [
    "an event without value",
    () => simulateWith({ events: [{ name: "e" }] }),
    /^options\.events\[0\]: must be a event with name, value/,
  ],
  ["a plan of text", () => simulateWith({ plan: ["engage"] }), /^options\.plan\[0\]: must be a planned event with name, actions/],
  ["a mode of a number", () => simulateWith({ mode: 3 }), /^options\.mode: must be text, got 3/],
  ["replayable as text", () => simulateWith({ replayable: "yes" }), /^options\.replayable: must be true or false, got "yes"/],
  ["a progress that is no function", () => simulateWith({ progress: true }), /^options\.progress: must be a function, got true/],
  ["a negative number of steps", () => simulateWith({ maxSteps: -1 }), /^options\.maxSteps: must be a finite number above 0/],
  ["no wall time", () => simulateWith({ maxSeconds: 0 }), /^options\.maxSeconds: must be a finite number above 0/],
  [
    "a start after the end",
    () => simulate(system, system.start({ t: 5 }), { duration: 1 }),
    /^options\.duration: the run starts at t = 5 s/,
  ],
  ["advance without duration", () => run().advance(), /^advance: the run has no duration\. Give options\.duration, or use step/],
  ["advance after the end", () => finished().advance(), /^advance: the run has ended.*Use reset\(state\) to start again/],
  ["step after the end", () => finished().step({ dt: 0.1 }), /^step: the run has ended.*Use reset\(state\) to start again/],
  ["advance to nowhere", () => run({ duration: 1 }).advance(Number.NaN), /^reach: must be a time in s, got NaN/],
  ["step without options", () => run().step(wrong(undefined)), /^options: must be an object with options, got undefined/],
  ["step without dt", () => run().step(wrong({})), /^options\.dt: must be a finite number above 0, got undefined/],
  ["step back", () => run().step({ dt: -0.1 }), /^options\.dt: must be a finite number above 0, got -0\.1/],
  ["step with an unknown option", () => run().step(wrong({ dt: 0.1, input: {} })), /^options\.input: .*Did you mean "inputs"/],
  [
    "step with an unknown input",
    () => run().step({ dt: 0.1, inputs: { torque: 1 } }),
    /^options\.inputs\["torque"\]: there is no held input/,
  ],
  ["observe an unknown channel", () => run().observe(["q.tpi"]), /channels\[0\]: no channel matches "q\.tpi"/],
  ["observe text", () => run().observe(wrong("q.tip")), /^channels: must be a list of names of channels, got "q\.tip"/],
  [
    "reset to nothing",
    () => run().reset(wrong(undefined)),
    /^state: must be a state as system\.start\(\) returns it, or what save/,
  ],
  ["reset to a state of another system", () => run().reset(otherSystem.start()), /^state\.y: must have \d+ numbers/],
  [
    "restore garbage",
    () => new Simulation(system, wrong({ state: {}, events: [] })),
    /^saved\.state: must be the state of a run/,
  ],
  ["restore a run of another system", () => new Simulation(otherSystem, run().save()), /^state\.y: must have \d+ numbers/],
  [
    "restore without events",
    () => new Simulation(system, wrong({ ...run().save(), events: undefined })),
    /^saved\.events: must be a list/,
  ],
  ["replay a model", () => new Replay(wrong(model)), /^system: must be a system, as createSystem returns it/],
  [
    "replay before phases",
    () => new Replay(system).values(["q.tip"], log, 0),
    /^values: no phases were added\. Call add\(run\.phases\)/,
  ],
  ["replay phases of text", () => new Replay(system).add(wrong("all")), /^phases: must be a list of phases of a replayable run/],
];

const PART_CALLS: readonly Row[] = [
  [
    "an unknown force",
    () => createForce(model, wrong({ kind: "spring", name: "s" })),
    /kind: no such kind of force element, got "spring"/,
  ],
  ["a force without kind", () => createForce(model, wrong({ name: "s" })), /^description\.kind: must be text, got undefined/],
  [
    "a force without name",
    () => createForce(model, wrong({ kind: "actuator" })),
    /^description\.name: must be text, got undefined/,
  ],
  ["a force of nothing", () => createForce(model, wrong(undefined)), /^description: must be an object with kind and name/],
  [
    "a force on an unknown hinge",
    () => createForce(model, { kind: "actuator", name: "m", hinge: "tpi" }),
    /m\.hinge: .*got "tpi"\. Did you mean "tip"/,
  ],
  [
    "a force with an unknown parameter",
    () => createForce(model, wrong({ kind: "actuator", name: "m", hinge: "tip", limits: 1 })),
    /m\.limits: .*Did you mean "limit"/,
  ],
  ["a force without parameter", () => createForce(model, wrong({ kind: "actuator", name: "m" })), /m\.hinge: is missing/],
  [
    "an unknown controller",
    () => createController(model, wrong({ kind: "pid", name: "c" })),
    /kind: no such kind of controller, got "pid"/,
  ],
  [
    "a controller of text",
    () => createController(model, wrong("hinge-pd")),
    /^description: must be an object with kind and name/,
  ],
  [
    "a controller without parameters",
    () => createController(model, wrong({ kind: "hinge-pd", name: "c" })),
    /c\.\w+: is missing/,
  ],
  ["a force that does nothing", () => customForce({ name: "own" }, model), /own: does nothing\. Give apply\(s, out\)/],
  [
    "a force at an unknown frame",
    () => customForce({ name: "own", apply: () => {}, frames: ["tpi"] }, model),
    /own\.frames: no frame or body named "tpi"/,
  ],
  [
    "a custom force of nothing",
    () => customForce(wrong(undefined), model),
    /^element: must be an object with name, and apply or trace/,
  ],
  ["register a force without name", () => registerForce(wrong({})), /^kind\.name: .*Give the kind of force element a name/],
  [
    "register a controller of nothing",
    () => registerController(wrong(undefined)),
    /^kind\.name: .*Give the kind of controller a name/,
  ],
  ["wheels that are not a list", () => withReactionWheels(described({}), wrong({})), /devices: must be a list/],
];

const DYNAMICS_CALLS: readonly Row[] = [
  ["derive from text", () => FORMULATIONS.kane.derive(wrong("arm")), /^model: must be a model/i],
  ["derive with an unknown frame", () => FORMULATIONS.kane.derive(model, { wrenches: ["tpi"] }), /no frame or body named "tpi"/],
  [
    "derive with an unknown option",
    () => FORMULATIONS.matrix.derive(model, wrong({ wrench: [] })),
    /^options\.wrench: .*"wrenches"/,
  ],
  ["short q", () => equations.accelerations(zeros(1), zeros(2), zeros(2), zeros(6), zeros(2)), /^q: must be .*2 numbers/],
  ["short u", () => equations.energy(zeros(2), zeros(1), zeros(2)), /^u: must be .*2 numbers/],
  ["long tau", () => equations.accelerations(zeros(2), zeros(2), zeros(3), zeros(6), zeros(2)), /^tau: must be .*2 numbers/],
  [
    "no wrench after a wrench",
    () => {
      equations.accelerations(zeros(2), zeros(2), zeros(2), zeros(6).fill(1), zeros(2));
      equations.accelerations(zeros(2), zeros(2), zeros(2), zeros(0), zeros(2));
    },
    /^w: must be .*6 numbers \(6 for each frame of options\.wrenches\)/,
  ],
  ["a short result", () => equations.reactions(zeros(2), zeros(2), zeros(2), zeros(6), zeros(6)), /^out: must be .*12 numbers/],
  [
    "an unknown parameter of a program",
    () => programs.massMatrix(model, { parameters: ["tip.mas"] }),
    /tip\.mas: no such parameter.*"tip\.mass"/,
  ],
  [
    "an unknown option of a program",
    () => programs.biasForce(model, wrong({ frames: [] })),
    /^options\.frames: there is no such option/,
  ],
  [
    "frames as text",
    () => programs.frameKinematics(model, wrong("tip")),
    /^frames: must be a list of names of frames, got "tip"/,
  ],
  ["a program of nothing", () => programs.bodyPoses(wrong(undefined)), /^model: must be a model/i],
  ["an unknown output", () => programs.freeFlying(flyer, { outputs: [wrong("Jx")] }), /^options\.outputs\[0\]: .*There are: /],
  ["a robot without floating base", () => programs.freeFlying(model), /bodies: a free-flying robot needs a body on a free hinge/],
  [
    "an impulse without frame",
    () => impulseJump(model, zeros(2), [wrong({ frames: "tip" })]),
    /^impulses\[0\]\.frames: .*"frame"/,
  ],
  [
    "a short impulse",
    () => impulseJump(model, zeros(2), [{ frame: "tip", force: wrong([1]) }]),
    /^impulses\[0\]\.force: must have 3 numbers/,
  ],
  ["a report without q", () => partitionReport(model, wrong({})), /^state\.q: must be a list of 2 numbers/],
];

const KERNEL_CALLS: readonly Row[] = [
  ["compile a model", () => compile(wrong(model)), /^program: must be a program/i],
  [
    "an unknown target",
    () => compile(program, { target: wrong("c") }),
    /^options\.target: there is no target named "c"\. There are: wasm, js/,
  ],
  ["three lanes", () => compile(program, { lanes: wrong(3) }), /^options\.lanes: must be 1 or 2, got 3/],
  [
    "an unknown option of compile",
    () => compile(program, wrong({ lane: 2 })),
    /^options\.lane: there is no such option\. Did you mean "lanes"/,
  ],
  [
    "a memory of bytes",
    () => compile(program, { memory: wrong(new ArrayBuffer(8)) }),
    /^options\.memory: must be a KernelMemory/,
  ],
  ["a negative memory", () => new KernelMemory(-1), /^bytes: must be a number of at least 0, got -1/],
  ["run with a short x", () => compile(program).run(zeros(1), zeros(1)), /^x: kernel sum: x has 1 numbers, expected 2/],
  ["run with a list", () => compile(program).run(wrong([1, 2]), zeros(1)), /^x: must be a Float64Array of 2 numbers/],
  [
    "evaluateAt an unknown input",
    () => compile(program).evaluateAt(wrong({ b: [1] })),
    /^inputs\.b: there is no such option\. There is: a/,
  ],
  ["evaluateAt without input", () => compile(program).evaluateAt(wrong({})), /^inputs\.a: must be a list of 2 numbers/],
  ["evaluateAt a short input", () => compile(program).evaluateAt({ a: [1] }), /^inputs\.a: must have 2 numbers, got 1/],
  ["interpret with a short y", () => interpret(program, zeros(2), zeros(0)), /^y: must be a Float64Array of 1 numbers/],
  [
    "a jacobian by an unknown input",
    () => jacobian(program, wrong("b")),
    /^input: there is no input of sum named "b"\. There is: a/,
  ],
  ["trace without body", () => trace("f", { a: 1 }, wrong(undefined)), /^body: must be a function of the inputs/],
  [
    "trace with a negative size",
    () => trace("f", { a: -1 }, () => ({ y: [] })),
    /^inputs\.a: must be a whole number of at least 0/,
  ],
  [
    "trace with a list of inputs",
    () => trace("f", wrong(["a"]), () => ({ y: [] })),
    /^inputs: must be an object with the size of each input/,
  ],
  [
    "a scalar as output",
    () =>
      trace(
        "f",
        { a: 1 },
        wrong(({ a }: { a: unknown[] }) => ({ y: a[0] })),
      ),
    /^body\(\)\.y: must be a list of scalars/,
  ],
  [
    "text as output",
    () =>
      trace(
        "f",
        { a: 1 },
        wrong(() => ({ y: ["x"] })),
      ),
    /^body\(\)\.y\[0\]: must be a number or an expression, got "x"/,
  ],
  [
    "no output",
    () =>
      trace(
        "f",
        { a: 1 },
        wrong(() => undefined),
      ),
    /^body: must be a function that returns an object/,
  ],
  ["expressions of two traces", foreignTrace, /an expression of one trace was used in another/],
  ["source of a model", () => cSource(wrong(model)), /^program: must be a program/],
];

const PLAN_CALLS: readonly Row[] = [
  ["no length", () => sCurve(0, { speed: 1, acceleration: 1, jerk: 1 }), /^length: must be a finite number above 0, got 0/],
  [
    "a negative speed",
    () => sCurve(1, { speed: -1, acceleration: 1, jerk: 1 }),
    /^limits\.speed: must be a finite number above 0, got -1/,
  ],
  [
    "no jerk",
    () => sCurve(1, wrong({ speed: 1, acceleration: 1 })),
    /^limits\.jerk: must be a finite number above 0, got undefined/,
  ],
  ["no limits", () => trapezoid(1, wrong(undefined)), /^limits\.speed: must be a finite number above 0, got undefined/],
  [
    "knots in disorder",
    () => throughKnots([0, 2, 1], [[0], [1], [2]]),
    /^times\[2\]: knots need increasing times, got 1 after 2/,
  ],
  ["knots without times", () => throughKnots([], []), /^times: a motion through knots needs at least one knot/],
  ["a row too few", () => throughKnots([0, 1], [[0]]), /^positions: .*got 1 for 2/],
  [
    "rows of different lengths",
    () => throughKnots([0, 1], [[0], [1, 2]]),
    /^positions\[1\]: knot 2 needs 1 positions, got 2 numbers/,
  ],
  ["times as text", () => throughKnots(wrong("0 1"), [[0]]), /^times: must be a list of numbers/],
  ["a pose of six numbers", () => poseSpline([0, 1], [pose, pose.slice(1)]), /^poses\[1\]: must have 7 numbers \(a quaternion/],
  [
    "a line to nowhere",
    () => straightLine(pose, pose, { speed: 1, acceleration: 1 }),
    /a straight line needs two different poses/,
  ],
  [
    "an unknown limit of a line",
    () => straightLine(pose, pose, wrong({ sped: 1 })),
    /^limits\.sped: there is no such option\. Did you mean "speed"/,
  ],
  ["a path slowed by zero", () => slowDown(line, 0), /^k: must be a finite number above 0, got 0/],
  ["a sequence of nothing", () => inSequence([]), /^trajectories: a sequence needs at least one trajectory/],
  ["a sequence of garbage", () => inSequence([wrong({})]), /^trajectories\[0\]: must be a trajectory/],
  ["a sequence with a jump", () => inSequence([line, line]), /^trajectories\[1\]: .*begins with coordinate 1 at 0/],
  ["loads on an unknown hinge", () => pathLoads(model, line, { q0: zeros(2), hinges: ["tpi"] }), /^hinges: "tpi" is not a hinge/],
  ["loads of a short q0", () => pathLoads(model, line, { q0: zeros(1), hinges: ["tip"] }), /^options\.q0: must have 2 numbers/],
  [
    "an optimum without limits",
    () => timeOptimal(pathLoads(model, line, { q0: zeros(2), hinges: ["tip"] }), []),
    /^limits: 1 loads need as many limits/,
  ],
  ["loads without times", () => slowingFor(wrong({ loads: [] }), [1]), /^samples: must be an object with times and loads/],
];

const GROUND_CALLS: readonly Row[] = [
  [
    "too few heights",
    () => heightmap({ ...grid, heights: zeros(3) }),
    /^grid\.heights: must be a Float64Array of 4 numbers.*got 3/,
  ],
  ["heights as a list", () => heightmap({ ...grid, heights: wrong([0, 0, 0, 0]) }), /^grid\.heights: must be a Float64Array/],
  ["no distance between heights", () => heightmap({ ...grid, dx: 0 }), /^grid\.dx: must be a finite number above 0, got 0/],
  [
    "no columns",
    () => gridOf(plane(0, 0, 0), { ...grid, columns: 0 }),
    /^grid\.columns: must be a whole number of at least 1, got 0/,
  ],
  ["a grid of no terrain", () => gridOf(wrong({}), grid), /^terrain: must be a terrain with the function sample/],
  ["a plane of text", () => plane(wrong("1"), 0, 0), /^z0: must be a finite number, got "1"/],
  ["a crater without radius", () => crater(0), /^radius: must be a finite number above 0, got 0/],
  ["a mound of negative radius", () => mound(1, -1), /^radius: must be a finite number above 0, got -1/],
  ["a sum of garbage", () => sumOf([wrong(3)]), /^layers\[0\]: must be a terrain/],
  ["rocks without field", () => rocks(wrong(undefined)), /^field: must be an object with count, least/],
  ["a negative number of rocks", () => rocks(wrong({ count: -1 })), /^field\.count: must be a whole number of at least 0/],
  [
    "roughness without waves",
    () => roughness(wrong({ amplitude: 1 })),
    /^roughness\.wavelength: must be a finite number above 0/,
  ],
  [
    "a wheel on no soil",
    () => new WheelOnSoil(wrong("sand"), { radius: 1, width: 1 }, 9.81),
    /^soil: must be a soil, e\.g\. SOILS/,
  ],
  [
    "a wheel without width",
    () => new WheelOnSoil(soil, wrong({ radius: 1 }), 9.81),
    /^shape\.width: must be a finite number above 0/,
  ],
  [
    "no load on a wheel",
    () => steadyPull(0, soil, { radius: 0.1, width: 0.1 }, 9.81),
    /^load: must be a finite number above 0, got 0/,
  ],
];

const ANALYSIS_CALLS: readonly Row[] = [
  ["linearise text", () => linearise(wrong("arm")), /^model: must be a model, as createModel/],
  ["linearise at a short q", () => linearise(model, [], { q: zeros(1) }), /^options\.q: must have 2 numbers/],
  [
    "linearise with an unknown option",
    () => linearise(model, [], wrong({ lock: [] })),
    /^options\.lock: there is no such option.*locked/,
  ],
  ["lock an unknown hinge", () => linearise(model, [], { locked: ["tpi"] }), /locked: no hinge or freedom of this name.*"tip"/],
  ["lock text", () => linearise(model, [], { locked: wrong("tip") }), /^options\.locked: must be a list of names of hinges/],
  ["forces that are not a list", () => linearise(model, wrong(motor)), /^forces: must be a list of force elements/],
  ["equilibrium with speeds", () => equilibriumOf(model, [], wrong({ u: zeros(2) })), /^options\.u: there is no such option/],
  ["modes of a model", () => modesOf(wrong(model)), /^linear: must be a linearisation, as linearise returns it/],
  ["no modes", () => modesOf(linear, { count: 0 }), /^options\.count: must be a whole number of at least 1, got 0/],
  ["modes about nowhere", () => modalAnalysis(model, [], { about: wrong("home") }), /^options\.about: .*There are: state, rest/],
  [
    "frequencies that are not numbers",
    () => frequencyResponse(linear, { force: { freedom: "rod" }, motion: { freedom: "rod" }, frequencies: [Number.NaN] }),
    /^options\.frequencies\[0\]: must be a finite number, got NaN/,
  ],
  [
    "frequencies without list",
    () => frequencyResponse(linear, { force: { freedom: "rod" }, motion: { freedom: "rod" }, frequencies: wrong(1) }),
    /^options\.frequencies: must be a list of numbers \(Hz\), got 1/,
  ],
  [
    "a force along nothing",
    () => frequencyResponse(linear, { force: wrong(undefined), motion: { freedom: "rod" }, frequencies: [1] }),
    /^options\.force: must be \{ frame, along \}, \{ frame, about \} or \{ freedom \}/,
  ],
  ["compliance of an unknown freedom", () => complianceOf(linear, [{ freedom: "rd" }]), /freedom: no freedom "rd"\. There .*rod/],
  [
    "compliance along two numbers",
    () => complianceOf(linear, [{ frame: "tip", along: wrong([1, 0]) }]),
    /^directions\[0\]\.along: must have 3/,
  ],
  [
    "a steady motion of an unknown speed",
    () => steadyMotion(system, start, { cyclic: ["tpi"] }),
    /cyclic: no speed named "tpi".*"tip"/,
  ],
  [
    "a steady motion without options",
    () => steadyMotion(system, start, wrong({})),
    /^options\.cyclic: must be a list of names of speeds/,
  ],
  ["evaluate text", () => evaluate(wrong("arm")), /^model: must be a model/i],
  ["evaluate at a short q", () => evaluate(model, { q: [1] }), /q: must have 2 numbers/],
  ["evaluate with an unknown formulation", () => evaluate(model, {}, { formulations: [wrong("kan")] }), /formulations.*"kane"/],
  ["evaluate an unknown frame", () => evaluate(model, {}, { frames: ["tpi"] }), /"tpi"/],
  ["evaluate with an unknown key", () => evaluate(model, wrong({ qdot: [] })), /qdot: there is no such option/],
  ["identify no rod", () => identify(wrong(undefined), []), /^rod: must be an object with length and mass/],
  ["identify a rod without mass", () => identify({ ...rod, mass: 0 }, []), /^rod\.mass: must be a finite number above 0, got 0/],
  ["identify one link", () => identify(rod, [], { links: 1 }), /^links: two to thirteen links can be identified, got 1/],
  ["a program of half a variable", () => quadraticProgram(0.5, 1), /^n: must be a whole number of at least 0, got 0.5/],
];

const FILE_CALLS: readonly Row[] = [
  ["a model of nothing", () => parseModel(wrong(undefined)), /must be text, got undefined/],
  ["a model of garbage", () => parseModel("{[", "arm.yaml"), /^arm\.yaml: .*\n.*line 1/],
  ["a model of a number", () => parseModel("3"), /must be an object with keys/],
  ["a state of an unknown hinge", () => parseState("q: { tpi: 1 }", model), /q\.tpi.*"tip"/],
  ["a state without model", () => parseState("q: {}", wrong(undefined)), /^model: must be a model, as createModel/],
  ["a log of nothing", () => parseCsvLog(wrong(undefined)), /^text: must be the text of a log, or its pieces, got undefined/],
  ["an empty log", () => parseCsvLog(""), /the file is empty\. The first line must name the channels/],
  ["a log with a short line", () => parseCsvLog("t [s],q\n0\n"), /line 2: there are 2 channels, but 1 numbers/],
  ["a log that is not JSON", () => parseJsonLog("t,q"), /is not JSON/],
  ["a log without columns", () => parseJsonLog("{}"), /must be an object with a list "channels" and an object "columns"/],
  [
    "a map without files",
    () => readMap("map.tif", wrong(undefined)),
    /^files: must be an object with the function bytes\(path\)/,
  ],
  [
    "a map of garbage",
    () => readMap("m.png", { bytes: () => new Uint8Array(9) }),
    /^m\.png: .*\n.*neither a GeoTIFF nor a PDS3 label\. Convert it/,
  ],
  ["an unknown unit", () => unitsOf(wrong("furlong")), /^unit: there is no SI unit named "furlong"/],
  [
    "a format without name",
    () => registerFormat(wrong({ extensions: [".x"], read() {} })),
    /^kind\.name: .*Give the file format a name/,
  ],
  [
    "a format of a taken ending",
    () => registerFormat(wrong({ name: "own", extensions: [".yaml"], read() {} })),
    /^format\.extensions: \.yaml belongs/,
  ],
  ["a format of nothing", () => registerFormat(wrong(undefined)), /^format: must be/],
  [
    "a scenario of nothing",
    () => loadScenario(wrong(undefined)),
    /^text: must be text: the contents of a scenario file, got undefined/,
  ],
  ["a scenario of a number", () => loadScenario("3"), /must be an object with keys/],
  ["a scenario without model", () => loadScenario("duration: 1"), /model.*: is missing\. Give a file name/],
  [
    "a scenario with an unknown key",
    () => loadScenario(`${SCENARIO}durations: 1`),
    /durations.*: unknown key.*Did you mean "duration"/,
  ],
  [
    "a scenario with an unknown option",
    () => loadScenario(SCENARIO, "s", wrong({ override: [] })),
    /^options\.override: .*"overrides"/,
  ],
  [
    "overrides as text",
    () => loadScenario(SCENARIO, "s", { overrides: wrong("duration=2") }),
    /^options\.overrides: must be a list of changes, as parseOverride/,
  ],
  [
    "files without functions",
    () => loadScenario(SCENARIO, "s", { files: wrong({}) }),
    /^options\.files: must be an object with readBeside/,
  ],
  ["an override without value", () => parseOverride("duration"), /must be PATH=VALUE\. For example duration=20/],
  ["an override of a number", () => parseOverride(wrong(3)), /^text: must be text: PATH=VALUE/],
  ["a scenario for no model", () => modelScenario(wrong(undefined)), /^modelFile: must be text: the path of a model file/],
  ["prepare text", () => prepareScenario(wrong(SCENARIO)), /^scenario: must be a scenario, as loadScenario returns it/],
  [
    "prepare an unknown formulation",
    () => prepareScenario(scenario, wrong("kan")),
    /formulation: there is no formulation named "kan".*"kane"/,
  ],
  ["run text", () => runScenario(wrong(SCENARIO)), /^scenario: must be a scenario, as loadScenario returns it/],
  [
    "run with an unknown option",
    () => runScenario(scenario, wrong({ duration: 2 })),
    /^options\.duration: there is no such option/,
  ],
  [
    "run until a negative time",
    () => runScenario(scenario, { until: -1 }),
    /^options\.until: must be a finite number above 0, got -1/,
  ],
  [
    "run with a wrong progress",
    () => runScenario(scenario, { progress: wrong("bar") }),
    /^options\.progress: must be a function, got "bar"/,
  ],
  [
    "run with a wrong signal",
    () => runScenario(scenario, { signal: wrong(true) }),
    /^options\.signal: must be the signal of an AbortController/,
  ],
  [
    "verify with a negative tolerance",
    () => verifyScenario(scenario, { tolerance: -1 }),
    /^options\.tolerance: must be a finite number above 0/,
  ],
  ["verify text", () => verifyScenario(wrong("s.yaml")), /^scenario: must be a scenario, as loadScenario returns it/],
  ["a report of a log", () => buildRunReport("r", wrong(log)), /^run: must be a run, as runScenario returns it/],
  ["a plot of an unknown channel", () => plotSvg(log, { title: "", unit: "", series: [{ channel: "x", label: "x" }] }), /"?x"?/],
  ["a plot of no log", () => plotSvg(wrong({}), { title: "", unit: "", series: [] }), /^log: must be a log, as simulate/],
  ["write nothing", () => writeRun("out", wrong({})), /^run: must be an object with the report of a run/],
  ["write into a number", () => writeRun(wrong(3), wrong({})), /^folder: must be text: the path of the output folder, got 3/],
];

const TABLES: readonly (readonly [string, readonly Row[]])[] = [
  ["models", MODEL_CALLS],
  ["systems and states", SYSTEM_CALLS],
  ["runs", RUN_CALLS],
  ["parts", PART_CALLS],
  ["equations and programs", DYNAMICS_CALLS],
  ["kernels", KERNEL_CALLS],
  ["plans", PLAN_CALLS],
  ["ground", GROUND_CALLS],
  ["analyses", ANALYSIS_CALLS],
  ["files, scenarios and reports", FILE_CALLS],
];

describe.each(TABLES)("wrong calls of %s", (_, rows) => {
  it.each(rows)("%s", async (_what, call, message) => {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(CastorError);
    const { code, message: text } = error as CastorError;
    expect(text).toMatch(message);
    expect(code).toMatch(/^[a-z]+$/);
    if (error instanceof ArgumentError) expect(text.startsWith(`${error.argument}: `)).toBe(true);
  });
});

it("the tables have more than 150 rows", () => {
  expect(TABLES.reduce((sum, [, rows]) => sum + rows.length, 0)).toBeGreaterThan(200);
});
