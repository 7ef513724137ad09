import { and, asc, eq, gt, inArray, lte, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { SCOPES } from "../../contract/scopes.ts";
import { newIdentity } from "../../domain/identities.ts";
import { mailAccountOf, teamsOfDomain } from "../../domain/mails/accounts.ts";
import type { AttemptRecord } from "../../domain/ports/attempts.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { CODE_KINDS } from "../../domain/ports/mails.ts";
import type { CodeUse, MailAccount, MailRecord, SignInDomain } from "../../domain/ports/mails.ts";
import type { NewSession, SessionRecord } from "../../domain/ports/persons.ts";
import { deriveCode } from "../../domain/values/tokens.ts";
import { insertIdentity, selectIdentities } from "./identities.ts";
import { createAttempt } from "./passkeys.ts";
import { appendOf, insertSession } from "./sessions.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function* beginMailSignIn(
  context: ChangeContext,
  attempt: AttemptRecord,
  tokenHash: Uint8Array,
  mail: MailRecord,
): Work<void> {
  yield* createAttempt(context, attempt, tokenHash);
  yield* rowsOf(context.orm.insert(context.tables.mails).values(mail));
}

export function* findMailAccount(
  context: ReadContext,
  address: string,
  domains: readonly SignInDomain[],
): Work<MailAccount | undefined> {
  const { identities, teams } = context.tables;
  // Both engines lower A to Z in the same way.
  const known = yield* selectIdentities(context, sql`lower(${identities.name}) = lower(${address})`);
  const names = teamsOfDomain(address, domains);
  const open =
    names.length === 0
      ? []
      : yield* rowsOf(
          context.orm
            .select()
            .from(teams)
            .where(or(inArray(teams.name, names), inArray(teams.id, names)))
            .orderBy(asc(teams.id)),
        );
  return mailAccountOf(address, known, open);
}

export function* signInWithCode(
  context: ChangeContext,
  use: CodeUse,
  session: NewSession,
): Work<SessionRecord | "over" | "wrong"> {
  const { attempts } = context.tables;
  const own = eq(attempts.tokenHash, use.attemptHash);
  const live = and(own, eq(attempts.purpose, "mail_sign_in"), gt(attempts.expiresAt, context.clock.now()));
  const [attempt] = yield* rowsOf(context.orm.select().from(attempts).where(live));
  if (!attempt) return "over";
  const account = yield* findMailAccount(context, attempt.address ?? "", use.domains);
  const person = account && (yield* admitByCode(context, attempt.challenge, account, use));
  if (person) {
    yield* rowsOf(context.orm.delete(attempts).where(own));
    return yield* insertSession(context, person, "mail", session);
  }
  const tries = attempt.tries + 1;
  if (tries < use.maxTries) {
    yield* rowsOf(context.orm.update(attempts).set({ tries }).where(own));
  } else {
    yield* rowsOf(context.orm.delete(attempts).where(own));
    for (const refused of account?.people ?? []) appendOf(context, "person.refused", refused);
  }
  return "wrong";
}

export function* listDueMails(context: ReadContext, most: number): Work<MailRecord[]> {
  const { mails } = context.tables;
  const isDue = lte(mails.nextAt, yield* timeOf(context));
  const select = (ofKind: SQL, limit: number) =>
    rowsOf(context.orm.select().from(mails).where(and(isDue, ofKind)).orderBy(asc(mails.nextAt)).limit(limit));
  // Somebody waits for a code.
  const codes = yield* select(inArray(mails.kind, [...CODE_KINDS]), most);
  return codes.length < most
    ? [...codes, ...(yield* select(notInArray(mails.kind, [...CODE_KINDS]), most - codes.length))]
    : codes;
}

export function* postponeMail({ orm, tables: { mails } }: ChangeContext, id: string, nextAt: number): Work<void> {
  const tries = sql<number>`${mails.tries} + 1`;
  yield* rowsOf(orm.update(mails).set({ nextAt, tries }).where(eq(mails.id, id)));
}

export function* deleteMail({ orm, tables: { mails } }: ChangeContext, id: string): Work<void> {
  yield* rowsOf(orm.delete(mails).where(eq(mails.id, id)));
}

/** The person whose code it is, created if their domain lets them in; undefined when it is nobody's. */
function* admitByCode(
  context: ChangeContext,
  seed: string,
  { address, people, teams }: MailAccount,
  { code, newId }: CodeUse,
): Work<IdentityRecord | undefined> {
  const person = people.find(({ teamId }) => deriveCode(seed, teamId) === code);
  const team = teams.find(({ id }) => deriveCode(seed, id) === code);
  if (person || !team) return person;
  const sources = { ids: { next: () => newId }, clock: context.clock };
  const wanted = { kind: "person", name: address, personName: null, scopes: SCOPES } as const;
  const created = newIdentity(sources, team, wanted);
  return (yield* insertIdentity(context, created)) ? created : undefined;
}
