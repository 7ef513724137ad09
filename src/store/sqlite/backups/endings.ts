import { and, asc, eq, gt } from "drizzle-orm";
import { isLive } from "../../../contract/states.ts";
import { afterRevocation as afterRequestRevocation } from "../../../domain/request-lifecycle.ts";
import { afterRevocation } from "../../../domain/secret-lifecycle.ts";
import { openForWriting } from "../assembly/opening.ts";
import type { StoreOptions } from "../assembly/options.ts";
import { startWriting } from "../assembly/writing.ts";
import type { StoreContext } from "../engine/context.ts";
import { openDatabase } from "../engine/database.ts";
import { createKnownKeys } from "../engine/known-keys.ts";
import type { Transaction } from "../engine/transaction.ts";
import { createEventWriter } from "../events.ts";
import { createRequestChanges } from "../request-changes.ts";
import { prepareRequestRows } from "../request-rows.ts";
import { requests, secrets } from "../schema.ts";
import { createSecretChanges } from "../secret-changes.ts";
import { prepareSecretRows } from "../secret-rows.ts";

/** The most rows of a transaction. */
const STEP_ROWS = 500;

/** Numbers of what was open and has ended. */
export interface Ended {
  readonly secrets: number;
  readonly requests: number;
}

/**
 * Revokes every secret that can be claimed and every request that is not over; those whose time is over have expired. By the
 * same rules as ever, with an event for each. Throws DatabaseError.
 */
export async function endEverything(options: StoreOptions): Promise<Ended> {
  const { context, close } = openForWriting(options, openDatabase, (opened) =>
    startWriting(options, opened, {
      knownKeys: createKnownKeys(opened.files.countCommits),
      onEvent: () => undefined,
    }),
  );
  try {
    const run = addEndings(context);
    return {
      secrets: await inSteps((after) => run("endSecrets", after)),
      requests: await inSteps((after) => run("endRequests", after)),
    };
  } finally {
    await close();
  }
}

/** A step: the number of the last row that it looked at, undefined when there was none, and how many it has ended. */
interface Step {
  readonly last: number | undefined;
  readonly ended: number;
}

async function inSteps(step: (after: number) => Promise<Step>): Promise<number> {
  let ended = 0;
  for (let after: number | undefined = 0; after !== undefined;) {
    const done: Step = await step(after);
    ended += done.ended;
    after = done.last;
  }
  return ended;
}

function addEndings(context: StoreContext) {
  const { orm, clock } = context;
  const events = createEventWriter(context);
  const secretChanges = createSecretChanges(context, prepareSecretRows(context), events);
  const requestChanges = createRequestChanges(context, prepareRequestRows(context), events);
  return context.operations.add({
    endSecrets: {
      kind: "essential",
      run(tx: Transaction, after: number): Step {
        const now = clock.now();
        const rows = orm
          .select()
          .from(secrets)
          .where(and(gt(secrets.seq, after), eq(secrets.state, "available")))
          .orderBy(asc(secrets.seq))
          .limit(STEP_ROWS)
          .all();
        for (const row of rows) secretChanges.end(tx, row, afterRevocation(row, now), null, now);
        return { last: rows.at(-1)?.seq, ended: rows.length };
      },
    },
    endRequests: {
      kind: "essential",
      run(tx: Transaction, after: number): Step {
        const now = clock.now();
        const rows = orm
          .select()
          .from(requests)
          .where(gt(requests.seq, after))
          .orderBy(asc(requests.seq))
          .limit(STEP_ROWS)
          .all();
        const live = rows.filter(({ state }) => isLive(state));
        for (const row of live) requestChanges.change(tx, row, afterRequestRevocation(row, now), null, now);
        return { last: rows.at(-1)?.seq, ended: live.length };
      },
    },
  });
}
