import type { PersonAdminDeps } from "../../../domain/persons.ts";
import type { Store } from "../../../domain/ports/store.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** All that an admin command works with. */
export type AdminCommandDeps = PersonAdminDeps & {
  readonly store: Store;
  /** True when the database was made for this. */
  readonly isNew: boolean;
};

/** The kind of work that is done on the database. */
export interface AdminWork {
  readonly mayCreate?: "asked" | "unasked";
  readonly onlyReads?: boolean;
  readonly patienceMs?: number;
}

/** The one who administers, and how long what has ended stays to be seen. */
export interface Administering {
  readonly terminal: Terminal;
  readonly tombstoneSeconds: number;
}

/** The store, which is closed when it is disposed of. */
export function asDisposable(store: Store): Store & AsyncDisposable {
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}
