/**
 * Robot files and meshes with mistakes and attacks: URDF, SRDF, MJCF, STL, OBJ, GLB and glTF, changed in bytes, words, numbers and names. What is accepted
 * must give a model or triangles with finite numbers; everything else must be refused with a CastorError. No case may take long, need much
 * memory, change built-in objects, reach the network, or read a file outside of the folder of the robot.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { robotFiles } from "../../../src/cli/files/robot-files.ts";
import { CastorError } from "../../../src/errors.ts";
import { readMesh } from "../../../src/formats/mesh/mesh-file.ts";
import { meshMassProperties } from "../../../src/formats/mesh/mesh-mass.ts";
import { importModel } from "../../../src/formats/robot/import-model.ts";
import type { ImportedModel } from "../../../src/formats/robot/imported-model.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { NO_FILES } from "../../../src/scenario/files.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { CUBE_FILES, CUBE_MESH_NAMES } from "../../fixtures/mesh-bytes.ts";
import type { AttackCase, Outcome } from "./case.ts";
import { Draw } from "./draw.ts";

export const expectsRefusals = true;
export const shortCases = 60;

/** Longest time of a case, s of the processor, and largest growth of the memory, bytes. */
const [MOST_SECONDS, MOST_MEMORY] = [2, 400e6];

const URDF = `<?xml version="1.0"?>
<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="base"><inertial><origin xyz="0 0 0.1" rpy="0 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://arm/meshes/hand.stl" scale="0.001 0.001 0.001"/></geometry><material name="red"/></visual>
    <collision><geometry><mesh filename="meshes/hand.stl" scale="1 -1 1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0.2 0 0" rpy="0 1.57 0"/><geometry><cylinder radius="0.02" length="0.4"/></geometry></visual>
    <collision><geometry><box size="0.1 0.1 0.4"/></geometry></collision></link>
  <link name="hand"><inertial><mass value="0.3"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.5" rpy="0.1 0 0"/><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="3"/><dynamics damping="0.4" friction="0.1"/></joint>
  <joint name="wrist" type="prismatic"><parent link="arm"/><child link="hand"/><origin xyz="0.4 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="5" velocity="1"/><mimic joint="shoulder" multiplier="0.1" offset="0.01"/></joint>
  <transmission name="t"><joint name="shoulder"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
</robot>`;

const SRDF = `<robot name="arm">
  <group name="all"><chain base_link="base" tip_link="hand"/><joint name="shoulder"/></group>
  <group_state name="up" group="all"><joint name="shoulder" value="0.5"/></group_state>
  <disable_collisions link1="base" link2="hand" reason="Never"/>
  <passive_joint name="wrist"/>
  <loop_constraint name="pin" frame1="hand" frame2="base" mask="x z"/>
</robot>`;

const MJCF = `<mujoco model="cart">
  <compiler angle="radian" meshdir="meshes" autolimits="true"/>
  <option gravity="0 0 -9.81"><flag contact="enable"/></option>
  <default><geom density="500" rgba="0 1 0 1"/><default class="thin"><geom size="0.01" contype="2" conaffinity="1"/><joint damping="0.1"/></default></default>
  <asset><mesh name="hand" file="hand.stl" scale="1 1 1" refpos="0 0 0.1" inertia="exact"/><mesh name="own" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 0 3 2" inertia="legacy"/><material name="m" rgba="1 0 0 1"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0" range="-1 1"/><geom type="box" size="0.1 0.2 0.3"/>
      <body name="pole" pos="0 0 0.3" quat="1 0 0 0"><joint name="hinge" axis="0 1 0" armature="0.01" stiffness="1"/><geom class="thin" type="capsule" fromto="0 0 0 0 0 1"/>
        <site name="tip" pos="0 0 1"/><body name="end" pos="0 0 1" euler="0 0.1 0"><joint type="ball"/><geom type="ellipsoid" size="0.1 0.2 0.3"/><geom type="mesh" mesh="hand" mass="1"/></body></body></body>
    <body name="free"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><site name="grip"/>
      <replicate count="3" offset="0.1 0 0" euler="0 0 1" sep="-"><geom type="mesh" mesh="own" density="10"/></replicate></body>
  </worldbody>
  <equality><connect body1="end" body2="free" anchor="0 0 0"/><joint joint1="slide" joint2="hinge" polycoef="0 1 0 0 0"/></equality>
  <actuator><motor joint="hinge" gear="10" ctrlrange="-1 1"/><position joint="slide" kp="10" dampratio="1"/><motor site="grip" gear="0 0 1 0 0 0"/></actuator>
  <keyframe><key name="up" qpos="0 0 1 0 0 0 0 0 0 1 0 0 0"/></keyframe>
  <contact><exclude body1="cart" body2="pole"/></contact>
</mujoco>`;

