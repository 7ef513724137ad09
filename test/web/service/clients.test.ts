import { afterEach, beforeEach, expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { findPerson, findVisitor, requirePerson } from "../../../src/web/service/clients.ts";
import { PAGE } from "../../../src/web/texts/page.ts";
import { errorOf, exampleOf } from "../../support/clients.ts";
import { answerFetches } from "../../support/fetches.ts";
import type { TestFetch } from "../../support/fetches.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("identity");
const credentialOf = (id: string, name: string) => exampleOf(Credential, { kind: "person", identity: { id, name } });

let tab: TestTab;
let server: TestFetch;
let answer: () => Response;
beforeEach(() => {
  tab = openTab("https://example.com/below/ask");
  server = answerFetches(() => answer());
});
afterEach(() => {
  tab[Symbol.dispose]();
  server[Symbol.dispose]();
});

test("the session is read from the page's own site", async () => {
  answer = () => Response.json({ credential: credentialOf(ID, "ann") });
  expect(await findPerson()).toMatchObject({ id: ID, credential: { identity: { name: "ann" } } });
  expect(server.asked).toEqual(["https://example.com/below/app/session"]);
});

test("the ways to sign in are known to strangers too, and those of a later version are left out", async () => {
  const ways = ["passkey", "a later one", "link"];
  answer = () => Response.json({ credential: null, ways });
  expect(await findVisitor()).toEqual({ person: undefined, ways: ["link", "passkey"] });
  answer = () => Response.json({ credential: credentialOf(ID, "ann"), ways });
  expect(await findVisitor()).toMatchObject({ person: { id: ID, ways: ["link", "passkey"] } });
  answer = () => Response.json({ credential: null, ways: "all" });
  expect((await findVisitor()).ways).toEqual([]);
});

test("a stranger is recognized without a failed call in the browser's log", async () => {
  answer = () => Response.json({ credential: null });
  expect(await findPerson()).toBeUndefined();
  expect(server.asked).toEqual(["https://example.com/below/app/session"]);
});

test("nobody is signed in where the server has no sessions, and any other failure is thrown", async () => {
  answer = () => Response.json({ code: "credential_missing" }, { status: 401 });
  expect(await findPerson()).toBeUndefined();
  answer = () => Response.json({ code: "internal_error" }, { status: 500 });
  expect(await errorOf(findPerson())).toBeDefined();
});

test("no call is made in the name of another person", async () => {
  answer = () => Response.json(credentialOf(ID, "ann"));
  const ann = await findPerson();
  if (!ann) throw new Error("nobody is signed in");
  expect(await errorOf(requirePerson(ann))).toBeUndefined();
  answer = () => Response.json(credentialOf(ID.replace(/.$/, "0"), "bob"));
  expect(await errorOf(requirePerson(ann))).toMatchObject({
    code: "other_person",
    kind: "credential",
    message: PAGE.otherPerson("bob"),
  });
  answer = () => Response.json({ code: "credential_missing" }, { status: 401 });
  expect(await errorOf(requirePerson(ann))).toMatchObject({ code: "credential_missing", kind: "credential" });
});
