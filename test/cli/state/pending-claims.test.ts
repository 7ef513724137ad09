import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claimPath, hasPendingClaim, openPendingClaim } from "../../../src/cli/state/pending-claims.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const SERVER = "https://handoff.example";
const ID = exampleId("secret");
const ENVELOPE = { version: 1, ciphertext: "Q2lwaGVydGV4dA" } as const;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => void (folder = temporaryFolder()));
afterEach(() => folder[Symbol.dispose]());

const terminalIn = (env: Readonly<Record<string, string>> = {}) =>
  createTestTerminal({ env: { XDG_STATE_HOME: join(folder.path, "state"), ...env } });

test("the key of a claim is on disk, for its owner alone, before anything is claimed, and a later call finds it", () => {
  const terminal = terminalIn();
  expect(hasPendingClaim(terminal, SERVER, ID)).toBeFalse();
  const claim = openPendingClaim(terminal, SERVER, ID);
  expect(claim).toMatchObject({ isResumed: false, isKept: true, envelope: undefined });
  const path = claimPath(terminal, SERVER, ID);
  expect(readFileSync(path, "utf8")).toBe(`${claim.idempotencyKey}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(hasPendingClaim(terminal, SERVER, ID)).toBeTrue();
  const { idempotencyKey } = claim;
  expect(openPendingClaim(terminal, SERVER, ID)).toMatchObject({ idempotencyKey, isResumed: true, isKept: true });
});

test("a claim that is finished leaves nothing behind, and the next one has another key", () => {
  const terminal = terminalIn();
  const first = openPendingClaim(terminal, SERVER, ID);
  expect(first.keepEnvelope(ENVELOPE)).toBeTrue();
  first.finish();
  expect(readdirSync(join(folder.path, "state/handoff/claims"))).toEqual([]);
  const second = openPendingClaim(terminal, SERVER, ID);
  expect(second.isResumed).toBeFalse();
  expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
  // The claim of another call is not the first one's to forget.
  first.finish();
  expect(hasPendingClaim(terminal, SERVER, ID)).toBeTrue();
});

test("what the server does not give out again is kept with the claim, and a file that was cut off is not taken for it", () => {
  const terminal = terminalIn();
  expect(openPendingClaim(terminal, SERVER, ID).keepEnvelope(ENVELOPE)).toBeTrue();
  expect(openPendingClaim(terminal, SERVER, ID).envelope).toEqual(ENVELOPE);
  const path = `${claimPath(terminal, SERVER, ID)}.envelope`;
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, ENVELOPE.ciphertext.slice(0, 5));
  expect(openPendingClaim(terminal, SERVER, ID).envelope).toBeUndefined();
  // Whole, but not yet with its name.
  writeFileSync(`${path}.new`, `${ENVELOPE.ciphertext}\n`, { mode: 0o600 });
  expect(openPendingClaim(terminal, SERVER, ID).envelope).toEqual(ENVELOPE);
});

test("the same id on another server, and another id, are other claims", () => {
  const terminal = terminalIn();
  const keys = [
    openPendingClaim(terminal, SERVER, ID),
    openPendingClaim(terminal, "https://other.example", ID),
    openPendingClaim(terminal, SERVER, ID.replace(/.$/, "0")),
  ];
  expect(new Set(keys.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
  expect(keys.map(({ isResumed }) => isResumed)).toEqual([false, false, false]);
});

test("a claim of more than a day ago is not taken up", () => {
  const terminal = terminalIn();
  const path = claimPath(terminal, SERVER, ID);
  const { idempotencyKey } = openPendingClaim(terminal, SERVER, ID);
  const hoursAgo = (hours: number) => Date.now() / 1000 - hours * 3600;
  utimesSync(path, hoursAgo(23), hoursAgo(23));
  expect(openPendingClaim(terminal, SERVER, ID).idempotencyKey).toBe(idempotencyKey);
  utimesSync(path, hoursAgo(25), hoursAgo(25));
  expect(openPendingClaim(terminal, SERVER, ID)).toMatchObject({ isResumed: false, isKept: true });
});

test("an agent doesn't find the claims of commands, a command finishes those of agents, and old ones of both go", () => {
  const command = terminalIn();
  const agent = { ...command, isAgent: true } as const;
  const first = openPendingClaim(command, SERVER, ID);
  expect(hasPendingClaim(agent, SERVER, ID)).toBeFalse();
  const second = openPendingClaim(agent, SERVER, ID);
  expect(second).toMatchObject({ isResumed: false, isKept: true });
  expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
  first.finish();
  const finished = openPendingClaim(command, SERVER, ID);
  expect(finished).toMatchObject({ isResumed: true, idempotencyKey: second.idempotencyKey });
  finished.finish();
  expect([command, agent].map((each) => hasPendingClaim(each, SERVER, ID))).toEqual([false, false]);
  const long = Date.now() / 1000 - 25 * 3600;
  for (const each of [command, agent]) {
    openPendingClaim(each, SERVER, ID);
    utimesSync(claimPath(each, SERVER, ID), long, long);
    openPendingClaim(each === agent ? command : agent, SERVER, ID.replace(/.$/, "0"));
    expect(hasPendingClaim(each, SERVER, ID)).toBeFalse();
  }
});

test("a claim that others can read is not taken up", () => {
  const terminal = terminalIn();
  openPendingClaim(terminal, SERVER, ID);
  chmodSync(claimPath(terminal, SERVER, ID), 0o644);
  expect(hasPendingClaim(terminal, SERVER, ID)).toBeFalse();
});

test("where the state folder cannot be written the runtime folder is used, and where neither can, nothing is kept", () => {
  const blocked = join(folder.path, "file");
  writeFileSync(blocked, "");
  const runtime = join(folder.path, "run");
  mkdirSync(runtime);
  const second = terminalIn({ XDG_STATE_HOME: blocked, XDG_RUNTIME_DIR: runtime });
  const claim = openPendingClaim(second, SERVER, ID);
  expect(claim).toMatchObject({ isKept: true, isResumed: false });
  expect(hasPendingClaim(second, SERVER, ID)).toBeTrue();
  expect(openPendingClaim(second, SERVER, ID)).toMatchObject({ idempotencyKey: claim.idempotencyKey, isResumed: true });
  // A relative one is none (XDG Base Directory Specification).
  const none = openPendingClaim(terminalIn({ XDG_STATE_HOME: blocked, XDG_RUNTIME_DIR: "run" }), SERVER, ID);
  expect(none).toMatchObject({ isKept: false, isResumed: false });
  expect(none.keepEnvelope(ENVELOPE)).toBeFalse();
  expect(none.idempotencyKey).not.toBe(claim.idempotencyKey);
});
