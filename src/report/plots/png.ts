/** Pictures as PNG, drawn with a font of ours: the same on every machine, also where no fonts are installed. */
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";

const FONTS = ["400Regular/Arimo_400Regular.ttf", "700Bold/Arimo_700Bold.ttf"];

/** SVG text as PNG, so many pixels per unit of the drawing. */
export function renderPng(svg: string, resolution = 2): Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  const font = {
    loadSystemFonts: false,
    fontFiles: FONTS.map((file) => resolve(`@expo-google-fonts/arimo/${file}`)),
    defaultFontFamily: "Arimo",
  };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: resolution }, font }).render().asPng();
}
