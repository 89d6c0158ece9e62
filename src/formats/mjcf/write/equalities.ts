/** Loops as equality constraints of MJCF, with sites where they are attached. */
import type { Attachment, CoordinateLoop, FrameLoop } from "../../../model/loop.ts";
import type { Placement } from "../../../model/model.ts";
import { type Axis, axisVector } from "../../../spatial/axis.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";
import { onLink } from "../../export/export-links.ts";
import { AT_ORIGIN, composed, translation } from "../../robot/placements.ts";
import { type XmlNode, xml } from "../../xml/write-xml.ts";
import { placementValues } from "./shapes.ts";
import type { MjcfWriter } from "./writer.ts";

/** Distance of the two balls that replace a revolute, m. */
const PIN_LENGTH = 0.1;

/** The constraints; sites are added by `addSite`. */
export function equalityNodes(writer: Omit<MjcfWriter, "sites">, sites: Map<number, XmlNode[]>): readonly XmlNode[] {
  const { robot, links, names, notes } = writer;
  const { model } = robot;
  const addSite = (name: string, body: number, X: Placement): string => {
    const node = xml("site", { name, ...placementValues(onLink(links[body], X)) });
    sites.set(body, [...(sites.get(body) ?? []), node]);
    return name;
  };
  const frameSites = new Map(
    model.frames.map(({ name, body, placement }) => [name, addSite(names.sites.claim(name, "site"), body, placement)]),
  );
  const siteAt = ({ body, placement, frame }: Attachment, shift: Placement, fallback: string): string => {
    const known = frame === undefined || shift !== AT_ORIGIN ? undefined : frameSites.get(frame);
    return known ?? addSite(names.sites.claim(undefined, fallback), body, composed(placement, shift));
  };
  const jointNames = new Map(links.flatMap(({ joints }) => joints.map(({ name, u }) => [u, name])));
  const constraints = (loop: FrameLoop, active: false | undefined): readonly XmlNode[] | undefined => {
    const { name, kind, from, to, parameters } = loop;
    const joined = (element: string, suffix: string, shift: Placement): XmlNode => {
      const [site1, site2] = [siteAt(from, shift, `${name}-from${suffix}`), siteAt(to, shift, `${name}-to${suffix}`)];
      return xml(element, { name: `${name}${suffix}`, site1, site2, active });
    };
    if (kind === "spherical") return [joined("connect", "", AT_ORIGIN)];
    if (kind === "fixed") return [joined("weld", "", AT_ORIGIN)];
    if (kind !== "revolute") return undefined;
    const axis = axisVector((parameters.axis as Axis | undefined) ?? "z");
    const shift = translation(axis.map((c) => c * PIN_LENGTH) as unknown as Vec3<number>);
    notes.miss(`loop "${name}" (revolute)`, "it is two points of its axis that are connected: six equations instead of five");
    return [joined("connect", "", AT_ORIGIN), joined("connect", "-axis", shift)];
  };
  const write = (loop: FrameLoop | CoordinateLoop, active: false | undefined): readonly XmlNode[] => {
    const nodes = loop.type === "frames" ? constraints(loop, active) : couplingNodes(loop, jointNames, active);
    if (nodes === undefined)
      notes.miss(`loop "${loop.name}" (${loop.kind})`, "MJCF has no such constraint: the loop is open in the file");
    return nodes ?? [];
  };
  const nodes = [
    ...model.loops.flatMap((loop) => write(loop, undefined)),
    ...model.openLoops.flatMap((loop) => write(loop, false)),
  ];
  if (nodes.length > 0)
    notes.miss("exactness of loops", "constraints of MuJoCo are soft: they give way under load (solref, solimp)");
  return nodes;
}

/** Two coordinates, or one at a constant value: y = a0 + a1 x. */
function couplingNodes(
  { name, kind, terms, motion }: CoordinateLoop,
  jointNames: ReadonlyMap<number, string>,
  active: false | undefined,
): readonly XmlNode[] | undefined {
  const isConstant = motion.rate === 0 && motion.amplitude === 0;
  const [first, second] = terms.filter(({ factor }) => factor !== 0);
  if (!isConstant || kind === "prescribed" || first === undefined || terms.length > 2) return undefined;
  const [joint1, joint2] = [jointNames.get(first.u), second && jointNames.get(second.u)];
  if (joint1 === undefined || (second !== undefined && joint2 === undefined)) return undefined;
  const slope = second === undefined ? 0 : -second.factor / first.factor;
  return [xml("joint", { name, joint1, joint2, polycoef: [motion.offset / first.factor, slope, 0, 0, 0], active })];
}
