/** Features of MJCF that the corpus does not have, against MuJoCo. */
import loadMujoco from "@mujoco/mujoco";
import { expect, test } from "vitest";
import { importModel } from "../../src/formats/robot/import-model.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { compareDynamics, difference, passiveForces, randomState, servoForces } from "../fixtures/robots/compare-dynamics.ts";
import { mujocoRobot } from "../fixtures/robots/mujoco-robot.ts";

const mujoco = await loadMujoco();

const INERTIAL = '<inertial pos="0.1 -0.2 0.3" euler="10 20 30" mass="2" diaginertia="0.3 0.4 0.5"/>';
const chain = (compiler: string, bodies: readonly string[], rest = ""): string =>
  `<mujoco><compiler ${compiler}/>${rest}<worldbody>${bodies.reduceRight((inner, body) => body.replace("</body>", `${inner}</body>`), "")}</worldbody></mujoco>`;

const ORIENTATIONS = [
  'quat="1 2 3 4"',
  'axisangle="1 2 -3 40"',
  'euler="10 20 30"',
  'xyaxes="1 2 3 -1 0 2"',
  'zaxis="1 2 3"',
  'zaxis="0.3 -0.1 -2"',
  'zaxis="0 0 -1"',
];
const GEOMS = [
  '<geom type="sphere" size="0.2" pos="0.1 0 0"/>',
  '<geom type="capsule" size="0.1 0.3" euler="30 0 20" density="500"/>',
  '<geom type="capsule" size="0.1" fromto="0 0.1 0 0.5 0.2 -0.4" mass="0.7"/>',
  '<geom type="ellipsoid" size="0.1 0.2 0.3" quat="1 1 0 0"/>',
  '<geom type="cylinder" size="0.1 0.2" pos="0 0 0.3"/>',
  '<geom type="cylinder" size="0.1" fromto="0 0 0 0 0 -0.5"/>',
  '<geom type="box" size="0.1 0.2 0.3" axisangle="0 1 1 33"/>',
  '<geom type="box" size="0.1" fromto="0 0 0 0.3 0.3 0"/>',
  '<geom type="box" size="0.1 0.2 0.3" group="4"/><geom type="sphere" size="0.1" group="1"/>',
];

const body = (place: string, joint: string, content: string): string => `<body ${place}>${joint}${content}</body>`;
const hinge = (i: number): string => `<joint name="j${i}" axis="${i % 2} 1 ${i % 3}" pos="0.1 ${i / 10} 0"/>`;

