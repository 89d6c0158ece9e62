/** Frames of a model as links without mass, and loops as constraints between such links. */
import type { Attachment, FrameLoop } from "../../model/loop.ts";
import type { Placement } from "../../model/model.ts";
import { isAtOrigin, onLink } from "../export/export-links.ts";
import { composed } from "../robot/placements.ts";
import { maskOf } from "../srdf/loop-mask.ts";
import { type XmlNode, xml } from "../xml/write-xml.ts";
import type { UrdfWriter } from "./write-links.ts";
import { originNode } from "./write-shapes.ts";

export interface Attachments {
  /** Links and fixed joints. */
  readonly nodes: readonly XmlNode[];
  /** `loop_constraint` elements of SRDF. */
  readonly loops: readonly XmlNode[];
  readonly usesWorld: boolean;
}

export function attachments({ robot: { model }, links, names, notes }: UrdfWriter): Attachments {
  const nodes: XmlNode[] = [];
  const frameNames = new Map<string, string>();
  let usesWorld = false;
  const addLink = (name: string, body: number, X: Placement): string => {
    usesWorld ||= body < 0;
    const joint = names.joints.claim(undefined, `${name}-mount`);
    nodes.push(
      xml("joint", { name: joint, type: "fixed" }, [
        originNode(onLink(links[body], X)),
        xml("parent", { link: links[body]?.name ?? "world" }),
        xml("child", { link: name }),
      ]),
      xml("link", { name }),
    );
    return name;
  };
  for (const { name, body, placement } of model.frames)
    frameNames.set(name, addLink(names.links.claim(name, "frame"), body, placement));
  /** The link at one end of a loop. */
  const linkAt = ({ body, placement, frame }: Attachment, turn: Placement, fallback: string): string => {
    const X = composed(placement, turn);
    const known = frame === undefined ? undefined : frameNames.get(frame);
    if (known !== undefined && isAtOrigin(turn)) return known;
    usesWorld ||= body < 0;
    if (isAtOrigin(onLink(links[body], X))) return links[body]?.name ?? "world";
    return addLink(names.links.claim(undefined, fallback), body, X);
  };
  const loops = model.loops.flatMap((loop): readonly XmlNode[] => {
    if (loop.type !== "frames") return [];
    const { name, kind, from, to } = loop;
    const masked = maskOf(loop as FrameLoop);
    if (masked === undefined) {
      notes.miss(`loop "${name}" (${kind})`, "a loop_constraint of SRDF cannot express it: the loop is open in the file");
      return [];
    }
    const { mask, turn } = masked;
    const [frame1, frame2] = [linkAt(from, turn, `${name}-from`), linkAt(to, turn, `${name}-to`)];
    return [xml("loop_constraint", { name, frame1, frame2, mask })];
  });
  return { nodes, loops, usesWorld };
}
