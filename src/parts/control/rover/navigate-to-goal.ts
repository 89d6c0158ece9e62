/** A rover drives to a goal over unknown ground: it plans with D* Lite, follows by pure pursuit, and stops where it must. */
import { FLAT } from "../../../ground/terrain.ts";
import { savedEntries, takeFiniteSaved } from "../../../saved-data.ts";
import { controllerKind } from "../kind.ts";
import { type Halves, NO_MEMORY, type SplitController } from "../link/split-controller.ts";
import { wheelCommandNames } from "./drive.ts";
import { NavigationLaw, type NavigationMemory } from "./navigation-law.ts";
import { decodeNavigation, encodeNavigation } from "./navigation-memory.ts";
import { NAVIGATION, NAVIGATION_EXAMPLE, navigationOptions } from "./navigation-parameters.ts";

export const navigateToGoal = controllerKind({
  name: "guide",
  about:
    "Drives a rover to a goal. The map starts empty; the rover sees the ground within the radius of its sensor exactly. It keeps the " +
    "clearance from cells that are too steep or too rough. D* Lite plans the way of least expected time around them, and again whenever " +
    "something new is seen. Each new way begins one lookahead ahead of the rover, so that the way under its wheels never jumps. The " +
    "rover follows it by pure pursuit, slower in curves and on slopes, and turns on the spot toward points far to the side. It stops at " +
    "the goal, if there is no way, if it is stuck, if it is tilted too far, and off its map. The channel `state` is " +
    "0 driving, 1 arrived, 2 no way, 3 stuck, 4 tilted too far, 5 off its map.",
  parameters: NAVIGATION,
  examples: [NAVIGATION_EXAMPLE],
  controller(name, values, note, _model, { terrain = FLAT }): SplitController<NavigationMemory> {
    const { wheels, period, between, body } = values;
    const law = new NavigationLaw(navigationOptions(values, terrain, note));
    return {
      name,
      period,
      between,
      frames: [body],
      commands: wheelCommandNames(wheels),
      channels: CHANNELS,
      start: (_model, s) => law.start(s),
      update(s, memory, command) {
        law.update(s, memory, command);
        return memory;
      },
      finished: (memory) => law.stopReason(memory),
      intent: ({ intent }) => intent,
      report: (memory, out) => law.report(memory, out),
      encode: encodeNavigation,
      decode: (data) => decodeNavigation(law, data, name),
      halves: orderedHalves(law, name),
    };
  },
});

interface OrderedMemory {
  readonly navigation: NavigationMemory;
  isOrdered: boolean;
  /** Time of the order to set off. */
  orderedAt: number;
}

/** The whole law on board. The station only orders the rover to set off: the number 1, repeated because it may be lost. */
const orderedHalves = (law: NavigationLaw, name: string): Halves<null, OrderedMemory> => ({
  station: {
    messageSize: 1,
    start: () => null,
    update(_seen, memory, message) {
      message[0] = 1;
      return memory;
    },
    ...NO_MEMORY,
  },
  vehicle: {
    channels: CHANNELS,
    start: (_model, s) => ({ navigation: law.start(s), isOrdered: false, orderedAt: 0 }),
    update(s, message, memory, command) {
      if (message !== undefined && !memory.isOrdered) {
        memory.isOrdered = true;
        memory.orderedAt = s.t;
      }
      if (memory.isOrdered) law.update(s, memory.navigation, command, memory.orderedAt);
      else law.stand(memory.navigation, command);
      return memory;
    },
    finished: ({ navigation }) => law.stopReason(navigation),
    intent: ({ navigation }) => navigation.intent,
    report: ({ navigation }, out) => law.report(navigation, out),
    encode: ({ navigation, ...order }) => ({ ...order, navigation: encodeNavigation(navigation) }),
    decode(data) {
      const order = { isOrdered: false, orderedAt: 0 };
      const { navigation, ...saved } = savedEntries(data, ["isOrdered", "orderedAt", "navigation"], name);
      takeFiniteSaved(order, saved, name);
      return { ...order, navigation: decodeNavigation(law, navigation, `${name}.navigation`) };
    },
  },
});

const CHANNELS = [
  { name: "state", unit: "" },
  { name: "beside", unit: "m" },
  { name: "left", unit: "m" },
  { name: "tilt", unit: "rad" },
  { name: "slip", unit: "" },
  { name: "speed", unit: "m/s" },
  { name: "plans", unit: "" },
  { name: "time", unit: "s" },
] as const;
