import type { Operator } from "../../domain/ports/admin-log.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { UploadStore } from "../../domain/ports/uploads.ts";
import { OPERATIONS, UPLOAD_OPERATIONS } from "../../domain/transactions/operations.ts";
import type { Operation, Run } from "../../domain/transactions/operations.ts";
import { createRequestStore, createSecretStore } from "../../domain/transactions/stores.ts";
import type { MonotonicClock } from "../../domain/values/clocks.ts";
import { createAdministrationStore } from "./administration.ts";
import { createCredentialStore } from "./credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import type { DatabaseTime } from "./engine/database-time.ts";
import { connectTo } from "./engine/database.ts";
import type { ConnectionOptions } from "./engine/database.ts";
import { isOutage } from "./engine/errors.ts";
import { readClock } from "./engine/finding.ts";
import { guard } from "./engine/guards.ts";
import { createLease } from "./engine/leases.ts";
import { migrate } from "./engine/migrations.ts";
import type { MigrationRights } from "./engine/migrations.ts";
import type { DriverRow } from "./engine/rows.ts";
import { checkRights } from "./engine/tables.ts";
import { createWriter } from "./engine/writer.ts";
import type { Writer } from "./engine/writer.ts";
import { createEventStore, createFeed } from "./events.ts";
import { createReads } from "./reads.ts";
import { createStatistics } from "./statistics.ts";
import { createSweepStore } from "./sweeps.ts";
import { createHealth } from "./troubles.ts";
import { createUploads } from "./uploads.ts";

export interface PostgresOptions {
  readonly connection: ConnectionOptions;
  /** The store's clock: that of `time`, or without one, any clock that advances. */
  readonly clock: MonotonicClock;
  /** Gets the observed times of the database, so that all processes share its clock. */
  readonly time?: DatabaseTime | undefined;
  readonly tombstoneSeconds: number;
  /** The changes that opening may make to the database; all by default. */
  readonly rights?: MigrationRights | undefined;
  /** Called when the database was empty before it was opened. */
  readonly onMade?: (() => void) | undefined;
  /** The admin recorded in the audit log; undefined in a server. */
  readonly operator?: Operator | undefined;
  /** Called with errors of background work, which is retried. Their messages may quote content. */
  readonly onFailure?: (work: string, error: unknown) => void;
}

const ALL_RIGHTS: MigrationRights = { mayCreate: true, mayUpgrade: true };

/** A store that keeps uploads, too. */
export type PostgresStore = Store & UploadStore;

/**
 * A store whose database isn't open yet. It takes event listeners, reports its troubles, and refuses everything else as
 * `storage_unavailable`.
 */
export interface UnopenedStore {
  readonly store: PostgresStore;
  /**
   * Migrates the database, and raises the clock to the latest time that it has seen. Throws DatabaseError and the
   * driver's errors; then it can be retried. Does nothing once it has succeeded.
   */
  open(): Promise<void>;
  /** Reads the credentials again. Returns true when they have changed; they are used from now on. */
  renew(): boolean;
  /**
   * The time of the last backup by `admin backup`, in epoch milliseconds. Undefined without one: PostgreSQL has backups
   * of its own.
   */
  findLastBackup(): Promise<number | undefined>;
}

/** Assembles and opens the store. Throws as `UnopenedStore.open` does. */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { store, open } = assembleStore(options);
  try {
    await open();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Assembles the store. It connects only when it is opened. */
export function assembleStore(options: PostgresOptions): UnopenedStore {
  const { clock, operator, tombstoneSeconds, onFailure = () => undefined } = options;
  const tombstoneMs = tombstoneSeconds * 1000;
  const database = connectTo({ ...options.connection, onclose: (error) => health.noteLoss(error) });
  let installation: string | undefined;
  const isOpen = () => installation !== undefined;
  const health = createHealth(database, () => installation);
  const report = (work: string, error: unknown) => {
    health.noteFailure(error);
    // An outage is reported as a trouble.
    if (!isOutage(error)) onFailure(work, error);
  };
  const onClock = (row: DriverRow | undefined) => {
    if (!row) return;
    options.time?.heard(Number(row["machine_at"]));
    clock.raise(Number(row["latest_at"]));
  };
  const feed = createFeed(database, { onClock, report });
  const writer = createWriter({
    database,
    clock,
    operator,
    tombstoneMs,
    origin: feed.origin,
    onClock,
    onCommit: feed.committed,
    onOutcome: health.noteWrite,
  });
  const [sweeps, calls] = [createLease(database, "sweeps"), createLease(database, "webhooks")];
  const context: StoreContext = { database, writer, clock, operator, tombstoneMs, report };
  const migrateNow = async () => {
    try {
      const wasEmpty = await migrate(database, options.rights ?? ALL_RIGHTS);
      health.noteOpening(undefined);
      return wasEmpty;
    } catch (error) {
      health.noteOpening(error);
      throw error;
    }
  };
  const open = async () => {
    if (isOpen()) return;
    if (await migrateNow()) options.onMade?.();
    if (!operator) {
      using connection = await database.hold();
      await checkRights(connection);
    }
    const row = await readClock((text, params) => database.read(text, params));
    onClock(row);
    const latestAt = Number(row?.["latest_at"]);
    // One more, so that later IDs sort after all existing ones, even if the clock has jumped.
    if (latestAt > 0) clock.raise(latestAt + 1);
    const [own] = await database.read("SELECT public_id FROM installations");
    feed.start(Number(row?.["last_place"]));
    health.listen().catch((error: unknown) => report("listen", error));
    installation = String(own?.["public_id"]);
  };
  let closed: Promise<void> | undefined;
  const close = async () => {
    await writer.close();
    await feed.close();
    await health.close();
    await Promise.all([sweeps.end(), calls.end()]);
    await database.close();
  };
  const { recordKeyUse, ...credentials } = createCredentialStore(context);
  const run = createRun(writer);
  const engine = { run, reads: createReads(context), keepTime: credentials.keepTime };
  const store = {
    ...guard(
      {
        ...createSecretStore(engine),
        ...createRequestStore(engine),
        ...createEventStore(context),
        ...createSweepStore(context, sweeps),
        ...credentials,
        ...createAdministrationStore(context, calls),
        ...createStatistics(context),
        ...createUploads(context, run),
      },
      { isUsable: () => isOpen() && !health.isReplaced(), onFailure: health.noteFailure },
    ),
    recordKeyUse,
    findTroubles: health.findTroubles,
    subscribe: feed.subscribe,
    close: () => (closed ??= close()),
  };
  const findLastBackup = async () => {
    const [row] = await database.read("SELECT last_backup_at FROM installations");
    return row?.["last_backup_at"] == null ? undefined : Number(row["last_backup_at"]);
  };
  return { store, open, renew: database.renew, findLastBackup };
}

const ALL_OPERATIONS = { ...OPERATIONS, ...UPLOAD_OPERATIONS };

/** Returns a function that runs the operations on secrets, requests and uploads by their names. */
function createRun({ write }: Writer): Run<typeof ALL_OPERATIONS> {
  const run = (name: keyof typeof ALL_OPERATIONS, input: unknown, signal?: AbortSignal) => {
    const operation = ALL_OPERATIONS[name] as unknown as Operation<unknown, unknown>;
    const { needs = () => ({}), bytes } = operation;
    return write(needs(input), (tx) => (signal?.aborted ? "abandoned" : operation.run(tx, input)), bytes?.(input));
  };
  return run;
}
