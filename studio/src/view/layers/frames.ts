/** Frames: axes x, y, z in red, green and blue. Those of bodies are small, those of named frames larger. */
import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments } from "three";
import { poseGroup, setBodyPose, setPlacement } from "../geometry/drawing.ts";
import type { Layer, LayerContext } from "../layer.ts";

export const framesLayer: Layer = {
  id: "frames",
  title: "Frames",
  shownByDefault: false,
  create(context) {
    const { model } = context.scenario;
    const object = new Group();
    const groups = model.bodies.map((body) => {
      const group = poseGroup().add(axes(context, 0.16));
      for (const frame of model.frames.filter((f) => f.body === body.index)) {
        const frameAxes = axes(context, 0.26);
        setPlacement(frameAxes, frame.placement);
        group.add(frameAxes);
      }
      return group;
    });
    const world = axes(context, 0.4);
    object.add(world, ...groups);
    return {
      object,
      update({ poses, origin }) {
        world.position.set(-origin[0]!, -origin[1]!, -origin[2]!);
        for (const [body, group] of groups.entries()) setBodyPose(group, poses, body, origin);
      },
    };
  },
};

function axes({ extent, palette }: LayerContext, part: number): LineSegments {
  const length = part * extent.radius;
  const points = new Float32Array([0, 0, 0, length, 0, 0, 0, 0, 0, 0, length, 0, 0, 0, 0, 0, 0, length]);
  const colours = new Float32Array(palette.axes.flatMap((name) => [...new Color(name).toArray(), ...new Color(name).toArray()]));
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setAttribute("color", new BufferAttribute(colours, 3));
  const lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
  lines.renderOrder = 2;
  return lines;
}
