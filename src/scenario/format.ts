/** Scenarios as text, for saving. */
import { Document, isCollection, isScalar, visit } from "yaml";
import { FORMAT_VERSION } from "../formats/document.ts";
import { describeScenario } from "./load.ts";
import type { Scenario } from "./scenario.ts";

/** Longer lists are written with an item per line. */
const LONGEST_FLOW_LIST = 100;

/** The scenario as a YAML file that carries its model along: reading it gives the same scenario. */
export function formatScenario(scenario: Scenario): string {
  const document = new Document({ castor: FORMAT_VERSION, ...describeScenario(scenario) });
  visit(document, {
    Seq: (_, node) => {
      node.flow =
        node.items.every((item) => isScalar(item) || (isCollection(item) && item.flow === true)) && isShort(String(node));
    },
  });
  return document.toString({ lineWidth: 130, flowCollectionPadding: false });
}

const isShort = (text: string): boolean => text.length <= LONGEST_FLOW_LIST;
