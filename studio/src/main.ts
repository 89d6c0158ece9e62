/** The page: fetches the built-in scenarios, follows the address, and never stays blank. */

import { mountStudio } from "./layout.ts";
import { fetchLibrary } from "./library.ts";
import { addressOf, openAddress } from "./route.ts";
import { Studio } from "./studio.ts";

const studio = new Studio();
Object.assign(window, { studio }); // for the console, and for tests
const follow = (): void => {
  openAddress(location.hash, studio).catch((error) => studio.fail(error));
};

mountStudio(document.getElementById("studio")!, studio);
try {
  studio.store.set({ library: await fetchLibrary() });
} catch (error) {
  studio.fail(error);
}
follow();
addEventListener("hashchange", follow);

// The address says what is open, with its changes: loaded again it gives the same.
studio.store.watch(["overrides", "source", "page"], async (state) => {
  if (state.page !== "scenario" || !state.source?.builtIn) return;
  const address = await addressOf(state);
  if (studio.state.overrides === state.overrides && studio.state.source === state.source) history.replaceState(null, "", address);
});
