/** Colours of the scene, for each theme. */

export interface ScenePalette {
  readonly dark: boolean;
  /** Colours of the background, at its bright centre and at its border. */
  readonly sky: readonly [string, string];
  /** Colours of bodies without their own colour. The first is for bodies whose parent is the world, the others are used in turn. */
  readonly bodies: readonly string[];
  readonly edge: string;
  readonly link: string;
  readonly hinge: string;
  readonly anchor: string;
  readonly axes: readonly [string, string, string];
  readonly centre: string;
  readonly linear: string;
  readonly angular: string;
  readonly force: string;
  readonly torque: string;
  readonly loop: string;
  readonly contact: string;
  readonly track: string;
  readonly plan: string;
  readonly obstacle: string;
  readonly trails: readonly string[];
  readonly grid: string;
  readonly terrain: string;
  readonly star: string;
  readonly selected: string;
}

/** Background of weightless scenes, in both themes. */
const SPACE_SKY = ["#0c131f", "#020307"] as const;

export const SCENE_PALETTES: Readonly<Record<"light" | "dark", ScenePalette>> = {
  light: {
    dark: false,
    sky: ["#ffffff", "#e4eaf2"],
    bodies: ["#aab6c4", "#e0a458", "#6f9bc8", "#7fb09a", "#c58fb3", "#d9c46a", "#8f93c9"],
    edge: "#2b3542",
    link: "#7c8794",
    hinge: "#c2410c",
    anchor: "#414b57",
    axes: ["#c62828", "#2e7d32", "#1f5fbf"],
    centre: "#111827",
    linear: "#7c3aed",
    angular: "#be185d",
    force: "#b45309",
    torque: "#0f766e",
    loop: "#b91c1c",
    contact: "#c2185b",
    track: "#b0a088",
    plan: "#1565c0",
    obstacle: "#c2410c",
    trails: ["#0067a3", "#b94d00", "#007a59", "#9c3f85", "#8a5d00"],
    grid: "#7d8896",
    terrain: "#ddd3c2",
    star: "#8a97a8",
    selected: "#1d7bf2",
  },
  dark: {
    dark: true,
    sky: ["#141d29", "#05080d"],
    bodies: ["#b9c4d0", "#e8b062", "#75a9de", "#7fc2a5", "#d79fc4", "#e0cd78", "#9ba0e0"],
    edge: "#05080c",
    link: "#8b97a5",
    hinge: "#ff8a3d",
    anchor: "#67727f",
    axes: ["#ff6b6b", "#5fd38d", "#6cb2f7"],
    centre: "#ffffff",
    linear: "#b794ff",
    angular: "#ff7ab8",
    force: "#ffb454",
    torque: "#4fd1c5",
    loop: "#ff7b7b",
    contact: "#ff6fa8",
    track: "#8f8168",
    plan: "#5cb0ff",
    obstacle: "#ff8a3d",
    trails: ["#4aa8e8", "#ff8a3d", "#2fc79a", "#e08fc4", "#f0b429"],
    grid: "#8a97a8",
    terrain: "#4a453e",
    star: "#d7e2f0",
    selected: "#4aa3ff",
  },
};

/** Colours of a scene. Space is dark in both themes. */
export const scenePalette = (theme: "light" | "dark", isInSpace: boolean): ScenePalette =>
  isInSpace ? { ...SCENE_PALETTES.dark, sky: SPACE_SKY } : SCENE_PALETTES[theme];
