/** Light or dark theme: that of the system, or the user's choice, which is stored if the browser allows it. */
import { iconButton } from "../elements/dom.ts";
import type { Panel } from "./panel.ts";

const KEY = "castor-theme";

function remembered(): "light" | "dark" | undefined {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : undefined;
  } catch {
    return undefined; // storage may be disabled
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
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
    const follow = (): void => studio.store.set({ theme: remembered() ?? (system.matches ? "dark" : "light") });
    system.addEventListener("change", follow);
    follow();
    studio.store.watch(["theme"], ({ theme }) => {
      document.documentElement.dataset.theme = theme;
    });
    const toggle = (): void => {
      const theme = studio.state.theme === "dark" ? "light" : "dark";
      remember(theme);
      studio.store.set({ theme });
    };
    host.append(iconButton("theme", "Switch between light and dark", toggle));
  },
};
