/** Closed machines with the numbers of independent programs. */
import type { BodyDescription, LoopDescription, ModelDescription } from "../../src/model/description.ts";

const { cos, sin } = Math;

/** Example 2 of TR-942; the pins of the loops hold x and y only. */
export const PANTOGRAPH: ModelDescription = {
  name: "satellite with a pantograph",
  bodies: [
    { name: "satellite", mass: 200, inertia: [20, 20, 20], hinge: { kind: "free" } },
    ...(["bar2", "bar3"] as const).map(
      (name): BodyDescription => ({
        name,
        parent: "satellite",
        mass: 20,
        com: [1, 0, 0],
        inertia: [1, 5, 5],
        hinge: { kind: "general", freedoms: ["y", "rz"], at: [1, 0, 0] },
      }),
    ),
    ...(
      [
        ["bar5", "bar2"],
        ["bar4", "bar3"],
      ] as const
    ).map(
      // biome-ignore format: pairs
      ([name, parent]): BodyDescription => ({
        name,
        parent,
        mass: 10,
        com: [0.5, 0, 0],
        inertia: [0.2, 1, 1],
        hinge: { kind: "revolute", at: [2, 0, 0] },
      }),
    ),
  ],
  loops: (
    [
      ["h6", "bar2", "bar3"],
      ["h7", "bar5", "bar4"],
    ] as const
  ).map(
    // biome-ignore format: pairs
    ([name, from, to]): LoopDescription => ({
      name,
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: from, at: [1, 0, 0] },
      to: { body: to, at: [1, 0, 0] },
    }),
  ),
};

type V3 = readonly [number, number, number];
type V2 = readonly [number, number];

interface Minimal {
  readonly base: readonly [place: V3, speed: V3, acceleration: V3];
  readonly at: { readonly th: number; readonly thRate: number; readonly thRateRate: number };
  readonly sliders: { readonly s: V2; readonly rate: V2; readonly cRateRate: number };
  readonly h: readonly V2[];
  readonly pins: readonly V2[];
}

/**
 * reference/space-structures.json: minimal motion (x, y, phi of the satellite; th = theta3, c = (s2 + s3) / 2), its accelerations; and
 * forces on the child: of h2, h3, h5, h4 in inertial axes, of h6 and h7 in axes of the parent.
 */
const MINIMAL: readonly Minimal[] = [
  {
    base: [
      [0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0],
      [-0.0146708653741735, 0.004996954135095478, 0.028401172553132997],
    ],
    at: { th: 1.53588974175501, thRate: 0.0, thRateRate: -0.04240833398106098 },
    sliders: { s: [0.9993908270190958, -0.9993908270190958], rate: [0.0, 0.0], cRateRate: -0.05154142041367791 },
    h: [
      [4.324923249858218, -0.9993908270190958],
      [-1.3907501750235, 0.0],
      [1.0094967817524365, 14.132559800702936],
      [0.8162109092558131, -14.445866343818663],
    ],
    pins: [
      [14.876263755390944, 2.2433862686163177],
      [14.271532705865242, 0.5436769222820018],
    ],
  },
  {
    base: [
      [-0.027949154839676426, 0.006795487666010613, 0.03816212361069482],
      [-0.02718096458511327, 0.0053312846322486306, 0.02923191171554139],
      [-0.012309001557845005, 0.0005960680802321415, 0.0014635200148104294],
    ],
    at: { th: 1.4562229044549686, thRate: -0.0769364882624046, thRateRate: -0.03455634025047162 },
    sliders: {
      s: [0.9192470265430516, -1.0676402580635267],
      rate: [-0.07061954821203388, -0.053028340543026936],
      cRateRate: -0.01309677512254041,
    },
    h: [
      [3.776755654619351, -0.06900775293836228],
      [-1.31495534305035, -0.05020586310806609],
      [0.6122678943415792, 3.601871298097431],
      [0.8754138699731102, -3.52335550443357],
    ],
    pins: [
      [3.9377814333955192, 2.102804597021345],
      [3.4885875539791504, 0.4017110663578065],
    ],
  },
];

export const INSTANTS = MINIMAL.map(
  ({ base: [place, speed, acceleration], at: { th, thRate, thRateRate }, sliders: { s, rate, cRateRate }, ...rest }) => {
    const [x, y, phi] = place;
    const [xRate, yRate, phiRate] = speed;
    const [xRateRate, yRateRate, phiRateRate] = acceleration;
    const sRateRate = cos(th) * thRateRate - sin(th) * thRate ** 2;
    return {
      q: [cos(phi / 2), 0, 0, sin(phi / 2), x, y, 0, s[0], -th, s[1], th, 2 * th, -2 * th],
      u: [0, 0, phiRate, xRate, yRate, 0, rate[0], -thRate, rate[1], thRate, 2 * thRate, -2 * thRate],
      udot: [
        ...[0, 0, phiRateRate, xRateRate, yRateRate, 0],
        ...[cRateRate + sRateRate, -thRateRate, cRateRate - sRateRate, thRateRate, 2 * thRateRate, -2 * thRateRate],
      ],
      tau: [0, 0, 0, 0, 0, 0, -s[0] - 10 * rate[0], 4 * th + 10 * thRate, 0, 0, 0, 0],
      ...rest,
    };
  },
);

