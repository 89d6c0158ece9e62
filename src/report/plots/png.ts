/** Renders SVG as PNG with the font of this package: the result is the same on every machine, also without installed fonts. */
import { createRequire } from "node:module";
import { Resvg } from "@resvg/resvg-js";

const FONTS = ["400Regular/Arimo_400Regular.ttf", "700Bold/Arimo_700Bold.ttf"];

/** Renders SVG text as PNG. `resolution`: pixels per unit of the drawing. */
export function renderPng(svg: string, resolution = 2): Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  const font = {
    loadSystemFonts: false,
    fontFiles: FONTS.map((file) => resolve(`@expo-google-fonts/arimo/${file}`)),
    defaultFontFamily: "Arimo",
  };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: resolution }, font }).render().asPng();
}
