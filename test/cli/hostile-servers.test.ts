import { expect, test } from "bun:test";
import { join } from "node:path";
import { ERROR_STATUSES } from "../../src/contract/error-codes.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { Secret } from "../../src/contract/secrets.ts";
import { exampleOf } from "../support/clients.ts";
import { PROSE_PATTERN, startHostileServer } from "../support/hostile-servers.ts";
import type { Mood } from "../support/hostile-servers.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const MOODS: readonly Mood[] = ["decorated", "failing", "time", "name", "state", "type", "url", "words"];
const COMMANDS = [
  ["whoami"],
  ["list"],
  ["approve"],
  ["events"],
  ["status", exampleId("secret")],
  ["status", exampleId("request")],
  ["revoke", exampleId("secret")],
  ["send", "--env", "HANDOFF_URL"],
  ["request", "--note", "x"],
] as const;

test.each(MOODS)(
  "no word of a server that is %s reaches a terminal or a script",
  async (mood) => {
    using folder = temporaryFolder();
    using server = startHostileServer(mood);
    const env = {
      HANDOFF_URL: server.url.origin,
      HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG",
    };
    const calls = COMMANDS.flatMap((args) => [[...args], [...args, "--json"]]);
    // Each with a state of its own: the server gives every request the same id, and a key is never overwritten.
    const results = await Promise.all(
      calls.map(async (args, i) => ({ args, ...(await runHere(args, { ...env, HOME: join(folder.path, `${i}`) })) })),
    );
    for (const { args, stdout, stderr } of results) {
      expect({ args, said: PROSE_PATTERN.exec(stdout + stderr)?.[0] }).toEqual({ args, said: undefined });
    }
    if (mood === "decorated" || mood === "url") {
      expect(results.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    }
  },
  120_000,
);

test.each(["secret_claimed", "secret_expired", "secret_revoked", "not_found"] as const)(
  "a secret that the server shows as available, and refuses to hand out as %s, is gone",
  async (code) => {
    using folder = temporaryFolder();
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ method }) =>
        method === "GET"
          ? Response.json(exampleOf(Secret))
          : Response.json({ code }, { status: ERROR_STATUSES[code], headers: { "content-type": "application/json" } }),
    });
    const link = `${server.url.origin}/s/${exampleId("secret")}#1.${"A".repeat(22)}`;

    for (const args of [
      ["open", "-", "--yes"],
      ["run", "--env", "X=@-", "--", "true"],
    ]) {
      const { exitCode, stderr } = await runHere(args, { HOME: folder.path, PATH: process.env["PATH"] ?? "" }, link);
      expect({ args, exitCode, stderr }).toMatchObject({
        args,
        exitCode: 4,
        stderr: expect.not.stringContaining("Something went wrong"),
      });
    }
  },
);
