import { and, desc, eq, sql } from "drizzle-orm";
import { REQUEST_STATES, SECRET_STATES } from "../../contract/states.ts";
import { recallRequestCreation } from "../../domain/transactions/requests.ts";
import { recallCreation } from "../../domain/transactions/secrets.ts";
import type { Reads } from "../../domain/transactions/stores.ts";
import { createCallRows } from "./call-rows.ts";
import { createClaimTokens } from "./claim-tokens.ts";
import type { StoreContext } from "./engine/context.ts";
import { fillBytes } from "./files/ciphertext-pages.ts";
import { refuseDamaged } from "./files/stored-ciphertexts.ts";
import { createPages } from "./pages.ts";
import { columnsOf, named, prepare } from "./prepared.ts";
import { createRequestRows } from "./request-rows.ts";
import { requestNotes, requests, secrets } from "./schema.ts";
import { createSecretRows } from "./secret-rows.ts";

/** Reads of committed rows. */
export function createReads(context: StoreContext): Reads {
  const { clock } = context;
  const { findRequestByToken, findNote, listSubmissions, listApprovals } = prepareReads(context);
  const nothing = { truncateWal: () => undefined };
  const [secretRows, requestRows] = [createSecretRows(context, nothing), createRequestRows(context, nothing)];
  const claimTokens = createClaimTokens(context);
  const calls = createCallRows(context);
  const lookups = () => ({ now: clock.now(), secrets: secretRows, requests: requestRows, calls });
  // The time is read after the row: no later time has been told to anybody.
  const read = <Row>(row: Row | undefined) => ({ rows: row ? [row] : [], now: clock.now() });
  const ofTeam = <Row extends { readonly teamId: string }>(teamId: string, row: Row | undefined) =>
    read(row?.teamId === teamId ? row : undefined);
  return {
    findSecret: (teamId, id) => ofTeam(teamId, secretRows.find(id)),
    listSecrets: createPages(context, secrets, SECRET_STATES),
    listApprovals: (teamId) => {
      const now = clock.now();
      return { rows: listApprovals.all({ teamId }), now };
    },
    findSecretByClaimToken: async (hash, secretId) => read(await claimTokens.find(hash, secretId)),
    replayCreation: (teamId, call) => recallCreation(lookups(), teamId, call),
    findRequest: (teamId, id) => ofTeam(teamId, requestRows.find(id)),
    listRequests: createPages(context, requests, REQUEST_STATES),
    findRequestBySubmitToken: (hash, requestId) => read(findRequestByToken.get({ hash, id: requestId ?? "" })),
    replayRequestCreation: (teamId, call) => recallRequestCreation(lookups(), teamId, call),
    listSubmissions(teamId, requestId) {
      const now = clock.now();
      return { rows: listSubmissions.all({ teamId, requestId }), now };
    },
    findNote(teamId, id) {
      const found = findNote.get({ teamId, id });
      if (!found) return undefined;
      const { version, ciphertext, fillBytes: stored } = found;
      // Its length isn't stored. It determines the number of zeros behind it.
      refuseDamaged(ciphertext, fillBytes(ciphertext.length) === stored);
      return { version, ciphertext };
    },
  };
}

function prepareReads(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  return {
    findRequestByToken: prepare(context, () =>
      orm
        .select(columnsOf(requests))
        .from(requests)
        .where(eq(requests.submitTokenHash, p("hash")))
        // Clients choose their tokens, and two requests may have the same: then this is the named one, else the newest.
        .orderBy(desc(sql`${requests.id} = ${p("id")}`), desc(requests.id))
        .limit(1),
    ),
    findNote: prepare(context, () =>
      orm
        .select(
          named({
            version: requestNotes.envelopeVersion,
            ciphertext: requestNotes.ciphertext,
            fillBytes: sql<number>`length(${requestNotes.fill})`,
          }),
        )
        .from(requestNotes)
        .innerJoin(requests, eq(requests.seq, requestNotes.requestSeq))
        .where(and(eq(requests.id, p("id")), eq(requests.teamId, p("teamId")))),
    ),
    listApprovals: prepare(context, () =>
      orm
        .select(columnsOf(secrets))
        .from(secrets)
        .where(and(eq(secrets.teamId, p("teamId")), sql`length(approval) > 6`))
        .orderBy(secrets.id),
    ),
    listSubmissions: prepare(context, () =>
      orm
        .select(columnsOf(secrets))
        .from(secrets)
        // The condition of the partial index, so that SQLite uses it.
        .where(and(eq(secrets.requestId, p("requestId")), sql`request_id IS NOT NULL`, eq(secrets.teamId, p("teamId"))))
        .orderBy(secrets.id),
    ),
  };
}
