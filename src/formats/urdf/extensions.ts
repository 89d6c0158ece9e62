/** Elements of URDF files that Castor does not simulate: each is listed with the effect that is missing. */
import type { ImportNotes } from "../robot/import-notes.ts";
import type { XmlElement } from "../xml/xml-element.ts";

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  robot: ["link", "joint", "material", "transmission"],
  link: ["inertial", "visual", "collision"],
  joint: ["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"],
};

const EFFECTS: Readonly<Record<string, string>> = {
  safety_controller: "soft limits of position and speed are not enforced",
  calibration: "reference positions of encoders have no effect on the motion",
  sensor: "it measures nothing; Castor records channels of every frame and hinge",
  contact: "contact coefficients of Bullet are not used",
  contact_coefficients: "contact coefficients of Bullet are not used",
  self_collision_checking: "it has no effect",
  collision_checking: "it has no effect",
  verbose: "it has no effect on the motion",
  frame: "it has no effect",
  type: "it has no effect",
  virtualJoint: "it has no effect",
};

const GAZEBO_EFFECTS: Readonly<Record<string, string>> = {
  plugin: "programs of Gazebo are not run",
  sensor: "it measures nothing; Castor records channels of every frame and hinge",
  material: "pictures show the colour of the URDF",
  turnGravityOff: "gravity acts on the link all the same",
  gravity: "gravity acts on the link as on all others",
  implicitSpringDamper: "springs and dampers of joints are those of <dynamics>",
  springStiffness: "the spring of the joint is missing",
  springReference: "the spring of the joint is missing",
  selfCollide: "contact acts only if a scenario has a force contact",
  joint: "joints of Gazebo that close loops are missing; add them as <loop_constraint> in an SRDF file",
};

export function listUnsupported(root: XmlElement, notes: ImportNotes): void {
  for (const element of root.children) {
    if (element.name === "gazebo") listGazebo(element, notes);
    else if (!KNOWN.robot!.includes(element.name)) listElement(element, "", notes);
    else
      for (const child of KNOWN[element.name] === undefined ? [] : element.children)
        if (!KNOWN[element.name]!.includes(child.name)) listElement(child, `${element.name} `, notes);
  }
}

function listElement(element: XmlElement, owner: string, notes: ImportNotes): void {
  const effect = Object.hasOwn(EFFECTS, element.name) ? EFFECTS[element.name]! : "Castor does not know this element";
  notes.unsupported(element, `${owner}${element.name}`.slice(0, 100), effect);
}

function listGazebo(element: XmlElement, notes: ImportNotes): void {
  for (const child of element.children) {
    const effect = Object.hasOwn(GAZEBO_EFFECTS, child.name) ? GAZEBO_EFFECTS[child.name]! : "settings of Gazebo are not used";
    notes.unsupported(child, `gazebo ${child.name}`.slice(0, 100), effect);
  }
}
