/** The memory and the screen of one tab, in place of a browser; all of it is removed when it is disposed of. */
export interface TestTab extends Disposable {
  /** The content of sessionStorage. */
  readonly stored: Map<string, string>;
  /** The content of localStorage; shared by all tabs of a browser. */
  readonly local: Map<string, string>;
  /** The address as it is shown now. */
  readonly address: () => string;
  /** Goes to an address, as by a link within the site. */
  readonly go: (address: string) => void;
  /** The content of IndexedDB, by its keys in JSON; shared by all tabs of a browser. */
  readonly database: Map<string, unknown>;
  /** Refuses everything that is to be stored from now on, as some browsers do in private windows. */
  readonly refuseStorage: () => void;
  /** Stops answering calls of IndexedDB. */
  readonly silence: () => void;
  /** Shows or hides the tab, and tells it of a change. */
  readonly show: (isVisible: boolean) => void;
  /** Resolves once the page is loaded anew, with whether it was emptied before. */
  readonly reloaded: Promise<boolean>;
}

/** Opens a tab at `address`. There can be one at a time. */
export function openTab(address = "https://handoff.example/"): TestTab {
  let url = new URL(address);
  const stored = new Map<string, string>();
  const local = new Map<string, string>();
  const database = new Map<string, unknown>();
  const state = { isRefused: false, isSilent: false };
  const reloaded = Promise.withResolvers<boolean>();
  let isEmpty = false;
  const body = { replaceChildren: () => void (isEmpty = true) };
  const document = Object.assign(new EventTarget(), { hidden: false, body });
  const restore = [
    setGlobal("sessionStorage", storageOver(stored, state)),
    setGlobal("localStorage", storageOver(local, state)),
    setGlobal("indexedDB", { open: () => answer(state, () => databaseOver(database, state)) }),
    setGlobal("document", document),
    setGlobal("history", {
      replaceState: (_data: unknown, _title: string, to: string) => void (url = new URL(to, url)),
    }),
    setGlobal("location", {
      reload: () => reloaded.resolve(isEmpty),
      get href() {
        return url.href;
      },
      get hash() {
        return url.hash;
      },
      get pathname() {
        return url.pathname;
      },
      get origin() {
        return url.origin;
      },
    }),
  ];
  return {
    stored,
    local,
    database,
    reloaded: reloaded.promise,
    address: () => url.href,
    go: (to) => void (url = new URL(to, url)),
    refuseStorage: () => void (state.isRefused = true),
    silence: () => void (state.isSilent = true),
    show(isVisible) {
      document.hidden = !isVisible;
      document.dispatchEvent(new Event("visibilitychange"));
    },
    [Symbol.dispose]() {
      for (const each of restore) each();
    },
  };
}

interface TabState {
  readonly isRefused: boolean;
  readonly isSilent: boolean;
}

/** Sets a global, and returns what sets it back. */
function setGlobal(name: string, value: unknown): () => void {
  const former = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    if (former) Object.defineProperty(globalThis, name, former);
    else Reflect.deleteProperty(globalThis, name);
  };
}

/** A `Storage` over `stored`; its keys are members of it, too. */
function storageOver(stored: Map<string, string>, state: TabState): object {
  const check = () => {
    if (state.isRefused) throw new Error("SecurityError");
  };
  const methods = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  return new Proxy(methods, {
    get(target, name) {
      check();
      return Reflect.get(target, name);
    },
    ownKeys() {
      check();
      return [...stored.keys()];
    },
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

interface IdbRequest {
  result?: unknown;
  error?: unknown;
  onupgradeneeded?: () => void;
  onsuccess?: () => void;
  onerror?: () => void;
}

/** An answer as IndexedDB gives it: a little later, by a call. */
function answer(state: TabState, work: () => unknown): IdbRequest {
  const request: IdbRequest = {};
  queueMicrotask(() => {
    if (state.isSilent) return;
    try {
      if (state.isRefused) throw new Error("InvalidStateError");
      request.result = work();
      request.onsuccess?.();
    } catch (error) {
      request.error = error;
      request.onerror?.();
    }
  });
  return request;
}

/**
 * As much of an IndexedDB with one store as a store of keys and values needs. Each call is a transaction of its own.
 */
function databaseOver(kept: Map<string, unknown>, state: TabState) {
  const keyOf = (key: unknown) => JSON.stringify(key);
  const copyOf = (value: unknown) => (value === undefined ? undefined : structuredClone(value));
  const objectStore = {
    get: (key: unknown) => answer(state, () => copyOf(kept.get(keyOf(key)))),
    put: (value: unknown, key: unknown) => void kept.set(keyOf(key), copyOf(value)),
    delete: (key: unknown) => void kept.delete(keyOf(key)),
    getAll: () => answer(state, () => [...kept.values()].map(copyOf)),
    getAllKeys: () => answer(state, () => [...kept.keys()].map((key) => JSON.parse(key))),
    get transaction() {
      const done: { oncomplete?: () => void; onabort?: () => void; error?: unknown } = {};
      queueMicrotask(() => (state.isSilent ? undefined : done.oncomplete?.()));
      return done;
    },
  };
  return { transaction: () => ({ objectStore: () => objectStore }), createObjectStore: () => objectStore };
}
