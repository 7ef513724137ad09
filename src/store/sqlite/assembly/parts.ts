import type { Store } from "../../../domain/ports/store.ts";
import type { UploadStore } from "../../../domain/ports/uploads.ts";
import { OPERATIONS } from "../../../domain/transactions/operations.ts";
import { createRequestStore, createSecretStore } from "../../../domain/transactions/stores.ts";
import { createAdministrationStore } from "../administration.ts";
import { createCredentialStore } from "../credentials.ts";
import type { StoreContext } from "../engine/context.ts";
import { createEventStore } from "../events.ts";
import { createReads } from "../reads.ts";
import { createStatistics } from "../statistics.ts";
import { createSweepStore } from "../sweeps.ts";
import { addOperations, createToTransaction } from "../transactions.ts";
import { createUploads } from "../uploads.ts";

/** A store that keeps uploads, too. */
export type SqliteStore = Store & UploadStore;

/** The part of a store that reads and writes rows. */
export type StoredThings = Omit<SqliteStore, "subscribe" | "findTroubles" | "measureStorage" | "close">;

/** Assembles the store from its parts, each of which adds its operations to those of `context`. */
export function createParts(context: StoreContext): StoredThings {
  const toTransaction = createToTransaction(context);
  const run = addOperations(context, toTransaction, OPERATIONS);
  const engine = { run, reads: createReads(context), keepTime: context.keepTime };
  return {
    ...createSecretStore(engine),
    ...createRequestStore(engine),
    ...createEventStore(context),
    ...createSweepStore(context, toTransaction),
    ...createCredentialStore(context),
    ...createAdministrationStore(context, toTransaction),
    ...createStatistics(context),
    ...createUploads(context, toTransaction),
  };
}
