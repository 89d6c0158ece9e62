/**
 * What the user has opened, kept by the browser: files with their meshes, recorded logs, and the last address of each. A reload, a crash of
 * the tab and the list of recent files use it. Without storage the page works, too.
 */
import type { Channel } from "castor";
import type { ScenarioSource } from "../files/scenario-sources.ts";
import type { RecordedAudit } from "./state.ts";

/** A recorded log as plain data. */
export interface StoredLog {
  readonly label: string;
  readonly channels: readonly Channel[];
  readonly length: number;
  readonly columns: readonly Float64Array[];
  readonly audit: readonly RecordedAudit[] | undefined;
}

/** What an address cannot contain. */
export interface StoredContent {
  readonly id: string;
  readonly source?: ScenarioSource | undefined;
  readonly logs: readonly StoredLog[];
}

export interface RecentSession {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** Time of the last change, ms since 1970. */
  readonly when: number;
  readonly isBuiltIn: boolean;
}

const [CONTENTS, RECENT] = ["contents", "recent"] as const;
const MAX_RECENT = 12;
const SCENARIO = "scenario:";

let database: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("castor-studio", 1);
    request.onupgradeneeded = () => {
      for (const name of [CONTENTS, RECENT]) request.result.createObjectStore(name, { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function use<T>(
  name: typeof CONTENTS | typeof RECENT,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const store = (await open()).transaction(name, mode).objectStore(name);
    return await new Promise((resolve, reject) => {
      const request = act(store);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined; // storage is disabled or full
  }
}

const sessionIds = new WeakMap<object, string>();

/** Id in the storage of an open scenario or log. @param known the id under which it was found there */
export function sessionIdOf(item: object, known?: string): string {
  const id = known ?? sessionIds.get(item) ?? Math.random().toString(36).slice(2, 12);
  sessionIds.set(item, id);
  return id;
}

export const builtInSessionId = (name: string): string => SCENARIO + name;

export const storeContent = async (content: StoredContent): Promise<void> =>
  void (await use(CONTENTS, "readwrite", (store) => store.put(content)));

export const storedContent = (id: string): Promise<StoredContent | undefined> =>
  use(CONTENTS, "readonly", (store) => store.get(id));

/** The recent sessions, the last one first. */
export async function recentSessions(): Promise<readonly RecentSession[]> {
  const all: readonly RecentSession[] = (await use(RECENT, "readonly", (store) => store.getAll())) ?? [];
  return [...all].sort((a, b) => b.when - a.when);
}

/** Notes a session, and forgets the oldest ones. */
export async function noteSession(session: RecentSession): Promise<void> {
  await use(RECENT, "readwrite", (store) => store.put(session));
  for (const { id } of (await recentSessions()).slice(MAX_RECENT)) await forgetSession(id);
}

export async function forgetSession(id: string): Promise<void> {
  await use(RECENT, "readwrite", (store) => store.delete(id));
  await use(CONTENTS, "readwrite", (store) => store.delete(id));
}
