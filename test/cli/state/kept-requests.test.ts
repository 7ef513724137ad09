import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  findKeptRequest,
  forgetRequest,
  getKeptRequest,
  keepNewRequest,
  keepRequest,
  listKeptRequests,
} from "../../../src/cli/state/kept-requests.ts";
import type { KeptRequest } from "../../../src/cli/state/kept-requests.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";
import type { TestTerminal } from "../../support/terminals.ts";

const ID = exampleId("request");
const OTHER_ID = ID.replace(/.$/, "0");
const NEW = { baseUrl: "https://handoff.example", ageIdentity: "AGE-SECRET-KEY-1A", note: "The password" };
const KEPT: KeptRequest = { id: ID, ...NEW };

let folder: ReturnType<typeof temporaryFolder>;
let terminal: TestTerminal;
beforeEach(() => {
  folder = temporaryFolder();
  terminal = createTestTerminal({ env: { XDG_STATE_HOME: folder.path } });
});
afterEach(() => folder[Symbol.dispose]());

const namesIn = (name: string) => readdirSync(join(folder.path, "handoff", name)).toSorted();
const pathOf = (name: string) => join(folder.path, "handoff", name);
const daysAgo = (days: number) => Date.now() / 1000 - days * 86_400;

test("a request's key is on disk before the request is sent, and is named once the request has an id", () => {
  const { assign } = keepNewRequest(terminal, NEW);
  const [unnamed = ""] = namesIn("requests");
  expect(unnamed).toStartWith("new-");
  expect(readFileSync(pathOf(`requests/${unnamed}`), "utf8")).toContain(NEW.ageIdentity);
  expect(statSync(pathOf(`requests/${unnamed}`)).mode & 0o777).toBe(0o600);
  expect(listKeptRequests(terminal)).toEqual([]);
  assign(ID);
  expect(namesIn("requests")).toEqual([expect.stringMatching(new RegExp(`^${ID}-[0-9a-f]{16}$`))]);
  expect(getKeptRequest(terminal, ID)).toEqual(KEPT);
  keepNewRequest(terminal, NEW).drop();
  expect(namesIn("requests")).toHaveLength(1);
});

test("a server cannot have a key replaced by answering with the id of another request", () => {
  keepRequest(terminal, KEPT);
  const { assign } = keepNewRequest(terminal, { ...NEW, ageIdentity: "AGE-SECRET-KEY-1B" });
  expect(() => assign(ID)).toThrow("The key to that one was not touched");
  expect(getKeptRequest(terminal, ID).ageIdentity).toBe(KEPT.ageIdentity);
  expect(namesIn("requests")).toHaveLength(1);
  // Nor where an older version has kept it, without the server in its name.
  renameSync(pathOf(`requests/${namesIn("requests")[0]}`), pathOf(`requests/${ID}`));
  expect(() => keepNewRequest(terminal, NEW).assign(ID)).toThrow("The key to that one was not touched");
  expect(namesIn("requests")).toEqual([ID]);
  // Nor by one that comes in between.
  keepRequest(terminal, { ...KEPT, ageIdentity: "AGE-SECRET-KEY-1C" });
  expect(getKeptRequest(terminal, ID).ageIdentity).toBe(KEPT.ageIdentity);
});

test("two servers can have requests of the same id, and each has its own key", () => {
  const away = { ...KEPT, baseUrl: "https://other.example", ageIdentity: "AGE-SECRET-KEY-1B" };
  keepRequest(terminal, KEPT);
  keepRequest(terminal, away);
  expect(getKeptRequest(terminal, ID, away.baseUrl)).toEqual(away);
  expect(getKeptRequest(terminal, ID, KEPT.baseUrl)).toEqual(KEPT);
  expect(findKeptRequest(terminal, ID, "https://third.example")).toBeUndefined();
  forgetRequest(terminal, away, "ended");
  expect(listKeptRequests(terminal)).toEqual([KEPT]);
});

test("of a request that is forgotten the key is gone, and it is known how it ended", () => {
  keepRequest(terminal, KEPT);
  forgetRequest(terminal, KEPT, "collected");
  expect(namesIn("requests")).toEqual([]);
  const ending = readFileSync(pathOf(`ended/${namesIn("ended")[0]}`), "utf8");
  expect(ending).toMatch(/^collected \d{4}-.*Z\n$/);
  expect(() => getKeptRequest(terminal, ID)).toThrow(
    expect.objectContaining({ kind: "gone", message: expect.stringContaining("You collected") }),
  );
  // That it was collected is not made less by its end.
  forgetRequest(terminal, KEPT, "ended");
  expect(() => getKeptRequest(terminal, ID)).toThrow("You collected");
  keepRequest(terminal, { ...KEPT, id: OTHER_ID });
  forgetRequest(terminal, { ...KEPT, id: OTHER_ID }, "ended");
  expect(() => getKeptRequest(terminal, OTHER_ID)).toThrow("it has ended");
});

test("a request that was never here is told from one that was", () => {
  expect(() => getKeptRequest(terminal, ID)).toThrow(
    expect.objectContaining({ kind: "failure", message: expect.stringContaining("isn't on this machine") }),
  );
  expect(findKeptRequest(terminal, ID, KEPT.baseUrl)).toBeUndefined();
});

test("a folder of keys that can't be read is said to be the reason, and not taken for an empty one", () => {
  keepRequest(terminal, KEPT);
  rmSync(pathOf("requests"), { recursive: true });
  symlinkSync("requests", pathOf("requests"));
  const said = expect.objectContaining({ message: expect.stringMatching(/^Can't read '.*requests': it's a link\.$/) });
  expect(() => listKeptRequests(terminal)).toThrow(said);
  expect(() => getKeptRequest(terminal, ID)).toThrow(said);
});

test("how a request ended is remembered for 180 days, and a key without a request is for one", () => {
  forgetRequest(terminal, KEPT, "collected");
  const ended = pathOf(`ended/${namesIn("ended")[0]}`);
  utimesSync(ended, daysAgo(179), daysAgo(179));
  forgetRequest(terminal, { ...KEPT, id: OTHER_ID }, "ended");
  expect(namesIn("ended")).toHaveLength(2);
  utimesSync(ended, daysAgo(181), daysAgo(181));
  forgetRequest(terminal, { ...KEPT, id: OTHER_ID }, "ended");
  expect(namesIn("ended")).toEqual([expect.stringContaining(OTHER_ID)]);

  keepRequest(terminal, KEPT);
  keepNewRequest(terminal, NEW);
  const [first = ""] = namesIn("requests").filter((name) => name.startsWith("new-"));
  for (const name of namesIn("requests")) utimesSync(pathOf(`requests/${name}`), daysAgo(1.1), daysAgo(1.1));
  keepNewRequest(terminal, NEW);
  expect(namesIn("requests")).not.toContain(first);
  // The key to a request that there is stays, however old.
  expect(getKeptRequest(terminal, ID)).toEqual(KEPT);
});

test("a damaged file is named, and the others are listed", () => {
  keepRequest(terminal, KEPT);
  keepRequest(terminal, { ...KEPT, id: OTHER_ID });
  const path = pathOf(`requests/${namesIn("requests").find((name) => name.startsWith(OTHER_ID))}`);
  for (const content of ["", "{", '{"url":1}', "[]", "null"]) {
    writeFileSync(path, content);
    expect(() => getKeptRequest(terminal, OTHER_ID)).toThrow(`The file '${path}' is damaged.`);
    expect(listKeptRequests(terminal)).toEqual([KEPT]);
    expect(terminal.said.at(-1)).toBe(`The file '${path}' is damaged.`);
  }
});
