import { afterEach, beforeEach, expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { findPerson, requirePerson } from "../../../src/web/service/clients.ts";
import { STRINGS } from "../../../src/web/strings.ts";
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

test("who is signed in is asked of the site that the page is of", async () => {
  answer = () => Response.json({ credential: credentialOf(ID, "ann") });
  expect(await findPerson()).toMatchObject({ id: ID, credential: { identity: { name: "ann" } } });
  expect(server.asked).toEqual(["https://example.com/below/app/session"]);
});

test("a stranger is one by an answer that no browser logs", async () => {
  answer = () => Response.json({ credential: null });
  expect(await findPerson()).toBeUndefined();
  expect(server.asked).toEqual(["https://example.com/below/app/session"]);
});

test("nobody is signed in where the server takes no session, and any other failure is one", async () => {
  answer = () => Response.json({ code: "credential_missing" }, { status: 401 });
  expect(await findPerson()).toBeUndefined();
  answer = () => Response.json({ code: "internal_error" }, { status: 500 });
  expect(await errorOf(findPerson())).toBeDefined();
});

test("nothing is done in the name of somebody else", async () => {
  answer = () => Response.json(credentialOf(ID, "ann"));
  const ann = await findPerson();
  if (!ann) throw new Error("nobody is signed in");
  expect(await errorOf(requirePerson(ann))).toBeUndefined();
  answer = () => Response.json(credentialOf(ID.replace(/.$/, "0"), "bob"));
  expect(await errorOf(requirePerson(ann))).toMatchObject({
    code: "other_person",
    kind: "credential",
    message: STRINGS.otherPerson("bob"),
  });
  answer = () => Response.json({ code: "credential_missing" }, { status: 401 });
  expect(await errorOf(requirePerson(ann))).toMatchObject({ code: "credential_missing", kind: "credential" });
});
