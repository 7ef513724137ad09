import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packTar, type TarHeader } from "modern-tar";
import { sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { createShareSeed, deriveShareKeys, formatShareLink } from "../../src/crypto/share-links.ts";
import { jsonOf } from "../support/executions.ts";
import { openPlace, type Place } from "../support/people.ts";

/** A link to a secret that no client of ours would make. */
async function sendArchive(place: Place, headers: readonly Omit<TarHeader, "size">[]): Promise<string> {
  const entries = headers.map((header) => {
    const size = header.type === undefined || header.type === "file" ? 4 : 0;
    return { header: { ...header, size }, ...(size > 0 ? { body: "evil" } : {}) };
  });
  const seed = createShareSeed();
  const { agePassphrase, claimTokenHash } = await deriveShareKeys(seed);
  const envelope = await sealWithPassphrase(await packTar(entries), agePassphrase, 10);
  const { id } = await jsonOf(
    fetch(`${place.server.url}/api/v1/secrets?claim_token_hash=${claimTokenHash}`, {
      method: "POST",
      headers: { authorization: `Bearer ${await place.mint()}`, "content-type": "application/json" },
      body: JSON.stringify({ envelope }),
    }),
  );
  return formatShareLink({ baseUrl: place.server.url, id, seed, needsPassphrase: false });
}

test("whatever an archive says, nothing is written outside the folder", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  mkdirSync(join(bob.home, "out"));
  const archives: readonly (readonly Omit<TarHeader, "size">[])[] = [
    [{ name: "../evil" }],
    [{ name: join(bob.home, "evil") }],
    [{ name: "good" }, { name: "sub/../../evil" }],
    [{ name: "link", type: "symlink", linkname: ".." }, { name: "link/evil" }],
    [{ name: "hard", type: "link", linkname: "/etc/passwd" }],
    [{ name: "device", type: "character-device" }],
  ];
  for (const archive of archives) {
    const result = await bob.run(["open", "--yes", "--output", "out", await sendArchive(place, archive)]);
    expect({ archive, exitCode: result.exitCode, stdout: result.stdout }).toEqual({ archive, exitCode: 5, stdout: "" });
    expect(bob.files().filter((file) => !file.startsWith(".local/"))).toEqual([]);
  }
}, 30_000);

test("a link that is in the folder already leads nowhere", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  mkdirSync(join(bob.home, "out"));
  mkdirSync(join(bob.home, "elsewhere"));
  symlinkSync("../elsewhere", join(bob.home, "out/sub"));
  const link = await sendArchive(place, [{ name: "sub/evil" }]);
  const result = await bob.run(["open", "--yes", "--force", "--output", "out", link]);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("is a link");
  expect(bob.files().filter((file) => file.startsWith("elsewhere"))).toEqual([]);
  expect((await bob.run(["open", "--yes", "-o", "fresh", link])).exitCode).toBe(0);
});

test("names that deceive are written plainly", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const link = await sendArchive(place, [{ name: "invoice\u202Efdp.exe" }, { name: "a\u001b[2Jb" }]);
  const { exitCode, stderr } = await bob.run(["open", "--yes", "-o", "out", link]);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("\u001b");
  expect(bob.files()).toEqual(["out/a_[2Jb", "out/invoice_fdp.exe"]);
});
