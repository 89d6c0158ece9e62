/** Starts the page: shows the address that it was opened with, and keeps the address equal to what is shown. */

import { builtInData } from "./files/built-in-data.ts";
import { storedLog } from "./files/open-files.ts";
import { mountStudio } from "./layout.ts";
import { addressOfState, isLog, openAddress } from "./state/route.ts";
import { builtInSessionId, noteSession, sessionIdOf, storeContent } from "./state/saved-sessions.ts";
import { VIEW_KEYS } from "./state/session-view.ts";
import { openItem, type StudioState } from "./state/state.ts";
import { Studio } from "./studio.ts";

/** Delay between a change of the view and of the address, ms. Browsers refuse more than about six changes of the address per second. */
const VIEW_DELAY = 300;

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
  keepAddress(studio, () => pendingAddresses > 0);
}

/** The address says what is open, so that it can be saved, sent and loaded again. Opening something adds a step to the browser's history. */
function keepAddress(studio: Studio, isOpening: () => boolean): void {
  let lastItem = openItem(studio.state);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isNewItem = false;
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const { state } = studio;
    const id = sessionId(state);
    // The address `#/opened` of `castor studio` stays while the same log is shown: the server has it.
    if (isLog(state) && !isNewItem && location.hash.startsWith("#/opened")) return;
    const address = await addressOfState(state, id);
    const now = studio.state;
    if (now !== state && (["page", "source", "overrides", "modes"] as const).some((key) => now[key] !== state[key])) return;
    if (isNewItem) history.pushState(null, "", address);
    else if (address !== location.hash) history.replaceState(null, "", address);
    isNewItem = false;
    if (id !== undefined) keepSession(state, id, address);
  };
  studio.store.watch(["page", "source", "overrides", "modes"], (state) => {
    const item = openItem(state);
    if (state.page === "scenario" && !isOpening() && item !== lastItem && item !== undefined) isNewItem = true;
    lastItem = item ?? lastItem;
    void write();
  });
  const writeSoon = ({ playing, page }: StudioState): void => {
    if (playing || page !== "scenario" || timer !== undefined) return;
    timer = setTimeout(() => void write(), VIEW_DELAY);
  };
  studio.store.watch([...VIEW_KEYS, "playing", "runs"], writeSoon);
  addEventListener("pagehide", () => timer !== undefined && void write());
}

/** Id of the open item in the storage of the browser. */
function sessionId(state: StudioState): string | undefined {
  const item = openItem(state);
  if (item === undefined || state.page !== "scenario") return undefined;
  if (state.source?.builtIn && !isLog(state)) return builtInSessionId(state.source.name);
  return sessionIdOf(item);
}

/** Items whose content is stored, with the number of their logs. */
const storedItems = new WeakMap<object, number>();

/** Keeps the session, so that a reload, a crash or a later visit can open it again. */
function keepSession(state: StudioState, id: string, address: string): void {
  const { source, scenario, runs } = state;
  const item = openItem(state)!;
  const isBuiltIn = id === (source && builtInSessionId(source.name));
  const logs = isLog(state) ? runs.filter(({ status }) => status === "recorded") : [];
  const kept = address.startsWith("#/opened")
    ? Promise.resolve()
    : noteSession({
        ...{ id, address, isBuiltIn, when: Date.now() },
        name: scenario?.name ?? source?.name ?? runs[0]?.label ?? "log",
      });
  if (isBuiltIn || storedItems.get(item) === logs.length) return;
  storedItems.set(item, logs.length);
  const plain = source && { ...source, maps: undefined }; // maps are read again
  void kept.then(() => storeContent({ id, source: plain as typeof source, logs: logs.map(storedLog) }));
}
