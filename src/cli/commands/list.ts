/** `castor list`: everything that a scenario can name, or the entries that match a word. */
import { defineCommand } from "../command.ts";

export const listCommand = defineCommand({
  name: "list",
  about: "list scenarios, formulations, integrators, forces, controllers, devices and hinges",
  args: {
    word: {
      type: "positional",
      required: false,
      description: "only entries that match this word, or a word of the field that means the same",
    },
    json: { type: "boolean", description: "print the list as JSON" },
  },
  details: "WORD can be a word of Castor or of the field: joint finds hinges.",
  examples: [
    { command: "castor list", about: "all entries" },
    { command: "castor list joint", about: "hinges, and every entry that mentions hinges" },
  ],
});
