/** Scenarios as YAML text. */
import { Document, isCollection, isScalar, visit } from "yaml";
import { FORMAT_VERSION } from "../formats/document.ts";
import { describeScenario } from "./load.ts";
import type { Scenario } from "./scenario.ts";

/** Maximum length of a list on one line; longer lists are written with one item per line. */
const LONGEST_FLOW_LIST = 100;

/** The scenario as a YAML file that contains its model. Reading the file gives the same scenario. */
export function formatScenario(scenario: Scenario): string {
  const document = new Document({ castor: FORMAT_VERSION, ...describeScenario(scenario) }, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_, node) => {
      node.flow =
        node.items.every((item) => isScalar(item) || (isCollection(item) && item.flow === true)) && isShort(String(node));
    },
  });
  return document.toString({ lineWidth: 130, flowCollectionPadding: false });
}

const isShort = (text: string): boolean => text.length <= LONGEST_FLOW_LIST;
