/** `castor map`: shows the content of a digital elevation model. */
import { defineCommand } from "../command.ts";

const metreOption = (about: string) => ({ type: "string", valueHint: "M", description: about }) as const;

export const mapCommand = defineCommand({
  name: "map",
  about: "show size, spacing, heights and holes of a digital elevation model",
  args: {
    file: { type: "positional", required: true, valueHint: "FILE", description: "GeoTIFF, or the label of a PDS3 image" },
    x: metreOption("map coordinate x of the window's centre (default: centre of the map)"),
    y: metreOption("map coordinate y (north) of the window's centre"),
    length: metreOption("size of the window along x"),
    width: metreOption("size of the window along y"),
    json: { type: "boolean", description: "print the results as JSON" },
  },
  details: [
    "The map projection must be in metres. To use a map as ground in a scenario:",
    "",
    "  terrain: { site: { kind: map, file: site.tif, x: 12000, y: -3400, length: 200, width: 200 } }",
  ].join("\n"),
  examples: [{ command: "castor map site.tif --x 12000 --y -3400 --length 200 --width 200", about: "the window of a scenario" }],
});
