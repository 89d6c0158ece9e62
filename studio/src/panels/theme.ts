/** Light or dark: as the system has it, or as the user wants it, remembered where the browser allows. */
import { iconButton } from "../elements/dom.ts";
import type { Panel } from "./panel.ts";

const KEY = "castor-theme";

function remembered(): "light" | "dark" | undefined {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : undefined;
  } catch {
    return undefined; // storage may be switched off
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then it is chosen anew next time
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
    host.append(iconButton("theme", "Light or dark", toggle));
  },
};
