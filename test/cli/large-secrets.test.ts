import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import type { TarHeader } from "modern-tar";
import { run } from "../../src/cli/run.ts";
import { open } from "../../src/client/package/handoff-client.ts";
import { errorOf } from "../support/clients.ts";
import { KIB, openLargePlace, randomBytes, tree } from "../support/large-places.ts";
import { createTestTerminal } from "../support/terminals.ts";

test("files that are too large for one envelope are sent and opened like all others", async () => {
  await using place = await openLargePlace();
  // One that is read whole, because only encrypting shows whether it fits, and one that never is.
  for (const bytes of [100 * KIB, 3000 * KIB]) {
    const sent = place.path(`sent-${bytes}`);
    mkdirSync(join(sent, "empty"), { recursive: true });
    const content = randomBytes(bytes);
    writeFileSync(join(sent, "large.bin"), content, { mode: 0o755 });
    writeFileSync(join(sent, ".hidden"), "text");
    const link = await place.must(["send", sent, "--reference", "OPS-1", "--claims", "2"]);
    expect(await place.stateOf(link)).toMatchObject({ envelope_version: 2, reference: "OPS-1", max_claims: 2 });
    const [safe, exact] = [place.path(`safe-${bytes}`), place.path(`exact-${bytes}`)];
    const shown = JSON.parse(await place.must(["open", "--yes", "--json", "--output", safe, link]));
    const name = `sent-${bytes}`;
    expect(shown).toEqual({ kind: "files", paths: [join(safe, name, "_.hidden"), join(safe, name, "large.bin")] });
    expect(tree(safe)).toEqual([name, `${name}/_.hidden`, `${name}/empty`, `${name}/large.bin`]);
    expect(new Uint8Array(readFileSync(join(safe, name, "large.bin")))).toEqual(content);
    expect(statSync(join(safe, name, "large.bin")).mode & 0o777).toBe(0o600);
    await place.must(["open", "--yes", "--exact-names", "--output", exact, link]);
    expect(tree(exact)).toEqual([name, `${name}/.hidden`, `${name}/empty`, `${name}/large.bin`]);
    expect(statSync(join(exact, name, "large.bin")).mode & 0o777).toBe(0o700);
    expect((await place.call(["open", "--yes", "--output", safe, link])).exitCode).toBe(4);
  }
}, 30_000);

test("small content is sent as before", async () => {
  await using place = await openLargePlace();
  const file = place.write("small", randomBytes(40 * KIB));
  for (const link of [await place.must(["send", file]), await place.must(["send"], { stdin: "x".repeat(40 * KIB) })]) {
    expect(await place.stateOf(link)).toMatchObject({ envelope_version: 1 });
  }
});

test("standard input of any length is sent, and comes as bytes or text", async () => {
  await using place = await openLargePlace();
  const text = "some text\n".repeat(200 * KIB);
  for (const [stdin, kind] of [
    [randomBytes(2000 * KIB), "binary"],
    [text, "text"],
    [randomBytes(100 * KIB), "binary"],
  ] as const) {
    const link = await place.must(["send", "--claims", "3"], { stdin });
    expect(await place.stateOf(link)).toMatchObject({ envelope_version: 2 });
    const folder = `${place.path(`${kind}-${stdin.length}`)}/`;
    const file = place.path(`file-${kind}-${stdin.length}`);
    const [name, whole] = [kind === "text" ? "secret.txt" : "secret.bin", Buffer.from(stdin as string)];
    expect(JSON.parse(await place.must(["open", "--yes", "--json", "-o", folder, link]))).toEqual({
      kind,
      paths: [join(folder, name)],
    });
    expect(Buffer.compare(readFileSync(join(folder, name)), whole)).toBe(0);
    await place.must(["open", "--yes", "-o", file, link]);
    expect(Buffer.compare(readFileSync(file), whole)).toBe(0);
    const printed = createTestTerminal({ env: place.env });
    expect(await run(["open", "--yes", "-o", "-", link], printed)).toBe(0);
    expect(printed.output() === whole.toString()).toBe(true);
  }
  // Nothing of it is left.
  expect(tree(place.path(".local/state/handoff")).filter((each) => each.includes("sending"))).toEqual([]);
}, 30_000);

test("an archive on standard input is refused when it is too large, before all of it is read", async () => {
  await using place = await openLargePlace();
  const archive = await packTar([{ header: { name: "a", size: 2000 * KIB }, body: randomBytes(2000 * KIB) }]);
  const { exitCode, said } = await place.call(["send"], { stdin: archive });
  expect({ exitCode, said }).toEqual({ exitCode: 2, said: expect.stringContaining("Save it to a file") });
  // As a file it is one.
  const link = await place.must(["send", place.write("a.tar", archive)]);
  const printed = createTestTerminal({ env: place.env });
  expect(await run(["open", "--yes", "-o", "-", link], printed)).toBe(0);
  expect(printed.output() === Buffer.from(archive).toString()).toBe(true);
});

