/** `castor worker`: runs cases of campaigns that come through a queue. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

export const workerCommand = defineCommand({
  name: "worker",
  about: "run cases of campaigns that other machines put into a queue",
  args: {
    queue: {
      type: "string",
      required: true,
      valueHint: "URL",
      description: "the queue: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]",
    },
    threads: { type: "string", valueHint: "N", description: "number of worker threads (default: all cores)" },
    idle: {
      type: "string",
      valueHint: "SECONDS",
      description: "end when there was nothing to do for this time (default: never)",
    },
    json: { type: "boolean", description: "print what it has done as JSON at the end" },
  },
  details: [
    "castor campaign FILE --queue URL puts the cases of a campaign into a queue on a",
    "Redis server, and any number of workers run them. A worker gets campaigns with",
    "all their files through the queue; it reads no files of its own and executes no",
    "code from the queue. Workers may start, end and die at any time: the cases of a",
    "worker that has died are run by others. Ctrl-C and SIGTERM give the cases in work",
    "back to the queue. Workers and campaign need the same version of Castor.",
    "",
    "The queue needs two packages beside castor: npm install bullmq ioredis. With",
    "CASTOR_QUEUE_PASSWORD the password need not be in the address, which other users",
    "of the machine can see. rediss:// encrypts the connection.",
    "",
    `Exit code: 0 after --idle, ${EXIT.failure} if the queue cannot be used or is lost, ${EXIT.usage} for a wrong`,
    `command line, ${EXIT.interrupted} after Ctrl-C or SIGTERM.`,
  ].join("\n"),
  examples: [
    { command: "castor worker --queue redis://head:6379", about: "on every machine, with all cores" },
    {
      command: "castor worker --queue redis://head:6379 --threads 4 --idle 60",
      about: "in a batch job: ends when the work is done",
    },
  ],
});
