import { expect, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestSummary } from "../../../src/contract/requests.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import type { PendingAsk } from "../../../src/contract/secrets.ts";
import {
  describeAsker,
  factsOf,
  iconOf,
  joinWords,
  nameMonth,
  nameOfAsked,
  timeOf,
  titleOf,
} from "../../../src/web/activity/descriptions.ts";
import type { ActivityItem } from "../../../src/web/activity/items.ts";
import type { ContentSummary } from "../../../src/web/browser/labels.ts";
import type { AskedRow } from "../../../src/web/service/asked.ts";
import { exampleOf } from "../../support/clients.ts";

const ENDED = "2020-11-21T09:30:00.000Z";

function asked(request: Partial<RequestSummary>, row: Partial<AskedRow> = {}): ActivityItem {
  const whole = exampleOf(RequestSummary, { id: exampleId("request"), ended_at: ENDED, ...request });
  const counts = { waiting: 0, opened: 0, expired: 0, revoked: 0 };
  return { kind: "asked", asked: { request: whole, ...counts, hasKey: true, note: "", ...row } };
}

function sent(content?: ContentSummary, label = "", secret: Partial<Secret> = {}): ActivityItem {
  const whole = exampleOf(Secret, { created_at: ENDED, ended_at: ENDED, reference: null, ...secret });
  return { kind: "sent", secret: whole, label, content };
}

test("a title is the label or the note, else the kind and what it has", () => {
  expect(titleOf(sent())).toBe("Secret");
  expect(titleOf(sent({ kind: "text", lines: 1 }))).toBe("Text, 1 line");
  expect(titleOf(sent({ kind: "text", lines: 1200 }))).toBe("Text, 1,200 lines");
  expect(titleOf(sent({ kind: "password", characters: 24 }))).toBe("Password, 24 characters");
  expect(titleOf(sent({ kind: "files", count: 1, firstName: "a.pdf" }))).toBe("a.pdf");
  expect(titleOf(sent({ kind: "files", count: 3, firstName: "a.pdf" }))).toBe("3 files, a.pdf first");
  expect(titleOf(sent({ kind: "files", count: 3, firstName: "a.pdf" }, "router"))).toBe("router");
  expect(titleOf(asked({ reference: null }))).toBe("Request");
  expect(titleOf(asked({ reference: "OPS-1" }))).toBe("Ticket OPS-1");
  expect(titleOf(asked({}, { note: "the VPN" }))).toBe("the VPN");
});

test("labels and names of files are shown without characters that change the direction of writing", () => {
  expect(titleOf(sent(undefined, "a\u202Eb"))).toBe("a\uFFFDb");
  expect(titleOf(sent({ kind: "files", count: 1, firstName: "fdp.\u202Eexe" }))).toBe("fdp.\uFFFDexe");
});

test("below the title stand the content, or when it was sent, then size and ticket", () => {
  const file = { kind: "files", count: 1, firstName: "a.pdf" } as const;
  const large = { ciphertext_bytes: 4_000_000, reference: "OPS-1" };
  expect(factsOf(sent(file, "papers", large))).toEqual(["a.pdf", "About 3.0 MB", "OPS-1"]);
  expect(factsOf(sent(file, "", { reference: "OPS-1" }))).toEqual([expect.stringMatching(/^Sent .*2020/), "OPS-1"]);
  expect(factsOf(asked({ created_at: ENDED, reference: null }))).toEqual([expect.stringMatching(/^Asked .*2020/)]);
  // Without a note the ticket is the title already.
  const about = { created_at: ENDED, reference: "OPS-1" };
  expect(factsOf(asked(about))).toEqual([expect.stringMatching(/^Asked .*2020/)]);
  expect(factsOf(asked(about, { note: "the VPN" }))).toEqual([expect.stringMatching(/^Asked .*2020/), "OPS-1"]);
  expect([iconOf(sent()), iconOf(sent(file)), iconOf(sent({ ...file, count: 2 })), iconOf(asked({}))]).toEqual([
    "sealed",
    "file",
    "files",
    "form",
  ]);
});

test("a row has the time left, or the day of its end with the full date", () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  expect(timeOf(sent(undefined, "", { ended_at: null, expires_at: inDays(6) }))?.text).toBe("6 days left");
  expect(timeOf(sent())).toMatchObject({ at: ENDED, text: "Sat, Nov 21, 2020" });
  expect(timeOf(sent())?.full).toMatch(/Nov 21, 2020, \d/);
});

test("the end of a request is not shown as the time of an opening", () => {
  const ends = (item: ActivityItem) => timeOf(item)?.at;
  expect(ends(asked({ state: "fulfilled", submission_count: 1 }, { opened: 1 }))).toBeUndefined();
  expect(ends(asked({ state: "fulfilled", submission_count: 1 }, { waiting: 1 }))).toBe(ENDED);
  expect(ends(asked({ state: "revoked", submission_count: 0 }))).toBe(ENDED);
});

test("a month has its year, unless it is this one", () => {
  expect(nameMonth(ENDED)).toBe("November 2020");
  const now = new Date();
  expect(nameMonth(now.toISOString())).toBe(new Intl.DateTimeFormat("en", { month: "long" }).format(now));
});

test("what somebody asks to open has the name of its row, else its ticket, or the end of its ID", () => {
  const nameOf = (secretId: string, reference: string | null, ...items: readonly ActivityItem[]) =>
    nameOfAsked({ secret_id: secretId, reference } as PendingAsk, items);
  const id = exampleId("secret");
  expect(nameOf(id, "OPS-1", sent(undefined, "router", { id }))).toBe("router");
  expect(nameOf(id, "OPS-1", sent({ kind: "text", lines: 1 }, "", { id }))).toBe("Text, 1 line");
  expect(nameOf(id, "OPS-1", sent(undefined, "", { id }))).toBe("Ticket OPS-1");
  expect(nameOf(id, null, asked({}), sent(undefined, "", { id }))).toBe(`Secret …${id.slice(-6)}`);
  expect(nameOf(id, null, sent(undefined, "router", { id: id.replace(/.$/, "0") }))).toBe(`Secret …${id.slice(-6)}`);
});

test("who asks is told by a proven address, else by the identity, or by the link alone", () => {
  const identity = exampleId("identity");
  expect(describeAsker("ann@example.com", identity)).toBe("ann@example.com, address proven");
  expect(describeAsker("ann\u202E@example.com", null)).toBe("ann\uFFFD@example.com, address proven");
  expect(describeAsker(null, identity)).toBe(`a teammate, ID …${identity.slice(-6)}`);
  expect(describeAsker(null, null)).toBe("someone with the link, no address proven");
  expect(joinWords(["maple", "river", "ni\u202Ene"])).toBe("maple, river, ni\uFFFDne");
});
