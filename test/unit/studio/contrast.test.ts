/** Contrast of the colours with their backgrounds, by WCAG 2: at least 4.5 for text and 3 for lines. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SCENE_PALETTES } from "../../../studio/src/view/palette.ts";

const CSS = readFileSync(fileURLToPath(new URL("../../../studio/src/style.css", import.meta.url)), "utf8");
const THEMES = ["light", "dark"] as const;
const [WORDS, LINES] = [4.5, 3];

/** Colours of a theme by name, and the two colours of the scene's background gradient. */
function coloursOf(theme: (typeof THEMES)[number]): {
  readonly page: Readonly<Record<string, string>>;
  readonly ground: readonly string[];
} {
  const isDark = theme === "dark";
  const block = (isDark ? /:root\[data-theme="dark"\] \{([^}]*)\}/ : /:root \{([^}]*)\}/).exec(CSS)![1]!;
  return {
    page: Object.fromEntries([...block.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, colour]) => [name!, colour!])),
    ground: SCENE_PALETTES[theme].sky,
  };
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

it("the contrast ratio agrees with the standard", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 12);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2); // a grey that just fails, from the notes of the standard
});

describe.each(THEMES)("in the %s theme", (theme) => {
  const { page, ground } = coloursOf(theme);
  const tooFaint = (pairs: readonly (readonly [string, string, string])[], least: number): string[] =>
    pairs.flatMap(([what, a, b]) => (contrast(a, b) < least ? [`${what} ${contrast(a, b).toFixed(2)}`] : []));

  it("text is readable on all its backgrounds", () => {
    const grounds = ["page", "card"];
    const own = ["good", "bad", "warn", "accent"].flatMap((name) =>
      [name, "ink", "muted"].map((word) => [word, `${name}-soft`] as const),
    );
    const pairs = ["ink", "muted", "accent", "good", "bad", "warn"].flatMap((word) => grounds.map((g) => [word, g] as const));
    expect(
      tooFaint(
        [...pairs, ...own].map(([word, g]) => [`${word} on ${g}`, page[word]!, page[g]!]),
        WORDS,
      ),
    ).toEqual([]);
  });

  it("curves, fields and the time marker are visible", () => {
    const names = ["line-0", "line-1", "line-2", "line-3", "line-4", "line-5", "line-6", "field", "ink"];
    expect(
      tooFaint(
        names.map((name) => [name, page[name]!, page.card!]),
        LINES,
      ),
    ).toEqual([]);
  });

  it("arrows, trails and paths are visible against the sky and on the ground", () => {
    expect(ground.length).toBe(2);
    const { trails, axes, ...palette } = SCENE_PALETTES[theme];
    const thin = ["hinge", "linear", "angular", "force", "torque", "loop", "contact", "plan", "obstacle", "centre"] as const;
    const lines = [...thin.map((name) => [name, palette[name]] as const), ...[...trails, ...axes].map((c) => [c, c] as const)];
    const pairs = lines.flatMap(([name, c]) => [...ground, palette.terrain].map((g) => [`${name} on ${g}`, c, g] as const));
    expect(tooFaint(pairs, LINES)).toEqual([]);
  });
});
