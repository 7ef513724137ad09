import { expect, test } from "bun:test";
import { join } from "node:path";
import { openPlace } from "../support/people.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { startProgram } from "../support/running.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";

const TEXT = "fake-local-test-only";

/** Returns `link` for the server at `url`. */
const moved = (link: string, url: string) => link.replace(/^http:\/\/[^/]+/, url);

test("everything moves once no server runs, and then links, keys and requests work in PostgreSQL only", async () => {
  await using cluster = await sharedPostgres();
  await using place = await openPlace();
  const ann = await place.member("ann", ["secrets:create", "secrets:read", "requests:create", "requests:read"]);
  const [waiting, opened] = [await ann.must(["send"], { stdin: TEXT }), await ann.must(["send"], { stdin: TEXT })];
  const asked = await ann.must(["request"]);
  await ann.must(["open", "--yes", opened]);
  const [data, url] = [join(place.folder, "data"), urlOf(await cluster.makeDatabase())];
  const admin = place.person("admin");
  const move = ["admin", "move", "--to", url, "--yes", "--data-dir", data];
  const early = await admin.run(move);
  expect(early).toMatchObject({ exitCode: 1, stdout: "" });
  expect(early.stderr).toContain("another server runs on the data folder");
  expect(await ann.must(["send"], { stdin: TEXT })).toContain("/s/sec_");

  await place.server[Symbol.asyncDispose]();
  expect(await admin.run(move)).toMatchObject({ exitCode: 0, stdout: "" });
  const refused = await admin.run(["serve", "--listen", "127.0.0.1:0", "--data-dir", data]);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain(`was moved to '${url}'`);

  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", "--database", url]);
  const bob = place.person("bob");
  expect(await bob.must(["open", "--yes", moved(waiting, server.url)])).toBe(TEXT);
  for (const link of [waiting, opened]) {
    expect(await bob.run(["open", "--yes", moved(link, server.url)])).toMatchObject({ exitCode: 4, stdout: "" });
  }
  await bob.must(["submit", moved(asked, server.url)], { stdin: "answer" });
  const env = { HANDOFF_URL: server.url };
  const listed = JSON.parse(await ann.must(["list", "--json"], { env }));
  expect(listed.map(({ state }: { state: string }) => state).toSorted()).toEqual([
    "available",
    "available",
    "claimed",
    "claimed",
  ]);
});
