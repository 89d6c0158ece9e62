/** `castor validate`: compares values of Castor with papers, closed forms, independent programs and other tools. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

export const validateCommand = defineCommand({
  name: "validate",
  about: "compare values of Castor with papers, closed forms and other programs",
  args: {
    filter: { type: "positional", required: false, description: "only validations whose name or title contains this text" },
    page: { type: "string", valueHint: "FILE", description: "write the table as a Markdown page" },
    json: { type: "boolean", description: "print all numbers as JSON" },
  },
  details: [
    'All values are computed anew from the built-in scenarios. The column "from" is\nthe origin of the expected value: the paper, a closed form, an independent program, ...',
    "",
    `Exit code: 0 if every value is within its tolerance, ${EXIT.failure} if one is not.`,
  ].join("\n"),
  examples: [
    { command: "castor validate", about: "all validations" },
    { command: "castor validate tr-942 --json", about: "the validations of one report, as JSON" },
  ],
});