test("of a folder that can't be read, the file is named", async () => {
  await using place = await openLargePlace();
  const folder = place.path("folder");
  mkdirSync(folder);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.of(0xff)]), "x");
  const { exitCode, said } = await place.call(["send", folder]);
  expect([exitCode, said]).toEqual([2, expect.stringContaining("folder/bad�': it's gone, or its name isn't UTF-8")]);
});

test("whoami shows how much can be sent", async () => {
  for (const [maxSecretBytes, text] of [
    [5 * 1024 ** 3, "5.0 GiB"],
    [0, "48.0 KiB"],
    [KIB, "48.0 KiB"],
  ] as const) {
    await using place = await openLargePlace({ maxSecretBytes });
    expect(await place.must(["whoami"])).toMatch(new RegExp(`largest secret +${text}`));
  }
});

test("what a server or a quota doesn't take is refused with a sentence", async () => {
  for (const [policy, text] of [
    [{ maxSecretBytes: 1000 * KIB }, "This is too large: the limit is about 1000.0 KiB."],
    [{ maxSecretBytes: 0 }, "This is too large: the limit is about 48.0 KiB."],
    [{ maxSecretBytes: KIB }, "This is too large: the limit is about 48.0 KiB."],
    [{ teamQuotaBytes: 1000 * KIB }, "team"],
  ] as const) {
    await using place = await openLargePlace(policy);
    const file = place.write("file", randomBytes(2000 * KIB));
    for (const each of [await place.call(["send", file]), await place.call(["send"], { stdin: readFileSync(file) })]) {
      expect(each).toEqual({ exitCode: 1, stdout: "", asked: [], said: expect.stringContaining(text) });
    }
  }
});

test("a passphrase is asked for again without another claim", async () => {
  await using place = await openLargePlace();
  const content = randomBytes(100 * KIB);
  const pass = place.write("pass", "a long passphrase\n");
  const link = await place.must(["send", "--passphrase-file", pass, place.write("file", content)]);
  const options = { isTerminal: { in: true, out: true, err: true }, answers: ["wrong", "a long passphrase"] };
  const { exitCode, said, asked } = await place.call(["open", "--yes", "-o", place.path("out"), link], options);
  expect({ exitCode, said }).toEqual({ exitCode: 0, said: expect.stringContaining("That passphrase doesn't work.") });
  expect(asked).toHaveLength(2);
  expect(new Uint8Array(readFileSync(place.path("out/file")))).toEqual(content);
  expect(await place.stateOf(link)).toMatchObject({ state: "claimed", claims: 1 });
});

test("nothing is overwritten, and after a mistake the same command has it", async () => {
  await using place = await openLargePlace();
  const content = randomBytes(100 * KIB);
  const sent = place.path("sent");
  mkdirSync(sent);
  writeFileSync(join(sent, "file"), content);
  writeFileSync(join(sent, "other"), "other");
  const link = await place.must(["send", sent]);
  const out = place.path("out");
  mkdirSync(join(out, "sent"), { recursive: true });
  // The same file is no hindrance.
  writeFileSync(join(out, "sent/other"), "other");
  writeFileSync(join(out, "sent/file"), "mine");
  const refused = await place.call(["open", "--yes", "--output", out, link]);
  expect(refused).toMatchObject({ exitCode: 1, said: expect.stringMatching(/already exists.* before \d\d:\d\d/) });
  expect(tree(out)).toEqual(["sent", "sent/file", "sent/other"]);
  expect(readFileSync(join(out, "sent/file"), "utf8")).toBe("mine");
  // A conflict that only the bytes show.
  writeFileSync(join(out, "sent/file"), new Uint8Array(content.length));
  expect(await place.call(["open", "--yes", "--output", out, link])).toMatchObject({ exitCode: 1 });
  expect(tree(out)).toEqual(["sent", "sent/file", "sent/other"]);
  expect(await place.call(["open", "--yes", "--output", join(out, "sent/file"), "--force", link])).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining("is a file"),
  });
  await place.must(["open", "--yes", "--output", out, "--force", link]);
  expect(tree(out)).toEqual(["sent", "sent/file", "sent/other"]);
  expect(new Uint8Array(readFileSync(join(out, "sent/file")))).toEqual(content);
  expect(await place.stateOf(link)).toMatchObject({ state: "claimed", claims: 1 });
});

test("standard output takes one file", async () => {
  await using place = await openLargePlace();
  const [a, b] = [place.write("a", randomBytes(100 * KIB)), place.write("b", randomBytes(100 * KIB))];
  mkdirSync(place.path("folder"));
  for (const [args, text] of [
    [[a, b], "several files"],
    [[place.path("folder"), a], "directory"],
  ] as const) {
    const link = await place.must(["send", ...args]);
    expect(await place.call(["open", "--yes", "-o", "-", link])).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining(text),
    });
    await place.must(["open", "--yes", "-o", place.path(`out-${args.length}-${text}`), link]);
  }
});

