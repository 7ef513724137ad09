import { eq, sql } from "drizzle-orm";
import type { TeamUsage } from "../../domain/ports/credentials.ts";
import type { RequestRecord } from "../../domain/ports/requests.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import { teamGone } from "../../domain/storage-refusals.ts";
import type { RowCharges } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import type { StoredBytesWriter } from "./engine/effects.ts";
import { ciphertextRowBytes, PAGE_BYTES } from "./files/ciphertext-pages.ts";
import { named, prepare } from "./prepared.ts";
import { teams } from "./schema.ts";

/**
 * The bytes that a row is charged in the database file, its entries in every index included. Measured with `dbstat`
 * over 2,000 rows each: 416 bytes for a secret (460 for a tombstone, 80 more for one that was handed in), 268 for a
 * request besides its recipient, 240 for an event, 258 for an idempotent call; 138 more for a reference. The charge is
 * about a quarter more: when the rows of many teams come and go, SQLite does not keep its pages as full.
 */
export const ROW_BYTES = { secret: 608, request: 384, event: 320, call: 320, reference: 176, approval: 4096 } as const;

/** The bytes that fit into a page, and those of a request's row besides the recipient. */
const USABLE_PAGE_BYTES = 4000;
const REQUEST_FIELDS_BYTES = 170;

/** The bytes that a secret is charged besides its ciphertext. */
function secretBytes(record: Pick<SecretRecord, "reference" | "addressees" | "approval">): number {
  const { reference, addressees, approval } = record;
  const approvalBytes = approval === null ? 0 : ROW_BYTES.approval;
  return ROW_BYTES.secret + referenceBytes(reference) + addresseeBytes(addressees) + approvalBytes;
}

/**
 * The bytes that a request is charged. A row with a post-quantum recipient, of 1,960 characters, has a page for itself.
 */
function requestBytes(record: Pick<RequestRecord, "recipient" | "reference" | "addressees">): number {
  const { recipient, reference, addressees } = record;
  const rowsInPage = Math.max(1, Math.floor(USABLE_PAGE_BYTES / (recipient.length + REQUEST_FIELDS_BYTES)));
  return (
    ROW_BYTES.request + Math.floor(PAGE_BYTES / rowsInPage) + referenceBytes(reference) + addresseeBytes(addressees)
  );
}

/** The bytes that a reference adds, in its row and in an index. For an event, the usual charge covers it. */
function referenceBytes(reference: string | null): number {
  return reference === null ? 0 : ROW_BYTES.reference;
}

/** The bytes that addresses add: twice those of their text, with which a row may not fit into its page any more. */
function addresseeBytes(addressees: string | null): number {
  return addressees === null ? 0 : 2 * Buffer.byteLength(addressees);
}

/** The charges of all rows. */
export const ROW_CHARGES: RowCharges = {
  secret: secretBytes,
  request: requestBytes,
  ciphertext: ciphertextRowBytes,
  event: ROW_BYTES.event,
  call: ROW_BYTES.call,
};

export function createStoredBytes(context: Pick<StoreContext, "orm">): StoredBytesWriter {
  const { orm } = context;
  const p = sql.placeholder;
  const find = prepare(context, () =>
    orm
      .select(named({ storedBytes: teams.storedBytes, quotaBytes: teams.quotaBytes }))
      .from(teams)
      .where(eq(teams.id, p("teamId"))),
  );
  const add = prepare(context, () =>
    orm
      .update(teams)
      .set({ storedBytes: sql`${teams.storedBytes} + ${p("bytes")}` })
      .where(eq(teams.id, p("teamId"))),
  );
  const pending = new Map<string, number>();
  // During a transaction, the database's count for a team changes only by `save`.
  const saved = new Map<string, TeamUsage>();
  let charges: { readonly teamId: string; readonly bytes: number }[] = [];

  const read = (teamId: string): TeamUsage => find.get({ teamId }) ?? { storedBytes: 0, quotaBytes: null };
  const count = (teamId: string, bytes: number) => pending.set(teamId, (pending.get(teamId) ?? 0) + bytes);
  const clear = () => {
    pending.clear();
    saved.clear();
    charges = [];
  };
  return {
    of(teamId) {
      const { storedBytes, quotaBytes } = read(teamId);
      return { storedBytes: storedBytes + (pending.get(teamId) ?? 0), quotaBytes };
    },
    charge(teamId, bytes) {
      charges.push({ teamId, bytes });
      count(teamId, bytes);
    },
    fits(teamId, bytes, quotaBytes) {
      const before = saved.get(teamId) ?? find.get({ teamId });
      if (!before) throw teamGone();
      saved.set(teamId, before);
      return before.storedBytes + (pending.get(teamId) ?? 0) + bytes <= (before.quotaBytes ?? quotaBytes);
    },
    mark() {
      const { length } = charges;
      return () => {
        for (const { teamId, bytes } of charges.splice(length)) count(teamId, -bytes);
      };
    },
    save() {
      for (const [teamId, bytes] of pending) if (bytes !== 0) add.run({ teamId, bytes });
      clear();
    },
    clear,
  };
}
