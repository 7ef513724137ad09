import type { Break } from "./break.ts";

const SESSIONS = ["test/http/resources/sessions.test.ts"];
const LOGINS = ["test/http/resources/logins.test.ts"];
const PASSKEYS = ["test/http/resources/passkeys.test.ts"];

export const SIGN_IN_BREAKS: readonly Break[] = [
  {
    what: "sign-in links that are over stay in the database",
    file: "src/store/administration/persons.ts",
    find: "  yield* rowsOf(orm.delete(signInLinks).where(lte(signInLinks.expiresAt, clock.now())));\n",
    replace: "",
    tests: ["test/store/sqlite/persons.test.ts"],
  },
  {
    what: "sessions that are over stay in the database",
    file: "src/store/administration/sessions.ts",
    find: "  yield* rowsOf(orm.delete(sessions).where(lte(sessions.expiresAt, clock.now())));\n",
    replace: "",
    tests: ["test/store/sqlite/persons.test.ts"],
  },
  {
    what: "a repeated sign-in leaves the former session of the browser",
    file: "src/domain/sessions.ts",
    find: "  if (!fresh && formerHash) await deps.store.deleteSession(formerHash);\n",
    replace: "",
    tests: ["test/domain/signing-in/persons.test.ts"],
  },
  {
    what: "a person who was removed and added again still has the former session",
    file: "src/store/administration/identities.ts",
    find: "    yield* endSignIns(context, after);\n",
    replace: "",
    tests: SESSIONS,
  },
  {
    what: "a person who was removed and added again still has their passkeys",
    file: "src/store/administration/identities.ts",
    find: "    yield* rowsOf(orm.delete(passkeys).where(eq(passkeys.identityId, id)));\n",
    replace: "",
    tests: PASSKEYS,
  },
  {
    what: "an open page that waits keeps its session alive",
    file: "src/http/gate/gate.ts",
    find: "return isPassive(headers, visit) ? caller : useSession(service, caller);",
    replace: "return useSession(service, caller);",
    tests: SESSIONS,
  },
  {
    what: "a session outlives its life while it is used",
    file: "src/domain/sessions.ts",
    find: "  return Math.min(latest, lastUsedAt + policy.sessionIdleSeconds * 1000);",
    replace: "  return Math.max(latest, lastUsedAt + policy.sessionIdleSeconds * 1000);",
    tests: SESSIONS,
  },
  {
    what: "the session of another person can be ended by its id",
    file: "src/store/administration/sessions.ts",
    find: "and(ofPerson, where) ?? ofPerson",
    replace: "where",
    tests: ["test/store/sqlite/conformance.test.ts"],
  },
  {
    what: "a person may do everything, whatever their scopes",
    file: "src/domain/callers.ts",
    find: "return caller.person.scopes.some((each) => each === scope || each === orScope);",
    replace: "return scope !== undefined;",
    tests: SESSIONS,
  },
  {
    what: "an attempt works more than once",
    file: "src/store/administration/passkeys.ts",
    find: `    context.orm
      .delete(attempts)
      .where(and(eq(attempts.tokenHash, tokenHash), eq(attempts.purpose, purpose)))
      .returning({ challenge: attempts.challenge, expiresAt: attempts.expiresAt }),`,
    replace: `    context.orm
      .select({ challenge: attempts.challenge, expiresAt: attempts.expiresAt })
      .from(attempts)
      .where(and(eq(attempts.tokenHash, tokenHash), eq(attempts.purpose, purpose))),`,
    tests: PASSKEYS,
  },
  {
    what: "an attempt to add a passkey signs in",
    file: "src/store/administration/passkeys.ts",
    find: ".where(and(eq(attempts.tokenHash, tokenHash), eq(attempts.purpose, purpose)))",
    replace: ".where(eq(attempts.tokenHash, tokenHash))",
    tests: PASSKEYS,
  },
  {
    what: "an attempt has no end",
    file: "src/domain/signing-in/passkeys.ts",
    find: "return attempt && attempt.expiresAt > deps.clock.now() ? attempt : undefined;",
    replace: "return attempt;",
    tests: PASSKEYS,
  },
  {
    what: "a signature counter that stands still is accepted",
    file: "src/store/administration/passkeys.ts",
    find: "counter <= passkey.counter",
    replace: "counter < passkey.counter",
    tests: PASSKEYS,
  },
  {
    what: "a copied authenticator is no event",
    file: "src/store/administration/passkeys.ts",
    find: '    appendOf(context, "person.refused", passkey.identity);\n    return "copied";',
    replace: '    return "copied";',
    tests: PASSKEYS,
  },
  {
    what: "an authenticator may name another person",
    file: "src/signing-in/passkeys.ts",
    find: "      if (userHandle === undefined || isoBase64URL.toUTF8String(userHandle) !== userId) return undefined;\n",
    replace: "",
    tests: PASSKEYS,
  },
  {
    what: "a passkey works without its person being verified",
    file: "src/signing-in/passkeys.ts",
    find: "        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },\n        requireUserVerification: true,",
    replace:
      "        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },\n        requireUserVerification: false,",
    tests: PASSKEYS,
  },
  {
    what: "an address begins as many sign-ins as it likes",
    file: "src/http/resources/sessions.ts",
    find: "        limits.countAttempt(groupOf({ request, server }), set.headers);\n",
    replace: "",
    tests: PASSKEYS,
  },
  {
    what: "a terminal stays logged in when its person signs out of the browser",
    file: "src/store/administration/sessions.ts",
    find: "const below = inArray(sessions.parentId, ids);",
    replace: 'const below = and(inArray(sessions.parentId, ids), eq(sessions.id, ""));',
    tests: LOGINS,
  },
  {
    what: "a login that was approved lets a terminal in although the session has ended",
    file: "src/store/administration/logins.ts",
    find: 'return parent ? yield* begin(context, parent, login.machine, session) : "refused";',
    replace: "return yield* begin(context, parent as SessionRecord, login.machine, session);",
    tests: LOGINS,
  },
  {
    what: "a login's code can be used after its time",
    file: "src/store/administration/logins.ts",
    find: ", gt(logins.expiresAt, now));",
    replace: ", gt(logins.expiresAt, now - 86_400_000));",
    tests: LOGINS,
  },
  {
    what: "a login's device code works twice",
    file: "src/store/administration/logins.ts",
    find: "  yield* rowsOf(context.orm.delete(logins).where(eq(logins.deviceHash, deviceHash)));\n",
    replace: "",
    tests: LOGINS,
  },
  {
    what: "codes of logins can be guessed without end",
    file: "src/http/resources/logins.ts",
    find: "      if (error instanceof Refusal && isGuess(error)) limits.countFailure(groupOf(received), headers);\n",
    replace: "",
    tests: LOGINS,
  },
  {
    what: "the key of a terminal is a session of the page",
    file: "src/domain/sessions.ts",
    find: '  if (parseTokenKind(token) !== "person") throw new Refusal("credential_invalid");\n  return toCaller',
    replace: "  return toCaller",
    tests: LOGINS,
  },
  {
    what: "a terminal's wait is answered after its login has ended",
    file: "src/domain/reauthentication.ts",
    find: "const now = isOfPage ? await authenticatePerson(deps, token) : await authenticateToken(deps, token, id);",
    replace: "const now = isOfPage ? await authenticatePerson(deps, token) : caller;",
    tests: LOGINS,
  },
  {
    what: "another person can go on with the registration of a passkey",
    file: "src/domain/signing-in/passkeys.ts",
    find: "personId === undefined ? hashToken(token) : sha256(token, personId)",
    replace: "hashToken(token)",
    tests: PASSKEYS,
  },
  {
    what: "a passkey answers from a page inside one of another origin",
    file: "src/signing-in/passkeys.ts",
    find: "decodeClientDataJSON(clientDataJSON).crossOrigin === true",
    replace: "decodeClientDataJSON(clientDataJSON).crossOrigin === null",
    tests: PASSKEYS,
  },
  {
    what: "a right code lets a terminal in after too many wrong ones",
    file: "src/http/resources/logins.ts",
    find: "    limits.checkFailures(groupOf(received));\n",
    replace: "",
    tests: LOGINS,
  },
  {
    what: "a terminal outlives a session that wasn't used",
    file: "src/domain/sessions.ts",
    find: "    await checkParent(deps, session);\n",
    replace: "",
    tests: LOGINS,
  },
  {
    what: "an open tab keeps its session alive",
    file: "src/http/gate/sessions.ts",
    find: ' || headers.get(BACKGROUND_HEADER) === "1"',
    replace: "",
    tests: SESSIONS,
  },
];
