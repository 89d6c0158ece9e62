/** The page: fetches the built-in scenarios, follows the address, and never stays blank. */

import { mountStudio } from "./layout.ts";
import { fetchLibrary } from "./library.ts";
import { openAddress } from "./route.ts";
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
