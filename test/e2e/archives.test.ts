import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import type { TarHeader } from "modern-tar";
import { sealWithPassphrase } from "../../src/crypto/envelopes.ts";
import { startAgent } from "../support/agents.ts";
import { sendForeign } from "../support/foreign-secrets.ts";
import { shareServer } from "../support/people.ts";
import type { Place } from "../support/people.ts";

const openPlace = shareServer();

/** A link to a secret that none of our clients would create. */
async function sendArchive(place: Place, headers: readonly Omit<TarHeader, "size">[]): Promise<string> {
  const entries = headers.map((header) => {
    const size = header.type === undefined || header.type === "file" ? 4 : 0;
    return { header: { ...header, size }, ...(size > 0 ? { body: "evil" } : {}) };
  });
  return sendForeign(place, async (agePassphrase) => sealWithPassphrase(await packTar(entries), agePassphrase, 10));
}

function modesOf(home: string, ...names: readonly string[]): string[] {
  return names.map((name) => (statSync(join(home, name)).mode & 0o7777).toString(8));
}

test("no archive can write outside its folder", async () => {
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

test("a symbolic link in the folder leads nowhere", async () => {
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

test("files without an output go into a new folder, where no program reads them as settings", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const hook = { name: ".git/hooks/pre-commit", mode: 0o4755 };
  const archive = [{ name: ".git/", type: "directory" as const, mode: 0o777 }, hook, { name: ".envrc" }];
  const open = async (...flags: string[]) => {
    const link = await sendArchive(place, archive);
    return { id: /sec_\w+/.exec(link)?.[0] ?? "", ...(await bob.run(["open", "--yes", ...flags], { stdin: link })) };
  };
  const safe = await open();
  expect(safe).toMatchObject({ exitCode: 8, stdout: "" });
  expect(safe.stderr).toStartWith(`The files are in the new directory '${join(bob.home, safe.id)}'.\n`);
  expect(bob.files()).toEqual([`${safe.id}/_.envrc`, `${safe.id}/_.git/hooks/pre-commit`]);
  expect(modesOf(bob.home, safe.id, `${safe.id}/_.git`, `${safe.id}/_.git/hooks/pre-commit`)).toEqual([
    "700",
    "700",
    "600",
  ]);
  const exact = await open("--exact-names", "--json");
  expect(exact).toMatchObject({ exitCode: 0, stderr: "" });
  const path = join(bob.home, exact.id, ".git/hooks/pre-commit");
  expect(JSON.parse(exact.stdout)).toEqual({ kind: "files", paths: [path, join(bob.home, exact.id, ".envrc")] });
  expect(
    modesOf(bob.home, exact.id, `${exact.id}/.git`, `${exact.id}/.git/hooks/pre-commit`, `${exact.id}/.envrc`),
  ).toEqual(["700", "700", "700", "600"]);
  const escaping = await sendArchive(place, [{ name: ".git/../../evil" }]);
  expect((await bob.run(["open", "--yes", "--exact-names"], { stdin: escaping })).exitCode).toBe(5);
  expect(bob.files().filter((file) => file.includes("evil"))).toEqual([]);
}, 30_000);

test("a submitted archive does not get into the folder when its text was expected", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  const bob = place.person("bob");
  const ask = async () => ann.must(["request"]);
  await Bun.write(join(bob.home, ".git/hooks/pre-commit"), "#!/bin/sh\n");
  chmodSync(join(bob.home, ".git/hooks/pre-commit"), 0o755);
  const [first, second] = [await ask(), await ask()];
  for (const link of [first, second]) {
    await Bun.write(join(bob.home, "link"), link);
    await bob.must(["submit", "--link-file", "link", ".git"]);
  }
  const id = (link: string) => /req_[0-9a-v]{26}/.exec(link)?.[0] ?? "";
  const ours = () => ann.files().filter((file) => !file.startsWith(".local/"));
  expect(await ann.run(["collect", id(first)])).toMatchObject({ exitCode: 8, stdout: "" });
  expect(ours()).toEqual([expect.stringMatching(/^sec_\w{26}\/_\.git\/hooks\/pre-commit$/)]);
  expect(modesOf(ann.home, ours()[0] ?? "")).toEqual(["600"]);
  rmSync(join(ann.home, ours()[0]?.split("/")[0] ?? ""), { recursive: true });
  // A folder of its own is just as safe.
  expect(await ann.must(["collect", id(second), "--output", "in"])).toBe("");
  expect(ours()).toEqual(["in/_.git/hooks/pre-commit"]);
}, 30_000);

test("the archive for an agent has no name or mode that programs act on", async () => {
  await using place = await openPlace();
  const bob = await place.member("bob");
  const link = await sendArchive(place, [
    { name: ".git/hooks/pre-commit", mode: 0o755 },
    { name: ".envrc", mode: 0o777 },
  ]);
  await using agent = await startAgent(bob);
  expect(await agent.must("open_to_file", { url: link, path: "in.tar" })).toMatchObject({ format: "tar" });
  const listed = await Bun.$`tar -tvf ${join(bob.home, "in.tar")}`.text();
  expect(listed.replace(/^(\S+).* (\S+)$/gm, "$1 $2")).toBe("-rw------- _.git/hooks/pre-commit\n-rw------- _.envrc\n");
}, 30_000);

test("an existing folder with that name is left alone", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const link = await sendArchive(place, [{ name: "Makefile" }]);
  const id = /sec_\w+/.exec(link)?.[0] ?? "";
  mkdirSync(join(bob.home, "elsewhere"));
  symlinkSync("elsewhere", join(bob.home, id));
  await Bun.write(join(bob.home, `${id}-2/mine`), "mine");
  const { exitCode, stderr } = await bob.run(["open", "--yes"], { stdin: link });
  expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringContaining(`${id}-3/Makefile`) });
  expect(bob.files()).toEqual([id, `${id}-2/mine`, `${id}-3/Makefile`]);
});

test("kept names cannot control the terminal, even in errors", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const name = "a\u001b[2Jb";
  await Bun.write(join(bob.home, "taken", name), "mine");
  for (const [output, exitCode] of [
    ["out", 0],
    ["taken", 1],
  ] as const) {
    const link = await sendArchive(place, [{ name }]);
    const result = await bob.run(["open", "--yes", "--exact-names", "-o", output], { stdin: link });
    expect({ exitCode: result.exitCode, stdout: result.stdout }).toEqual({ exitCode, stdout: "" });
    expect(result.stderr).toContain("a�[2Jb");
    expect(result.stderr).not.toContain("\u001b");
  }
  expect(bob.files()).toContain(`out/${name}`);
});

test("a file with the name of a folder, and files with one name, are all written", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const names = ["a/b", "a", "a", "AA:", "AA_", "a (2)"];
  const link = await sendArchive(
    place,
    names.map((name) => ({ name })),
  );
  await bob.must(["open", "--yes", "-o", "out"], { stdin: link });
  expect(bob.files().map((file) => file.slice(4))).toEqual(["AA_", "AA_ (2)", "a (2)", "a (2) (2)", "a (3)", "a/b"]);
});

test("deceptive names are written plainly", async () => {
  await using place = await openPlace();
  const bob = place.person("bob");
  const link = await sendArchive(place, [{ name: "invoice\u202Efdp.exe" }, { name: "a\u001b[2Jb" }]);
  const { exitCode, stderr } = await bob.run(["open", "--yes", "-o", "out", link]);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain("\u001b");
  expect(bob.files()).toEqual(["out/a_[2Jb", "out/invoice_fdp.exe"]);
});
