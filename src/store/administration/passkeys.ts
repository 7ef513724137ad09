import { and, asc, eq, lte } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AttemptPurpose, AttemptRecord } from "../../domain/ports/attempts.ts";
import type { MailRecord } from "../../domain/ports/mails.ts";
import type { PasskeyRecord, PasskeyStore } from "../../domain/ports/passkeys.ts";
import type { NewSession, SessionRecord } from "../../domain/ports/persons.ts";
import { recordOf } from "./admin-log.ts";
import { findPerson } from "./persons.ts";
import { appendOf, insertSession } from "./sessions.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

const LEFT_MS = 60 * 60 * 1000;

export function* createAttempt(context: ChangeContext, attempt: AttemptRecord, tokenHash: Uint8Array): Work<void> {
  const { attempts, mails } = context.tables;
  yield* rowsOf(context.orm.delete(attempts).where(lte(attempts.expiresAt, context.clock.now())));
  // Those that a server left which sends none any more. One that does reports what it gives up.
  yield* rowsOf(context.orm.delete(mails).where(lte(mails.endsAt, context.clock.now() - LEFT_MS)));
  yield* rowsOf(context.orm.insert(attempts).values({ ...attempt, tokenHash }));
}

export function* takeAttempt(
  context: ChangeContext,
  tokenHash: Uint8Array,
  purpose: AttemptPurpose,
): Work<AttemptRecord | undefined> {
  const { attempts } = context.tables;
  const [taken] = yield* rowsOf(
    context.orm
      .delete(attempts)
      .where(and(eq(attempts.tokenHash, tokenHash), eq(attempts.purpose, purpose)))
      .returning({ challenge: attempts.challenge, expiresAt: attempts.expiresAt }),
  );
  return taken && { ...taken, purpose };
}

export function* addPasskey(
  context: ChangeContext,
  { identity, ...passkey }: PasskeyRecord,
  most: number,
  mail?: MailRecord,
): Work<Awaited<ReturnType<PasskeyStore["addPasskey"]>>> {
  const { mails, passkeys } = context.tables;
  const person = yield* findPerson(context, identity.id);
  if (!person || person.disabledAt !== null) return "removed";
  if (yield* findPasskey(context, passkey.credentialId)) return "known";
  if ((yield* listPasskeys(context, identity.id)).length >= most) return "too_many";
  yield* rowsOf(context.orm.insert(passkeys).values({ ...passkey, identityId: identity.id }));
  appendOf(context, "person.passkey_added", identity);
  if (mail) yield* rowsOf(context.orm.insert(mails).values(mail));
  return "added";
}

export function listPasskeys(context: ReadContext, identityId: string): Work<PasskeyRecord[]> {
  return selectPasskeys(context, eq(context.tables.passkeys.identityId, identityId));
}

export function* findPasskey(context: ReadContext, credentialId: string): Work<PasskeyRecord | undefined> {
  return (yield* selectPasskeys(context, eq(context.tables.passkeys.credentialId, credentialId)))[0];
}

export function* removePasskey(context: ChangeContext, identityId: string, id: string): Work<boolean> {
  const { passkeys } = context.tables;
  const [passkey] = yield* selectPasskeys(context, and(eq(passkeys.id, id), eq(passkeys.identityId, identityId)));
  if (!passkey) return false;
  yield* rowsOf(context.orm.delete(passkeys).where(eq(passkeys.id, id)));
  appendOf(context, "person.passkey_removed", passkey.identity);
  yield* recordOf(context, "person.passkey_removed", passkey.identity, { passkey_id: id });
  return true;
}

export function* signInWithPasskey(
  context: ChangeContext,
  { passkeyId, counter }: Parameters<PasskeyStore["signInWithPasskey"]>[0],
  session: NewSession,
): Work<SessionRecord | "copied" | undefined> {
  const { passkeys } = context.tables;
  const [passkey] = yield* selectPasskeys(context, eq(passkeys.id, passkeyId));
  if (!passkey || passkey.identity.disabledAt !== null) return undefined;
  if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
    appendOf(context, "person.refused", passkey.identity);
    return "copied";
  }
  const used = { counter, lastUsedAt: context.clock.now() };
  yield* rowsOf(context.orm.update(passkeys).set(used).where(eq(passkeys.id, passkeyId)));
  return yield* insertSession(context, passkey.identity, "passkey", session);
}

export function* noteRefusal(context: ChangeContext, identityId: string): Work<void> {
  const person = yield* findPerson(context, identityId);
  if (person) appendOf(context, "person.refused", person);
}

function* selectPasskeys(context: ReadContext, where: SQL | undefined): Work<PasskeyRecord[]> {
  const { identities, passkeys, teams } = context.tables;
  yield* timeOf(context);
  const rows = yield* rowsOf(
    context.orm
      .select({ passkey: passkeys, identity: identities, teamName: teams.name })
      .from(passkeys)
      .innerJoin(identities, eq(passkeys.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(where)
      .orderBy(asc(passkeys.id)),
  );
  return rows.map(({ passkey: { identityId: _identityId, ...passkey }, identity, teamName }) => ({
    ...passkey,
    identity: { ...identity, teamName },
  }));
}
