import { and, asc, eq, gt } from "drizzle-orm";
import { isLive } from "../../contract/states.ts";
import { endRequest } from "../../domain/transactions/requests.ts";
import { endSecret } from "../../domain/transactions/secrets.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { openForWriting } from "../sqlite/assembly/opening.ts";
import type { StoreOptions } from "../sqlite/assembly/options.ts";
import { startWriting } from "../sqlite/assembly/writing.ts";
import type { StoreContext } from "../sqlite/engine/context.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { createKnownKeys } from "../sqlite/engine/known-keys.ts";
import { requests, secrets } from "../sqlite/schema.ts";
import { addOperations, createToTransaction } from "../sqlite/transactions.ts";

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
  const { orm } = context;
  const isAfter = (table: typeof secrets | typeof requests, after: number) => gt(table.seq, after);
  return addOperations(context, createToTransaction(context), {
    endSecrets: {
      kind: "essential",
      run(tx: Transaction, after: number): Step {
        const isAvailable = and(isAfter(secrets, after), eq(secrets.state, "available"));
        const rows = orm.select().from(secrets).where(isAvailable).orderBy(asc(secrets.seq)).limit(STEP_ROWS).all();
        for (const row of rows) endSecret(tx, row, null);
        return { last: rows.at(-1)?.seq, ended: rows.length };
      },
    },
    endRequests: {
      kind: "essential",
      run(tx: Transaction, after: number): Step {
        const isLater = isAfter(requests, after);
        const rows = orm.select().from(requests).where(isLater).orderBy(asc(requests.seq)).limit(STEP_ROWS).all();
        const live = rows.filter(({ state }) => isLive(state));
        for (const row of live) endRequest(tx, row, null);
        return { last: rows.at(-1)?.seq, ended: live.length };
      },
    },
  });
}
