/** Light or dark theme: that of the system, or the user's choice, which is stored if the browser allows it. */
import { iconButton } from "../elements/dom.ts";
import type { Panel } from "./panel.ts";

const STORAGE_KEY = "castor-theme";

function storedTheme(): "light" | "dark" | undefined {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return theme === "light" || theme === "dark" ? theme : undefined;
  } catch {
    return undefined; // storage may be disabled
  }
}

function storeTheme(theme: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // without storage the choice lasts until the page is closed
  }
}

export const themePanel: Panel = {
  id: "theme",
  title: "Theme",
  region: "bar",
  mount(host, studio) {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const applyTheme = (): void => studio.store.set({ theme: storedTheme() ?? (system.matches ? "dark" : "light") });
    system.addEventListener("change", applyTheme);
    applyTheme();
    studio.store.watch(["theme"], ({ theme }) => {
      document.documentElement.dataset.theme = theme;
    });
    const toggle = (): void => {
      const theme = studio.state.theme === "dark" ? "light" : "dark";
      storeTheme(theme);
      studio.store.set({ theme });
    };
    host.append(iconButton("theme", "Switch between light and dark", toggle));
  },
};