test("a hostile or damaged archive leaves nothing behind", async () => {
  await using place = await openLargePlace();
  const ok = { header: { name: "ok", size: 100 * KIB, type: "file" as const }, body: randomBytes(100 * KIB) };
  const bad: Partial<TarHeader>[] = [{ type: "symlink", linkname: "/etc" }, { name: "../up" }, { name: "/abs" }];
  const archives = await Promise.all(
    bad.map((header) => packTar([ok, { header: { name: "bad", size: 0, type: "file", ...header } }])),
  );
  const whole = await packTar([ok]);
  const cases = [
    ...archives.map((each) => [each, "unsafe_archive"] as const),
    [whole.subarray(0, 60_000), "damaged_archive"] as const,
    [new Uint8Array(Buffer.concat([whole, Buffer.from("more")])), "damaged_archive"] as const,
  ];
  for (const [archive, code] of cases) {
    const link = await place.plant(archive);
    const out = place.path("out");
    const { exitCode, stdout, said } = await place.call(["open", "--yes", "--json", "--output", out, link]);
    expect(exitCode, said).toBe(5);
    expect(`${stdout}${said}`).toContain(code);
    expect(tree(place.path()).filter((each) => !each.startsWith(".local"))).toEqual([]);
  }
});

test("what stops an archive at its beginning stops its download", async () => {
  await using place = await openLargePlace();
  const first = { header: { name: "first", size: 1 }, body: "1" };
  const large = { header: { name: "large", size: 6000 * KIB }, body: randomBytes(6000 * KIB) };
  const hostile = await packTar([first, { header: { name: "l", size: 0, type: "symlink", linkname: "/etc" } }, large]);
  const out = place.path("out");
  mkdirSync(out);
  const refused = await place.call(["open", "--yes", "--output", out, await place.plant(hostile)]);
  expect(refused).toMatchObject({ exitCode: 5, said: expect.stringContaining("links or devices") });
  writeFileSync(join(out, "first"), "mine");
  const conflicting = await place.plant(await packTar([first, large]));
  expect(await place.call(["open", "--yes", "--output", out, conflicting])).toMatchObject({
    exitCode: 1,
    said: expect.stringContaining("already exists"),
  });
  expect(tree(out)).toEqual(["first"]);
}, 20_000);

test("what is wrong with an archive is said in the same words when a part of it was printed", async () => {
  await using place = await openLargePlace();
  const first = { header: { name: "first", size: 3000 * KIB }, body: randomBytes(3000 * KIB) };
  const link = { header: { name: "l", size: 0, type: "symlink" as const, linkname: "/etc" } };
  const damaged = Buffer.concat([await packTar([first]), Buffer.from("JUNK".repeat(1000))]);
  const part = "Standard output got what came before that.";
  for (const [archive, words] of [
    [damaged, `is damaged: it was cut off, or has something behind its end. ${part} Ask for it to be sent again.`],
    [await packTar([first, link]), `has links or devices. ${part}`],
    [await packTar([first, { header: { name: "../up", size: 0 } }]), `does not stay inside its folder. ${part}`],
    [await packTar([link, first]), "has links or devices. Nothing was written."],
  ] as const) {
    const secret = await place.plant(new Uint8Array(archive));
    const { exitCode, said } = await place.call(["open", "--yes", "--output", "-", secret]);
    expect({ exitCode, said }).toEqual({
      exitCode: 5,
      said: expect.stringContaining(words),
    });
    expect(said.endsWith(words)).toBe(true);
  }
});

test("commands that take small secrets alone refuse a large one, and use nothing up", async () => {
  await using place = await openLargePlace();
  const link = await place.plant(randomBytes(100 * KIB));
  const small = await place.must(["send"], { stdin: "small" });
  const variables = [`A=@${place.write("small", small)}`, `B=@${place.write("link", link)}`];
  const { exitCode, said } = await place.call(["run", ...variables.flatMap((each) => ["--env", each]), "--", "true"]);
  expect({ exitCode, said }).toEqual({ exitCode: 1, said: expect.stringContaining("too large for this way to open") });
  // The one before it isn't used up for nothing.
  expect(await place.stateOf(small)).toMatchObject({ state: "available", claims: 0 });
  expect(await errorOf(open(link))).toMatchObject({ code: "envelope_version_unsupported" });
  expect(await place.stateOf(link)).toMatchObject({ state: "available", claims: 0 });
  // Nothing keeps 'handoff open' from it, which asks first.
  const asking = { isTerminal: { in: true, out: true, err: true }, answers: ["n"] };
  expect((await place.call(["open", link], asking)).asked).toHaveLength(1);
  await place.must(["open", "--yes", "--output", place.path("out"), link]);
});

test("a large secret is opened when its sender has let the recipient in, and nothing is used up before", async () => {
  await using place = await openLargePlace();
  const content = randomBytes(100 * KIB);
  const link = await place.must(["send", "--approval", "sender", place.write("file", content)]);
  const opening = ["open", "--yes", "--output", place.path("out"), link];
  expect(await place.call([...opening, "--timeout", "1s"])).toMatchObject({ exitCode: 7 });
  expect(await place.stateOf(link)).toMatchObject({ state: "available", claims: 0 });
  const [ask] = JSON.parse(await place.must(["approve", "--json"]));
  await place.must(["approve", ask.id]);
  await place.must(opening);
  expect(new Uint8Array(readFileSync(place.path("out/file")))).toEqual(content);
});
