/** Parameters of controllers with tasks, for their documentation and the contract suite. */
export const TASK_EXAMPLES = [
  {
    motors: "arm-motors",
    hinges: ["shoulder", "elbow", "slider", "wrist"],
    tasks: [
      { frame: "hand", parts: ["rx", "ry", "rz"], kp: 4, kd: 4 },
      {
        frame: "hand-tip",
        parts: ["x", "y", "z"],
        priority: 2,
        kp: 4,
        kd: 4,
        moves: [{ by: [0.1, 0, -0.05], duration: 4, rise: 1 }],
      },
    ],
  },
] as const;
