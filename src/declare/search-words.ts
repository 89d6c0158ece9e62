/**
 * Search by the words of Castor and by those of the field: "joint" finds hinges, "torque" finds the channels `tau.*`. The glossary
 * (docs/glossary.md) explains the words.
 */

/**
 * Words that mean the same, in lower case. An entry that ends with a dot is the start of a channel name; one that starts with a dot is the
 * end of a channel name.
 */
const SYNONYMS: readonly (readonly string[])[] = [
  ["hinge", "joint", "q.", "u.", "tau.", "reaction.", "effort."],
  ["freedom", "degree of freedom", "dof"],
  ["body", "link"],
  ["loop", "closure", "constraint", "closed chain"],
  ["home", "zero configuration"],
  ["frame", "marker", "site", "end effector", "end-effector"],
  ["tau.", "torque", "motor torque", "generalised force", "generalized force", "effort"],
  ["q.", "angle", "joint angle", "joint position", "coordinate", "position"],
  ["u.", "speed", "velocity", "rate", "joint velocity"],
  [".wx", ".wy", ".wz", "omega", "angular velocity", "angular rate", "body rate"],
  [".qw", ".qx", ".qy", ".qz", "attitude", "quaternion", "orientation"],
  ["reaction.", "reaction", "constraint force", "constraint wrench", "joint load"],
  ["effort.", "joint torque", "inverse dynamics"],
  ["carried.", "base load", "mounting load"],
  ["reaction wheel", "wheels", "momentum wheel"],
  ["cmg", "control moment gyro", "gyroscope", "gyro"],
  ["thruster", "jet", "rcs"],
  ["hinge-spring", "joint spring", "torsion spring"],
  ["stop", "joint limit", "end stop", "hard stop"],
  ["actuator", "motor"],
  ["generalised jacobian", "generalized jacobian", "gjm"],
  ["resolved-rate", "inverse kinematics", "ik"],
  ["computed-torque", "inverse dynamics", "feedback linearisation", "feedback linearization"],
  ["articulated", "featherstone", "aba"],
  ["map", "dem", "elevation model"],
  ["elastic", "flexible", "beam"],
  ["contact", "collision"],
  ["clearance", "proximity", "collision avoidance"],
  ["latch", "hook", "capture"],
  ["gravity gradient", "gravity-gradient", "tidal"],
  ["point-gravity", "orbit", "oblateness", "newtonian gravity"],
  ["drag", "atmosphere", "aerodynamic"],
  ["solar-pressure", "sunlight", "radiation pressure", "srp"],
  ["magnetic-torque", "magnetic dipole", "residual dipole"],
];

/** The given text and all words that mean the same. */
function synonymsOf(query: string): readonly string[] {
  const groups = SYNONYMS.filter((group) => group.some((word) => word === query || singular(word) === singular(query)));
  return [query, ...groups.flat()];
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

/** True if the word occurs in the text. A word with a dot must start or end the channel name, which is the first word of the text. */
function occursIn(text: string, word: string): boolean {
  if (word.endsWith(".")) return text.startsWith(word);
  if (word.startsWith(".")) return text.split(" ", 1)[0]!.endsWith(word);
  return text.includes(singular(word));
}

/**
 * True if a text matches a search: the whole query, or each of its words, occurs in the text or has a synonym that does. Upper and lower
 * case are the same. An empty query matches every text.
 */
export function matchesSearch(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  const wanted = query.trim().toLowerCase().replace(/\s+/g, " ");
  const occurs = (words: string): boolean => lower.includes(words) || synonymsOf(words).some((word) => occursIn(lower, word));
  return wanted === "" || occurs(wanted) || wanted.split(" ").every(occurs);
}