test.each([
  [
    "orientations in degrees",
    chain(
      "",
      ORIENTATIONS.map((orientation, i) => body(`pos="0.3 0 0.1" ${orientation}`, hinge(i), INERTIAL)),
    ),
  ],
  [
    "orientations in radians",
    chain(
      'angle="radian"',
      ORIENTATIONS.map((orientation, i) => body(`pos="0.3 0 0.1" ${orientation}`, hinge(i), INERTIAL)),
    ),
  ],
  ...["zyx", "XYZ", "xYz", "zxz", "ZyX"].map(
    (sequence) =>
      [
        `euler angles ${sequence}`,
        chain(`eulerseq="${sequence}"`, [
          body('euler="10 20 30"', hinge(1), INERTIAL),
          body('euler="-50 70 120"', hinge(2), INERTIAL),
        ]),
      ] as const,
  ),
  [
    "geoms",
    chain(
      'inertiagrouprange="0 3"',
      GEOMS.map((geom, i) => body('pos="0.3 0.2 0.1"', hinge(i), geom)),
    ),
  ],
  [
    "inertia from geoms although there is an inertial",
    chain('inertiafromgeom="true"', [body("", hinge(1), INERTIAL + GEOMS[0]), body('pos="1 0 0"', hinge(2), GEOMS[6]!)]),
  ],
  ["a total mass", chain('settotalmass="7"', [body("", hinge(1), INERTIAL), body('pos="1 0 0"', hinge(2), GEOMS[6]!)])],
  [
    "bounds and balance",
    chain('boundmass="3" boundinertia="0.35" balanceinertia="true"', [
      body("", hinge(1), INERTIAL),
      body('pos="1 0 0"', hinge(2), '<inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>'),
    ]),
  ],
  ["full inertia", chain("", [body("", hinge(1), '<inertial pos="1 2 3" mass="1" fullinertia="3 4 5 0.1 0.2 0.3"/>')])],
  [
    "several joints of a body, references and slides",
    chain("", [
      body(
        'pos="0 0 1" quat="1 0.2 0.3 0"',
        '<joint name="a" type="slide" axis="1 0 0.2" ref="0.3" armature="0.2"/><joint name="b" type="slide" axis="0 1 0"/><joint name="c" axis="0 0 1" pos="0.2 0 0" ref="30"/>',
        INERTIAL,
      ),
      body('pos="0 0 1"', '<joint name="d" type="ball" pos="0.1 0.2 0.3" damping="0.3"/>', INERTIAL),
      body(
        'pos="0 0 1" euler="0 40 0"',
        '<joint name="e" axis="1 0 0" ref="-70" springref="20" stiffness="5" damping="0.7"/><joint name="f" axis="0 1 0"/>',
        INERTIAL,
      ),
    ]),
  ],
  [
    "a free body with branches",
    `<mujoco><option gravity="1 2 -3"/><worldbody><body name="base" pos="1 2 3" euler="10 20 30"><freejoint/>${INERTIAL}<body pos="0 1 0"><joint name="a" type="slide"/>${INERTIAL}</body><body pos="0 1 0"><joint name="b" axis="1 1 0"/>${INERTIAL}<body euler="0 0 10">${INERTIAL}</body></body></body></worldbody></mujoco>`,
  ],
  [
    "default classes",
    `<mujoco><default><joint damping="0.1"/><geom density="100"/><default class="a"><joint axis="1 0 0" armature="0.3"/><geom type="box" size="0.1 0.2 0.3"/><default class="b"><joint damping="0.5"/><geom density="700"/></default></default></default>
    <worldbody><body childclass="a"><joint name="x"/><geom/><geom class="b" pos="0.2 0 0"/><body pos="0 0 1"><joint name="y" class="b"/><geom/><body pos="0 0 1" childclass="b"><joint name="z"/><geom/><geom class="main" size="0.1"/></body></body></body></worldbody></mujoco>`,
  ],
  [
    "frames",
    `<mujoco><default><default class="c"><geom size="0.3"/></default></default><worldbody><frame pos="1 0 0" euler="0 0 90"><body name="a" pos="1 0 0"><frame euler="90 0 0" pos="0 0 1" childclass="c"><joint name="j" axis="0 1 0" pos="0.1 0 0"/><geom type="sphere" pos="0.5 0 0"/><frame pos="0 0 2"><body pos="1 1 1"><joint name="k" axis="1 0 0"/><geom type="sphere"/></body></frame></frame></body></frame></worldbody></mujoco>`,
  ],
  ...[
    ["euler", 'euler="90 0 20"', 'quat="1 0.2 0.3 0"'],
    ["quat", 'quat="1 0.2 0.3 0"', 'euler="20 30 10"'],
    ["euler", 'euler="90 0 20"', 'axisangle="1 0.2 0.3 40"'],
    ["axisangle", 'axisangle="1 0.2 0.3 40"', 'euler="90 0 20"'],
    ["zaxis", 'zaxis="1 0.2 0.3"', 'xyaxes="1 0.2 0 0 1 1"'],
  ].map(
    ([name, ofClass, own]) =>
      [
        `${own} in a class with ${name}`,
        `<mujoco><default><geom type="box" size="0.1 0.2 0.3" ${ofClass}/></default><worldbody>${body("", hinge(1), `<geom pos="1 0 0" ${own}/>`)}</worldbody></mujoco>`,
      ] as const,
  ),
  [
    "some numbers of a size",
    `<mujoco><default><geom type="box" size="0.1 0.5 0.2"/></default><worldbody>${body("", hinge(1), '<geom size="0.3"/>')}</worldbody></mujoco>`,
  ],
  [
    "replicas",
    `<mujoco><worldbody>${body(
      "",
      hinge(0).replace("j0", "c"),
      `${INERTIAL}<replicate count="12" sep="-" euler="10 20 30" offset="0.2 0 0.1"><body name="a" pos="0.5 0 0"><joint name="a" axis="0 1 0"/>${INERTIAL}</body></replicate>
    <replicate count="2" offset="1 0 0"><replicate count="2" sep="x" euler="0 90 0" offset="0 1 0"><body name="b"><joint name="b" axis="0 1 0"/>${INERTIAL}</body></replicate><geom type="box" size="0.1 0.2 0.3"/></replicate>`,
    )}</worldbody></mujoco>`,
  ],
  [
    "an inertial in a frame",
    chain("", [body('pos="1 0 0" euler="30 0 0"', hinge(1), `<frame pos="0 0.3 0" euler="20 10 0">${INERTIAL}</frame>`)]),
  ],
] as const)("%s", (_, text) => {
  const imported = importModel(text, "model.xml");
  const model = createModel(imported.model);
  const peer = mujocoRobot(mujoco, text, model);
  const differences = compareDynamics(model, peer, 5);
  const state = randomState(model, 2);
  expect(difference(passiveForces(imported, model, state), peer.quantities(state.q, state.u, state.tau).passive)).toBeLessThan(
    1e-12,
  );
  peer.delete();
  for (const value of Object.values(differences)) expect(value).toBeLessThan(1e-10);
});