const NUMBERS = "0 -0 -1 1 1e308 -1e308 1e400 5e-324 1e-200 NaN inf -inf 0x10 1e 1,5 1e29 4294967296 -2147483649 180 1000".split(
  " ",
);
/** Names and texts that other programs would execute, open or expand. */
const TEXTS = [
  "../../../../etc/passwd",
  "/etc/passwd",
  "file:///etc/passwd",
  "http://localhost:9/x.stl",
  "package://../secret.stl",
  "package://arm/../../secret.stl",
  "$(touch hacked)",
  "`touch hacked`.stl",
  "'; touch hacked #.stl",
  '\\"><script>alert(1)</script>',
  "a\nb.stl",
  "\0.stl",
  "C:\\windows\\x.stl",
  "\\\\host\\share\\x.stl",
  "&xxe;",
  "&lol9;",
  `${"$"}{1+1}`,
  "$(find arm)/x.stl",
  "__proto__",
  "constructor",
  "world",
  "a.b[0]",
  "",
  " ",
  "a".repeat(70_000),
  "\u202e\u2028",
];
const PIECES = [
  "<!DOCTYPE robot [<!ENTITY xxe SYSTEM 'file:///etc/passwd'>]>",
  "<!DOCTYPE r [<!ENTITY lol 'lol'><!ENTITY lol9 '&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;'>]>",
  "<include file='../secret.xml'/>",
  "<include file='self.xml'/>",
  "<xi:include href='file:///etc/passwd'/>",
  "<xacro:include filename='/etc/passwd'/>",
  "<link name='base'/>",
  "<body/>",
  "<joint name='j' type='floating'><parent link='hand'/><child link='base'/></joint>",
  "<![CDATA[",
  "<!--",
  "]]>",
  "<",
  ">",
  "/",
  "&",
  "&#0;",
  "&#x110000;",
  "<?xml version='1.0' encoding='utf-16'?>",
  `${"<frame>".repeat(2000)}`,
  `${"<link name='x'>".repeat(500)}${"</link>".repeat(500)}`,
  " x='1'".repeat(300),
  "<geom type='plane'/>".repeat(300),
];

/** Changes a text in one or a few places. */
function mutatedText(text: string, draw: Draw): string {
  let changed = text;
  for (let k = draw.of([0, 1, 1, 1, 2, 4]); k > 0; k--) {
    const at = draw.whole(0, changed.length);
    const end = Math.min(changed.length, at + draw.whole(0, 60));
    const replace = (pattern: RegExp, by: string): string => {
      const matches = [...changed.matchAll(pattern)];
      const match = matches.length > 0 ? matches[draw.whole(0, matches.length - 1)]! : undefined;
      return match === undefined ? changed : changed.slice(0, match.index) + by + changed.slice(match.index + match[0].length);
    };
    changed = [
      () => changed.slice(0, at) + changed.slice(end),
      () => changed.slice(0, at) + changed.slice(at, end).repeat(draw.whole(2, 50)) + changed.slice(end),
      () => changed.slice(0, at),
      () => changed.slice(0, at) + draw.of(PIECES) + changed.slice(at),
      () => changed.slice(0, at) + String.fromCharCode(draw.whole(0, 0x3000)) + changed.slice(at + 1),
      () => replace(/-?\d+\.?\d*/g, draw.of(NUMBERS)),
      () => replace(/-?\d+\.?\d*/g, draw.of(NUMBERS)),
      () => replace(/"[^"]*"/g, `"${draw.of(TEXTS)}"`),
      () => replace(/"[^"]*"/g, `"${draw.of(NUMBERS)}"`),
      () => replace(/<\w+/g, `<${draw.of(["robot", "body", "geom", "joint", "include", "link", "default", "mesh", "x"])}`),
      () => replace(/ \w+=/g, ` ${draw.of(["name", "pos", "size", "link", "joint", "file", "range", "class", "type"])}=`),
      () => changed.slice(end) + changed.slice(0, at),
    ][draw.whole(0, 11)]!();
    if (changed.length > 400_000) changed = changed.slice(0, 400_000);
  }
  return changed;
}

