/** The page: shows the built-in scenarios, follows the address, and never stays blank. */

import { givenData } from "./data.ts";
import { mountStudio } from "./layout.ts";
import { addressOf, openAddress } from "./route.ts";
import { currentRun } from "./state.ts";
import { Studio } from "./studio.ts";

/** Longer addresses are left alone. */
const LONGEST_ADDRESS = 60_000;

export async function startPage(): Promise<void> {
  const studio = new Studio();
  Object.assign(window, { studio }); // for the console, and for tests
  const follow = (): Promise<void> => openAddress(location.hash, studio).catch((error) => studio.fail(error));

  mountStudio(document.getElementById("studio")!, studio);
  try {
    studio.store.set({ library: givenData().scenarios });
  } catch (error) {
    studio.fail(error);
  }
  await follow();
  addEventListener("hashchange", follow);

  // The address follows what is open, so that it can be kept and sent.
  studio.store.watch(["page", "source", "overrides", "modes"], async (state) => {
    const { page, source, overrides } = state;
    const isLog = page === "scenario" && (source === undefined || currentRun(state)?.status === "recorded");
    // An address cannot carry a log. The one that `castor studio` gave stays; else it says only that this is not the gallery.
    if (isLog && location.hash.startsWith("#/opened")) return;
    const address = isLog ? "#/log" : await addressOf(state);
    const now = studio.state;
    if (page !== now.page || source !== now.source || overrides !== now.overrides || state.modes !== now.modes) return;
    if (address !== location.hash && address.length <= LONGEST_ADDRESS) history.replaceState(null, "", address);
  });
}