/** A prism over an L: closed, but not convex. */
const OUTLINE = [0, 1].map((z) => `0 0 ${z} 2 0 ${z} 2 1 ${z} 1 1 ${z} 1 3 ${z} 0 3 ${z}`).join(" ");
const SIDES = [0, 1, 2, 3, 4, 5]
  .map((i) => `${i} ${(i + 1) % 6} ${((i + 1) % 6) + 6} ${i} ${((i + 1) % 6) + 6} ${i + 6}`)
  .join(" ");
const FACES = `0 2 1 6 7 8 0 3 2 6 8 9 0 4 3 6 9 10 0 5 4 6 10 11 ${SIDES}`;

test.each([
  ["", ""],
  ['inertia="legacy" scale="1 -2 3"', ""],
  ['inertia="exact" scale="1 2 3"', 'pos="1 0 0" quat="1 1 0 0" mass="3"'],
  ['inertia="exact" refpos="1 0 0" refquat="1 0 0.3 1" scale="1 2 3"', 'density="300"'],
  ['inertia="convex"', 'euler="10 20 30"'],
  ['inertia="shell" scale="-1 -2 3"', ""],
  ["hull", ""],
])("masses of meshes: %s, geom %s", (asset, geom) => {
  const faces = asset === "hull" ? "" : `face="${FACES}" ${asset}`;
  const text = `<mujoco><asset><mesh name="m" vertex="${OUTLINE}" ${faces}/></asset><worldbody>
    ${body("", hinge(1), `<geom type="mesh" mesh="m" ${geom}/>`)}</worldbody></mujoco>`;
  const imported = importModel(text, "model.xml");
  expect(imported.unsupported.map(({ feature }) => feature)).toEqual(["picture of a mesh of vertices in the file"]);
  const model = createModel(imported.model);
  const peer = mujocoRobot(mujoco, text, model);
  for (const value of Object.values(compareDynamics(model, peer, 3))) expect(value).toBeLessThan(1e-10);
  peer.delete();
});

const CHAIN = `<body name="c"><joint name="c" axis="0 1 0" range="-100 50"/>${INERTIAL}<body name="d" pos="0 0 1"><joint name="d" ref="30" armature="0.2" axis="1 1 0"/>${INERTIAL}
  <body name="e" pos="0 0 1"><joint name="e" type="slide" ref="0.3" axis="1 1 0"/>${INERTIAL}</body></body></body>`;

test.each([
  [
    "",
    '<position joint="c" kp="100" dampratio="0.7" gear="3"/><position joint="d" kp="50" dampratio="1"/><position joint="e" kp="5" dampratio="1"/>',
  ],
  [
    '<position kp="100" dampratio="1"/>',
    '<position joint="c"/><position joint="d" kv="3"/><position joint="e" kp="50" dampratio="0.2"/>',
  ],
  [
    '<general biastype="affine" gainprm="30" biasprm="0 -30 -4"/>',
    '<position joint="c" kp="10"/><general joint="d" gear="2"/><velocity joint="e"/>',
  ],
  ['<position kp="100" kv="5"/>', '<general joint="c"/><motor joint="d"/><velocity joint="e" kv="3"/>'],
  ['<velocity kv="5"/>', '<general jointinparent="c"/><position joint="d" kp="7"/><velocity joint="e"/>'],
  ['<general gainprm="5"/><position kv="3"/>', '<position joint="c"/><general joint="d" biasprm="1"/><motor joint="e"/>'],
  [
    '<motor gear="5"/>',
    '<position joint="c" kp="3"/><general joint="d" biastype="affine" biasprm="1 -2 -1" gainprm="2"/><position joint="e" gear="2"/>',
  ],
  [
    '<general ctrlrange="0.5 1" forcerange="-3 3"/>',
    '<position joint="c" kp="3"/><position joint="d" kp="100" forcerange="-5 5"/>',
  ],
  ['<position inheritrange="0.9" kp="10"/>', '<position joint="c"/><velocity joint="c" kv="2"/>'],
  [
    '<default class="a"><general biastype="affine" biasprm="1 -2 -3" gainprm="2"/><default class="b"><position kp="7"/><default class="f"><position kv="4"/></default></default></default>',
    '<general class="a" joint="c"/><position class="b" joint="d"/><general class="f" joint="e"/>',
  ],
])("actuators of the classes %s: %s", (classes, actuators) => {
  const text = `<mujoco><default>${classes}</default><worldbody>${CHAIN}</worldbody><actuator>${actuators}</actuator></mujoco>`;
  const imported = importModel(text, "model.xml");
  expect(imported.unsupported).toEqual([]);
  const model = createModel(imported.model);
  const peer = mujocoRobot(mujoco, text, model);
  const state = randomState(model, 2);
  const servos = servoForces(imported, model, state).map((force) => (Number.isNaN(force) ? 0 : force));
  expect(difference(servos, peer.quantities(state.q, state.u, state.tau).actuators)).toBeLessThan(1e-12);
  peer.delete();
});