function mutatedBytes(bytes: Uint8Array, draw: Draw): Uint8Array {
  let changed = bytes.slice();
  for (let k = draw.whole(1, 5); k > 0 && changed.length > 0; k--) {
    const at = draw.whole(0, changed.length - 1);
    const kind = draw.whole(0, 5);
    if (kind === 0) changed[at] = draw.whole(0, 255);
    else if (kind === 1) changed = changed.slice(0, at);
    else if (kind === 2 && changed.length >= at + 4)
      new DataView(changed.buffer).setUint32(
        at,
        draw.of([0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x7f800000, 0x7fc00000, 1e6]),
        true,
      );
    else if (kind === 3) changed = Uint8Array.from([...changed.subarray(0, at), ...changed.subarray(Math.max(0, at - 100))]);
    else if (kind === 4) changed.fill(draw.whole(0, 255), at, at + draw.whole(1, 40));
    else changed = Uint8Array.from([...changed.subarray(0, at), ...changed.subarray(at + draw.whole(1, 20))]);
  }
  return changed;
}

const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const asBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const SECRET = "the secret of another folder";
let folder: string | undefined;
/** A folder with a mesh, and a secret beside it. It is the same for all cases of a process. */
function robotFolder(): string {
  if (folder === undefined) {
    const place = mkdtempSync(join(tmpdir(), "castor-attack-"));
    folder = join(realpathSync(place), "robot");
    mkdirSync(join(folder, "meshes"), { recursive: true });
    writeFileSync(join(folder, "meshes", "hand.stl"), CUBE_FILES["binary.stl"]!);
    writeFileSync(join(folder, "self.xml"), "<mujoco><include file='self.xml'/></mujoco>");
    for (const name of ["secret.stl", "secret.xml"]) writeFileSync(join(folder, "..", name), SECRET);
    process.on("exit", () => rmSync(place, { recursive: true, force: true }));
  }
  return folder;
}

/** Imports a robot file, builds its model, and, if `touches`, reads a scenario in which it touches itself. */
function readRobot(text: string, source: string, srdf: string | undefined, touches = false): void {
  const files = robotFiles(robotFolder(), {});
  const findMesh = (name: string): string | undefined => {
    const path = files.options.findMesh!(name);
    if (path !== undefined && asText(files.readMesh(path)!).includes(SECRET)) throw new Error(`${name} leads out of the folder`);
    return path;
  };
  const options = {
    ...files.options,
    findMesh,
    readMeshFile: files.readMesh,
    ...(srdf !== undefined && { srdf: { text: srdf, source: "r.srdf" } }),
  };
  const imported = importModel(text, source, options);
  checkFinite(imported);
  createModel(imported.model);
  if (!touches) return;
  const force = "{ kind: contact, shapes: [{ kind: collisions }], law: pressure, modulus: 1e6, startDepth: 1e6 }";
  const readBytes = (path: string): Uint8Array => files.readMesh(path) ?? new Uint8Array(0);
  const scenarioFiles = { ...NO_FILES, importOptions: options, readBytes, readBeside: () => ({ text, source }) };
  loadScenario(`castor: 1\nmodel: ${source}\nduration: 1\nforces: { touch: ${force} }\n`, "s.yaml", { files: scenarioFiles });
}

