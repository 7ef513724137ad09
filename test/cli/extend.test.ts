import { expect, test } from "bun:test";
import { Credential } from "../../src/contract/credentials.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { exampleOf } from "../support/clients.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

/** Somebody who has sent a secret. */
async function openSender() {
  const folder = temporaryFolder();
  const server = await startTestServer({ policy: { maxClaims: 5, maxTtlSeconds: 604_800 } });
  const { token } = await server.backend.mint();
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const run = (args: readonly string[], stdin = "") => runHere(args, env, stdin);
  const { stdout } = await run(["send", "--json", "--expires", "1h"], "precious");
  const { id, url, expires_at: expiresAt } = JSON.parse(stdout);
  return {
    id: id as string,
    url: url as string,
    expiresAt: expiresAt as string,
    server,
    run,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test("a secret gets a longer life and more openings, by its ID, its end or its link", async () => {
  await using sender = await openSender();
  const longer = JSON.parse((await sender.run(["extend", "--json", sender.id, "--expires", "7d"])).stdout);
  expect(longer).toMatchObject({ id: sender.id, max_claims: 1 });
  expect(Date.parse(longer.expires_at) - Date.parse(sender.expiresAt)).toBeGreaterThan(6 * 86_400_000);
  expect(await sender.run(["extend", sender.id.slice(-6), "--claims", "2"])).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: expect.stringMatching(/^sec_\w+ can be opened 2 times until .*\.\n$/),
  });
  await sender.run(["open", "-", "--yes"], sender.url);
  expect(await sender.run(["extend", "--claims", "+1"], sender.url)).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(" can be opened 2 times more until "),
  });
  expect((await sender.run(["status", sender.id])).stdout).toMatch(/^  .* +changed with an API key/m);
});

test("what can't be is refused with the reason", async () => {
  await using sender = await openSender();
  const { id } = JSON.parse((await sender.run(["request", "--json"])).stdout);
  await sender.run(["send"], "another");
  for (const [args, exitCode, said] of [
    [[sender.id], 2, "give --expires, --claims or both"],
    [[sender.id, "--claims", "0"], 2, "--claims must be 1 or more."],
    [[sender.id, "--claims", "+0"], 2, "--claims must be 1 or more."],
    [[sender.id, "--claims", "++1"], 2, "--claims must be 1 or more."],
    [[sender.id, "--claims", "+5"], 2, "The number of claims must be 1 to 5."],
    [[sender.id, "--expires", "8d"], 2, "The lifetime must be 1 minute to 7 days."],
    [[id, "--claims", "2"], 2, "This isn't the ID of a secret."],
    [[sender.url.replace(sender.server.url, "https://handoff.example"), "--claims", "2"], 2, "of another server"],
  ] as const) {
    const { exitCode: ended, stderr } = await sender.run(["extend", ...args]);
    expect({ args, ended, said: stderr.includes(said) ? said : stderr }).toEqual({ args, ended: exitCode, said });
  }
  const several = JSON.parse((await sender.run(["send", "--json", "--claims", "4"], "precious")).stdout);
  for (const times of ["once", "2 times"]) {
    await sender.run(["open", "-", "--yes"], several.url);
    const { exitCode, stderr } = await sender.run(["extend", several.id, "--claims", "1"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(`It has been opened ${times} already. Give --claims ${times === "once" ? 2 : 3}`),
    });
    expect(stderr).not.toContain("version");
  }
  const asked = JSON.parse((await sender.run(["request", "--json"])).stdout);
  const handedIn = JSON.parse((await sender.run(["submit", "--json", asked.url], "precious")).stdout);
  expect(await sender.run(["extend", handedIn.secret_id, "--claims", "2"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("It was handed in for a request, and can't be extended."),
  });
  await sender.run(["revoke", sender.id]);
  expect(await sender.run(["extend", sender.id, "--claims", "2"])).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("Can't extend: it was revoked."),
  });
});

test("after an unknown outcome, '+N' isn't said to do no harm, and what sets a number is", async () => {
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ method, url }) {
      if (method !== "GET") return Response.json({ code: "internal", outcome: "unknown" }, { status: 500 });
      return Response.json(url.endsWith("/credential") ? exampleOf(Credential) : exampleOf(Secret));
    },
  });
  const env = { HANDOFF_URL: server.url.origin, HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG" };
  const id = exampleId("secret");
  const doubt = "It's not known whether the secret was changed.";
  const more = await runHere(["extend", id, "--claims", "+1"], env);
  expect(more.stderr).toContain(
    `${doubt} Look with 'handoff status ${id}' first: running the same command again adds to what is there then.`,
  );
  const all = await runHere(["extend", id, "--claims", "2"], env);
  expect(all.stderr).toContain(`${doubt} Run the same command again, which does no harm.`);
});
