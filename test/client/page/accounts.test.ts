import { expect, test } from "bun:test";
import { createAccountClient } from "../../../src/client/page/accounts.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import type { Passkey, Session } from "../../../src/contract/persons.ts";
import { errorOf } from "../../support/clients.ts";

const ID = exampleId("session");
const AT = "2026-11-21T09:30:00.000Z";
const SESSION: Session = {
  id: ID,
  way: "passkey",
  browser: null,
  system: "Linux",
  created_at: AT,
  last_used_at: AT,
  expires_at: AT,
  is_current: true,
};
const PASSKEY: Passkey = {
  id: exampleId("passkey"),
  browser: "Chrome",
  system: "macOS",
  created_at: AT,
  last_used_at: null,
};

/** A client whose every call gets this answer, and what it has sent. */
function clientOf(answer: () => Response) {
  const sent: string[] = [];
  const client = createAccountClient("https://handoff.example/below", async (url, { method, body } = {}) => {
    sent.push([method, url, ...(typeof body === "string" ? [body] : [])].join(" "));
    return answer();
  });
  return { client, sent };
}

const problem = (code: string, status: number) => () => Response.json({ code }, { status });

test("sessions and passkeys are read, and an answer that doesn't fit is refused", async () => {
  const { way: _, ...seen } = SESSION;
  const { client, sent } = clientOf(() => Response.json({ data: [{ ...SESSION, way: "of a later version" }] }));
  expect(await client.listSessions()).toEqual([seen]);
  expect(await clientOf(() => Response.json({ data: [PASSKEY] })).client.listPasskeys()).toEqual([PASSKEY]);
  expect(sent).toEqual(["GET https://handoff.example/below/app/sessions"]);
  const wrong = [
    () => Response.json({ data: [{ ...SESSION, created_at: "yesterday" }] }),
    () => Response.json({ data: [{ ...SESSION, browser: "Fire\u202efox" }] }),
    () => Response.json({ data: SESSION }),
    () => new Response("<html>"),
  ];
  for (const answer of wrong) {
    expect(await errorOf(clientOf(answer).client.listSessions())).toMatchObject({ code: "unexpected_answer" });
  }
});

test("each change is one call, and what is gone already is no error", async () => {
  const { client, sent } = clientOf(() => new Response(null, { status: 204 }));
  await client.endSession(ID);
  await client.endOtherSessions();
  await client.removePasskey(PASSKEY.id);
  const added = clientOf(() => Response.json(PASSKEY, { status: 201 }));
  await added.client.addPasskey({ id: "x" }, "de");
  expect([...sent, ...added.sent].map((each) => each.replace("https://handoff.example/below/app", ""))).toEqual([
    `DELETE /sessions/${ID}`,
    "DELETE /sessions",
    `DELETE /passkeys/${PASSKEY.id}`,
    'POST /passkeys {"passkey":{"id":"x"},"language":"de"}',
  ]);
  const gone = clientOf(problem("not_found", 404)).client;
  await gone.endSession(ID);
  await gone.removePasskey(ID);
  expect(await errorOf(gone.listPasskeys())).toMatchObject({ code: "not_found" });
});

test("a failure has its code, and a server that is away one of a network", async () => {
  const codeOf = async (answer: () => Response) => {
    const { code, kind } = (await errorOf(clientOf(answer).client.endSession(ID))) as Error & {
      readonly code: string;
      readonly kind: string;
    };
    return [code, kind];
  };
  expect(await codeOf(problem("credential_missing", 401))).toEqual(["credential_missing", "credential"]);
  expect(await codeOf(problem("rate_limited", 429))).toEqual(["rate_limited", "network"]);
  expect(await codeOf(problem("schema_mismatch", 422))).toEqual(["schema_mismatch", "failure"]);
  expect(await codeOf(() => new Response("Bad Gateway", { status: 502 }))).toEqual(["gateway_unavailable", "network"]);
  // The code belongs to another status.
  expect(await codeOf(problem("not_found", 403))).toEqual(["unexpected_answer", "network"]);
  const lost = () => {
    throw Object.assign(new Error("refused"), { code: "ConnectionRefused" });
  };
  expect(await codeOf(lost)).toEqual(["connection_failed", "network"]);
});