function checkFinite(imported: ImportedModel): void {
  const text = JSON.stringify([imported.model, imported.forces, imported.contactShapes, imported.states], (_, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`the import contains ${value}`);
    return value;
  });
  if (text.includes(SECRET) || text.includes("root:x:")) throw new Error("the import contains a foreign file");
}

function readAnyMesh(name: string, bytes: Uint8Array): void {
  const mesh = readMesh(name, (path) => {
    if (path === name) return bytes;
    if (path === "part.bin") return CUBE_FILES["part.bin"]!;
    if (/(^|[\\/])\.\.([\\/]|$)/.test(path) || path.startsWith("/") || /^[a-z]+:/i.test(path))
      throw new Error(`asked for ${path}`);
    return new Uint8Array(0);
  });
  const count = mesh.positions.length / 3;
  if (!mesh.positions.every(Number.isFinite)) throw new Error("a vertex is not finite");
  if (!mesh.triangles.every((vertex) => vertex < count) || mesh.triangles.length % 3 !== 0)
    throw new Error("a triangle has no vertex");
  const { mass, inertia } = meshMassProperties(mesh, 1000);
  if (!(mass > 0) || !inertia.every(Number.isFinite)) throw new Error(`the mass is ${mass}`);
}

interface Draft {
  readonly what: string;
  read(): void;
}

function draftOf(draw: Draw): Draft {
  const kind = draw.of(["urdf", "srdf", "mjcf", "mesh", "mesh", "swapped"] as const);
  const touches = draw.whole(0, 9) === 0;
  if (kind === "urdf") {
    const text = mutatedText(URDF, draw);
    return { what: kind, read: () => readRobot(text, "r.urdf", undefined, touches) };
  }
  if (kind === "srdf") {
    const text = mutatedText(SRDF, draw);
    return { what: kind, read: () => readRobot(URDF, "r.urdf", text) };
  }
  if (kind === "mjcf") {
    const text = mutatedText(MJCF, draw);
    return { what: kind, read: () => readRobot(text, "r.xml", undefined, touches) };
  }
  const name = draw.of(CUBE_MESH_NAMES);
  if (kind === "swapped") {
    const other = draw.of([...Object.values(CUBE_FILES), asBytes(URDF), asBytes(MJCF), new Uint8Array(0)]);
    return { what: `${name} with other contents`, read: () => readAnyMesh(name, other) };
  }
  const bytes = CUBE_FILES[name]!;
  const isText = !name.endsWith(".glb") && name !== "binary.stl" && draw.whole(0, 1) === 1;
  const changed = isText ? asBytes(mutatedText(asText(bytes), draw)) : mutatedBytes(bytes, draw);
  return { what: name, read: () => readAnyMesh(name, changed) };
}

const BUILT_INS = [Object.prototype, Array.prototype, Map.prototype, String.prototype];
const builtIns = (): string => BUILT_INS.map((object) => Object.getOwnPropertyNames(object).length).join();

export default function robotInputs(seed: number): AttackCase {
  const { what, read } = draftOf(new Draw(seed));
  return {
    description: what,
    run: (): Outcome => {
      const before = { objects: builtIns(), memory: process.memoryUsage().rss, cpu: process.cpuUsage() };
      let outcome: Outcome = "right";
      try {
        read();
      } catch (error) {
        if (!(error instanceof CastorError)) throw error;
        outcome = { refused: `${error.name}: ${error.message.slice(0, 500)}` };
      }
      const { user, system } = process.cpuUsage(before.cpu);
      const seconds = (user + system) / 1e6;
      const memory = process.memoryUsage().rss - before.memory;
      if (builtIns() !== before.objects) return { wrong: "built-in objects were changed" };
      if (seconds > MOST_SECONDS) return { wrong: `took ${seconds} s of the processor` };
      if (memory > MOST_MEMORY) return { wrong: `took ${Math.round(memory / 1e6)} MB` };
      return outcome;
    },
  };
}
