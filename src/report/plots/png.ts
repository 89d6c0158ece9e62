/** Renders SVG as PNG with the font of this package: the result is the same on every machine, also without installed fonts. */
import { createRequire } from "node:module";

const FONTS = ["400Regular/Arimo_400Regular.ttf", "700Bold/Arimo_700Bold.ttf"];

/** Renders SVG text as PNG. `resolution`: pixels per unit of the drawing. */
export function renderPng(svg: string, resolution = 2): Uint8Array {
  const load = createRequire(import.meta.url);
  const { Resvg } = load("@resvg/resvg-js") as typeof import("@resvg/resvg-js"); // a native library, loaded for the first picture
  const font = {
    loadSystemFonts: false,
    fontFiles: FONTS.map((file) => load.resolve(`@expo-google-fonts/arimo/${file}`)),
    defaultFontFamily: "Arimo",
  };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: resolution }, font }).render().asPng();
}
