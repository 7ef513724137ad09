import { expect, test } from "bun:test";
import { Credential } from "../../src/contract/credentials.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { CreatedRequest } from "../../src/contract/requests.ts";
import { CreatedSecret, Secret } from "../../src/contract/secrets.ts";
import { requestSecret } from "../../src/mcp/request-tools.ts";
import { sendText } from "../../src/mcp/send-tools.ts";
import { errorOf, exampleOf } from "../support/clients.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";
import { createTestWorkspace, runTool } from "../support/workspaces.ts";

const [ID, REQUEST_ID] = [exampleId("secret"), exampleId("request")];
/** A server that takes no terms: all live for a week, and can be used once. */
const SECRET = { ...exampleOf(CreatedSecret), max_claims: 5 };
const REQUEST = { ...exampleOf(CreatedRequest), max_submissions: 5 };

test("terms that a server didn't take are an error, which names what is stored", async () => {
  using folder = temporaryFolder();
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ method, url }) {
      if (url.endsWith("/credential")) return Response.json(exampleOf(Credential));
      if (method === "PATCH") return Response.json({ ...exampleOf(Secret), max_claims: 5 });
      return Response.json(url.includes("/requests") ? REQUEST : SECRET);
    },
  });
  const env = {
    HOME: folder.path,
    HANDOFF_URL: server.url.origin,
    HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG",
  };
  const cases = [
    [["send", "--claims", "1"], ID, "It can be used 5 times, not once."],
    [["send", "--expires", "1h"], ID, "not after 1 hour."],
    [["request", "--submissions", "1"], REQUEST_ID, "It can be used 5 times, not once."],
    [["send", "--for", "ann@example.com"], ID, "It's for everybody with the link, not for those alone that you named."],
    [["request", "--for", "*@example.com"], REQUEST_ID, "It's for everybody with the link, not for those alone that"],
    [["extend", ID, "--claims", "2"], ID, "It can be used 5 times, not 2 times."],
  ] as const;
  for (const [args, id, said] of cases) {
    const { exitCode, stdout, stderr } = await runHere(args, env, "precious");
    expect({ args, exitCode, stdout, stderr }).toEqual({
      args,
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining(said),
    });
    expect(stderr).toContain(`Revoke ${id} unless you want it so.`);
  }
  for (const args of [["send", "--claims", "5"], ["send"]]) {
    expect(await runHere(args, env, "precious")).toMatchObject({ exitCode: 0 });
  }
});

test("an agent gets no link with other terms either", async () => {
  const workspace = createTestWorkspace({
    answers: { getCredential: () => exampleOf(Credential), createSecret: () => SECRET, createRequest: () => REQUEST },
  });
  for (const [tool, input] of [
    [sendText, { text: "x", max_claims: 1 }],
    [sendText, { text: "x", for: ["ann@example.com"] }],
    [requestSecret, { max_submissions: 1 }],
    [requestSecret, { for: ["ann@example.com"] }],
  ] as const) {
    expect(await errorOf(runTool(tool, input, workspace))).toMatchObject({ code: "other_terms" });
  }
});
