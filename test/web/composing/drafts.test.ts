import { expect, test } from "bun:test";
import { contentBytesOf } from "../../../src/client/limits.ts";
import {
  bytesOf,
  complaintAbout,
  complaintAboutNothing,
  describeRefusals,
  isEmpty,
  mostCiphertextOf,
  NO_CONTENT,
  roomFor,
} from "../../../src/web/composing/drafts.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const fileOf = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name);

test("text and files are measured together, in bytes", () => {
  expect(bytesOf(NO_CONTENT)).toBe(0);
  expect(bytesOf({ text: "ä€", files: [fileOf("a", 10), fileOf("b", 1)] })).toBe(16);
});

test("blank lines alone count as empty", () => {
  expect(isEmpty(NO_CONTENT)).toBe(true);
  for (const text of ["", "\n", "\r\n\n"])
    expect(complaintAboutNothing({ text, files: [] })).toContain("Type something");
  expect(complaintAboutNothing({ text: " ", files: [] })).toBeUndefined();
  expect(complaintAboutNothing({ text: "", files: [fileOf("empty", 0)] })).toBeUndefined();
});

test("a file name cannot change the direction of a complaint's text", () => {
  const name = "invoice\u202Efdp.exe";
  for (const kind of ["same_name", "bad_name", "unreadable"] as const) {
    expect(describeRefusals([{ kind, name }])).toContain("invoice\uFFFDfdp.exe");
  }
  const { most } = contentBytesOf(MAX_BYTES);
  expect(complaintAbout({ text: "", files: [fileOf(name, most + 1)] }, MAX_BYTES)).toContain("invoice\uFFFDfdp.exe");
});

test("content that cannot fit is reported with its size and the limit, once that is known", () => {
  const { least, most } = contentBytesOf(MAX_BYTES);
  expect(roomFor(MAX_BYTES)).toBe(least);
  const fits = { text: "", files: [fileOf("a", most)] };
  const isTooLarge = { text: "", files: [fileOf("dump.sql", most + 1)] };
  expect(complaintAbout(fits, MAX_BYTES)).toBeUndefined();
  expect(complaintAbout(isTooLarge, undefined)).toBeUndefined();
  expect(complaintAbout(isTooLarge, MAX_BYTES)).toMatch(
    /^dump\.sql is too large\. It's 7\.9 ?MB; the limit is 7\.8 ?MB\.$/,
  );
  expect(complaintAbout({ ...fits, text: "x" }, MAX_BYTES)).toMatch(/^That's too large\./);
});

test("content may be as large as a secret that is sent in pieces, and no larger than the quota of the team", () => {
  const GIB = 1024 ** 3;
  const limits = { max_ciphertext_bytes: MAX_BYTES, team_quota_bytes: 5 * GIB };
  const roomOf = (large: number | null) => roomFor(mostCiphertextOf({ ...limits, max_secret_bytes: large }));
  expect(roomOf(null)).toBe(roomFor(MAX_BYTES));
  expect(roomOf(GIB) / GIB).toBeCloseTo(1, 2);
  expect(roomOf(10 * GIB) / GIB).toBeCloseTo(5, 2);
});

test("of several refused files the first is named with its reason, and the others are counted", () => {
  expect(describeRefusals([])).toBe("");
  expect(describeRefusals([{ kind: "bad_name", name: ".." }])).toContain("..");
  const said = describeRefusals([
    { kind: "same_name", name: "a.txt" },
    { kind: "unreadable", name: "b" },
    { kind: "unreadable", name: "c" },
  ]);
  expect(said).toStartWith("There is already a file named a.txt.");
  expect(said).toEndWith("2 more files weren't added.");
  expect(describeRefusals([{ kind: "too_many" }])).toContain("10,000");
});