/** reference/docking-overconstrained.json */
export const OVERCONSTRAINED = [
  {
    name: "tilted four-bar",
    description: {
      gravity: [6.686819598481479, -6.2918107481707315, 3.454802623387806],
      bodies: [
        {
          name: "crank",
          mass: 1.0,
          com: [0.14, 0.01, 0.0],
          inertia: [0.002, 0.01, 0.01, 0.0, 0.0, 0.0],
          hinge: {
            kind: "revolute",
            at: [0.0, 0.0, 0.0],
            rotation: {
              matrix: [
                [0.34692944965489897, -0.681632986593423, -0.644217687237691],
                [0.7070625945451848, 0.6413670487431938, -0.2978435767000479],
                [0.6162000035355246, -0.35217152124238593, 0.7044663052755917],
              ],
            },
          },
        },
        {
          name: "rocker",
          mass: 2.0,
          com: [0.33, -0.02, 0.0],
          inertia: [0.003, 0.07, 0.07, 0.0, 0.0, 0.0],
          hinge: {
            kind: "revolute",
            at: [0.31223650468940906, 0.6363563350906664, 0.5545800031819722],
            rotation: {
              matrix: [
                [0.34692944965489897, -0.681632986593423, -0.644217687237691],
                [0.7070625945451848, 0.6413670487431938, -0.2978435767000479],
                [0.6162000035355246, -0.35217152124238593, 0.7044663052755917],
              ],
            },
          },
        },
        {
          name: "coupler",
          parent: "rocker",
          mass: 2.5,
          com: [0.38, 0.05, 0.0],
          inertia: [0.005, 0.15, 0.15, 0.0, 0.0, 0.0],
          hinge: {
            kind: "revolute",
            at: [0.6, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
              ],
            },
          },
        },
      ],
      loops: [
        {
          name: "closing",
          kind: "revolute",
          from: {
            body: "crank",
            at: [0.3, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
              ],
            },
          },
          to: {
            body: "coupler",
            at: [0.8, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
              ],
            },
          },
        },
      ],
    } satisfies Omit<ModelDescription, "name">,
    q: [0.7, 1.5399425420940345, 2.1345826886561805],
    u: [2.0000000000000004, 0.19673910279233164, -0.8574449887118605],
    tau: [1.0999999999999999, -0.019673910279233167, 0.04287224943559303],
    udot: [-23.454296354255117, 0.6902071057767853, 8.484223314448462],
    rank: 2,
  },
  {
    name: "Bennett's linkage",
    description: {
      gravity: [0.0, 0.0, -9.81],
      bodies: [
        {
          name: "link1",
          mass: 1.0,
          com: [0.25, 0.02, 0.01],
          inertia: [0.004, 0.012, 0.013, 0.0005, 0.0, 0.0003],
          hinge: {
            kind: "revolute",
            at: [0.0, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [0.0, 0.0, 1.0],
              ],
            },
          },
        },
        {
          name: "link2",
          parent: "link1",
          mass: 1.2,
          com: [0.37567845573443387, 0.02, 0.01],
          inertia: [0.005, 0.012, 0.013, 0.0005, 0.0, 0.0003],
          hinge: {
            kind: "revolute",
            at: [0.5, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 0.766044443118978, -0.6427876096865393],
                [0.0, 0.6427876096865393, 0.766044443118978],
              ],
            },
          },
        },
        {
          name: "link3",
          parent: "link2",
          mass: 1.4,
          com: [0.25, 0.02, 0.01],
          inertia: [0.006, 0.012, 0.013, 0.0005, 0.0, 0.0003],
          hinge: {
            kind: "revolute",
            at: [0.7513569114688677, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 0.25881904510252074, -0.9659258262890683],
                [0.0, 0.9659258262890683, 0.25881904510252074],
              ],
            },
          },
        },
      ],
      loops: [
        {
          name: "closing",
          kind: "revolute",
          from: {
            body: "world",
            at: [-0.7513569114688677, -0.0, -0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 0.25881904510252074, 0.9659258262890683],
                [0.0, -0.9659258262890683, 0.25881904510252074],
              ],
            },
          },
          to: {
            body: "link3",
            at: [0.5, 0.0, 0.0],
            rotation: {
              matrix: [
                [1.0, 0.0, 0.0],
                [0.0, 0.766044443118978, -0.6427876096865393],
                [0.0, 0.6427876096865393, 0.766044443118978],
              ],
            },
          },
        },
      ],
    } satisfies Omit<ModelDescription, "name">,
    q: [1.0, 2.756848761676969, 5.283185307179586],
    u: [1.5, -0.6690458208941242, -1.5],
    tau: [0.0, 0.0, 0.0],
    udot: [-13.084522209240335, 5.37503266584657, 13.084522209240331],
    rank: 2,
  },
];
