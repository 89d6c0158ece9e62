/** Starts the page: mounts the studio, opens what the address names, and keeps the address up to date. */

import { builtInData } from "./files/built-in-data.ts";
import { mountStudio } from "./layout.ts";
import { addressOfState, openAddress } from "./state/route.ts";
import { currentRun, type StudioState } from "./state/state.ts";
import { Studio } from "./studio.ts";

/** Maximum length of an address. A longer one is replaced by `#/file`. */
const MAX_ADDRESS_LENGTH = 60_000;

/** Identity of the open scenario or log, to detect that another one was opened. */
const openItem = (state: StudioState): unknown => state.source ?? currentRun(state)?.log;

export async function startPage(): Promise<void> {
  const studio = new Studio();
  Object.assign(window, { studio }); // for the console, and for tests
  let pendingAddresses = 0; // number of addresses that are being opened
  const openCurrentAddress = async (): Promise<void> => {
    pendingAddresses++;
    await openAddress(location.hash, studio).catch((error) => studio.showFailure(error));
    pendingAddresses--;
  };

  mountStudio(document.getElementById("studio")!, studio);
  try {
    studio.store.set({ library: builtInData().scenarios });
  } catch (error) {
    studio.showFailure(error);
  }
  await openCurrentAddress();
  addEventListener("hashchange", openCurrentAddress);

  // The address names what is open, so that it can be saved and sent. Opening something adds a step to the browser's history.
  let lastItem = openItem(studio.state);
  studio.store.watch(["page", "source", "overrides", "modes"], async (state) => {
    const { page, source, overrides } = state;
    const isNewItem =
      page === "scenario" && pendingAddresses === 0 && openItem(state) !== lastItem && openItem(state) !== undefined;
    lastItem = openItem(state) ?? lastItem;
    const isLog = page === "scenario" && (source === undefined || currentRun(state)?.status === "recorded");
    // An address cannot contain a log. The address `#/opened` of `castor studio` stays; any other becomes `#/log`.
    if (isLog && !isNewItem && location.hash.startsWith("#/opened")) return;
    const address = isLog ? "#/log" : await addressOfState(state);
    const now = studio.state;
    if (page !== now.page || source !== now.source || overrides !== now.overrides || state.modes !== now.modes) return;
    const shortAddress = address.length <= MAX_ADDRESS_LENGTH ? address : "#/file";
    if (isNewItem) history.pushState(null, "", shortAddress);
    else if (shortAddress !== location.hash) history.replaceState(null, "", shortAddress);
  });
}
