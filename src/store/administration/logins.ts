import { and, eq, gt, lte } from "drizzle-orm";
import type { LoginRecord, LoginStore, NewTerminalSession } from "../../domain/ports/logins.ts";
import type { SessionRecord } from "../../domain/ports/persons.ts";
import { findSessionById, insertSession } from "./sessions.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function* createLogin(context: ChangeContext, login: LoginRecord, deviceHash: Uint8Array): Work<boolean> {
  const { logins } = context.tables;
  yield* rowsOf(context.orm.delete(logins).where(lte(logins.expiresAt, context.clock.now())));
  const created = yield* rowsOf(
    context.orm
      .insert(logins)
      .values({ ...login, deviceHash })
      .onConflictDoNothing({ target: logins.userCode })
      .returning({ userCode: logins.userCode }),
  );
  return created.length > 0;
}

export function* findLogin(context: ReadContext, userCode: string): Work<LoginRecord | undefined> {
  const { logins } = context.tables;
  const now = yield* timeOf(context);
  const pending = and(eq(logins.userCode, userCode), eq(logins.state, "pending"), gt(logins.expiresAt, now));
  const [row] = yield* rowsOf(context.orm.select().from(logins).where(pending));
  if (!row) return undefined;
  const { deviceHash: _deviceHash, ...login } = row;
  return login;
}

export function* decideLogin(
  context: ChangeContext,
  userCode: string,
  { state, sessionId }: Pick<LoginRecord, "state" | "sessionId">,
): Work<boolean> {
  const { logins } = context.tables;
  if (!(yield* findLogin(context, userCode))) return false;
  yield* rowsOf(context.orm.update(logins).set({ state, sessionId }).where(eq(logins.userCode, userCode)));
  return true;
}

export function* takeLogin(
  context: ChangeContext,
  deviceHash: Uint8Array,
  session: NewTerminalSession,
): Work<Awaited<ReturnType<LoginStore["takeLogin"]>>> {
  const { logins } = context.tables;
  const [login] = yield* rowsOf(context.orm.select().from(logins).where(eq(logins.deviceHash, deviceHash)));
  if (!login || login.expiresAt <= context.clock.now()) return undefined;
  if (login.state === "pending") return "pending";
  yield* rowsOf(context.orm.delete(logins).where(eq(logins.deviceHash, deviceHash)));
  const parent = login.sessionId === null ? undefined : yield* findSessionById(context, login.sessionId);
  return parent ? yield* begin(context, parent, login.machine, session) : "refused";
}

function begin(
  context: ChangeContext,
  { identity, id, expiresAt, confirmedAt }: SessionRecord,
  machine: string,
  session: NewTerminalSession,
): Work<SessionRecord> {
  const end = Math.min(session.expiresAt, expiresAt);
  const named = { ...session, expiresAt: end, browser: "handoff", system: machine };
  return insertSession(context, identity, "terminal", named, { parentId: id, confirmedAt });
}
