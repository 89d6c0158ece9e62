/** Writes SRDF beside a URDF file: loops, named states, and pairs of links that never touch. */
import type { ExportLink } from "../export/export-links.ts";
import type { ExportNotes } from "../export/export-notes.ts";
import type { ExportedRobot } from "../export/exported-robot.ts";
import { type StateValues, stateValues } from "../export/state-values.ts";
import { type XmlNode, xml } from "../xml/write-xml.ts";

/** Group of all joints, which SRDF needs for states. */
const ALL = "all";

/** @param loops nodes of the loops. Returns undefined if there is nothing to write. */
export function writeSrdf(
  robot: ExportedRobot,
  links: readonly ExportLink[],
  loops: readonly XmlNode[],
  notes: ExportNotes,
): XmlNode | undefined {
  const linkNames = new Map(links.map(({ body, name }) => [body.name, name]));
  const states = Array.from(stateValues(robot), ([name, state]) => stateNode(name, state, links, notes));
  const pairs = (robot.noContact ?? []).flatMap(([a, b]) => {
    const [link1, link2] = [linkNames.get(a), linkNames.get(b)];
    return link1 === undefined || link2 === undefined ? [] : [xml("disable_collisions", { link1, link2, reason: "User" })];
  });
  if (states.length + pairs.length + loops.length === 0) return undefined;
  const joints = links.flatMap(({ joints }) => joints.map(({ name }) => xml("joint", { name })));
  const group = states.length === 0 ? undefined : xml("group", { name: ALL }, joints);
  return xml("robot", { name: robot.model.name }, [group, ...states, ...loops, ...pairs]);
}

function stateNode(name: string, { q, u }: StateValues, links: readonly ExportLink[], notes: ExportNotes): XmlNode {
  if (u.some((speed) => speed !== 0)) notes.miss(`speeds of the state "${name}"`, "SRDF has coordinates only");
  const joints = links.flatMap(({ body: { hinge }, joints }) =>
    joints.map(({ name: joint, q: first, element }) => {
      const values = Array.from(q.subarray(first, first + (joints.length === 1 ? hinge.nq : element.nq)));
      // A free joint is x y z qx qy qz qw in SRDF.
      const ordered = values.length === 7 ? [...values.slice(4), ...values.slice(1, 4), values[0]!] : values;
      return xml("joint", { name: joint, value: ordered });
    }),
  );
  return xml("group_state", { name, group: ALL }, joints);
}
