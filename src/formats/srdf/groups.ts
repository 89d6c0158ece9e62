/** Groups of SRDF: joints, links, chains between links, and other groups. */
import { valueText } from "../../errors.ts";
import type { ImportNotes } from "../robot/import-notes.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { SrdfRobot } from "./srdf-robot.ts";

/** Most names of all groups together: groups may contain each other. */
const MOST_NAMES = 100_000;

/** Names of hinges and bodies by group. */
export function readGroups(
  elements: readonly XmlElement[],
  robot: SrdfRobot,
  notes: ImportNotes,
): Readonly<Record<string, readonly string[]>> {
  const byName = new Map(elements.map((element) => [element.attributes.get("name") ?? "", element]));
  const resolved = new Map<string, ReadonlySet<string>>();
  let total = 0;
  const membersOf = (name: string, path: readonly string[]): ReadonlySet<string> => {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    const members = new Set<string>();
    for (const child of byName.get(name)?.children ?? []) {
      const childName = child.attributes.get("name") ?? "";
      if (child.name === "group") {
        if (path.includes(childName) || path.length > MOST_LEVELS)
          notes.warn(child, `group[${name}]`, "contains itself", { value: valueText(childName) });
        else for (const member of membersOf(childName, [...path, childName])) members.add(member);
      } else for (const member of ownMembers(child, robot)) members.add(member);
    }
    total += members.size;
    if (total > MOST_NAMES) notes.problem(byName.get(name)!, `group[${name}]`, `the groups have more than ${MOST_NAMES} members`);
    else resolved.set(name, members);
    return members;
  };
  const groups: Record<string, readonly string[]> = Object.create(null);
  for (const name of byName.keys()) groups[name] = total > MOST_NAMES ? [] : [...membersOf(name, [name])];
  return groups;
}

const MOST_LEVELS = 100;

function ownMembers(element: XmlElement, robot: SrdfRobot): readonly string[] {
  const name = element.attributes.get("name") ?? "";
  if (element.name === "joint") return [robot.hingeNames.get(name) ?? []].flat();
  if (element.name === "link") return [robot.bodyNames.get(name) ?? []].flat();
  return element.name === "chain" ? chainMembers(element, robot) : [];
}

/** Hinges between the base link and the tip link of a chain. */
function chainMembers({ attributes }: XmlElement, { links, bodyNames }: SrdfRobot): readonly string[] {
  const index = (key: string): number => links.findIndex(({ name }) => name === bodyNames.get(attributes.get(key) ?? ""));
  const base = index("base_link");
  const hinges: string[] = [];
  for (let i = index("tip_link"); i >= 0 && i !== base; i = links[i]!.parent) hinges.unshift(links[i]!.hinge.name);
  return hinges;
}
