import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packTar } from "modern-tar";
import { createHttpClient } from "../../src/client/http-client.ts";
import { toLargeFiles } from "../../src/client/large/sends.ts";
import { submitLargeSecret } from "../../src/client/large/submissions.ts";
import { getInvitation } from "../../src/client/requests.ts";
import { deriveRequestKeys, parseRequestLink } from "../../src/crypto/request-links.ts";
import { streamOf } from "../support/byte-streams.ts";
import { KIB, openLargePlace, randomBytes, tree } from "../support/large-places.ts";

type Place = Awaited<ReturnType<typeof openLargePlace>>;

/** Makes a request on the command line. Returns its link, in a file too, and its id. */
async function ask(place: Place, args: readonly string[] = []) {
  const link = await place.must(["request", ...args]);
  return { link, id: parseRequestLink(link).id, file: place.write(`link-${parseRequestLink(link).id}`, link) };
}

/** Hands in these bytes, whatever they are. */
async function handIn({ server }: Place, text: string, plaintext: Uint8Array) {
  const link = parseRequestLink(text);
  const { submitToken } = await deriveRequestKeys(link.seed);
  const client = createHttpClient({ baseUrl: server.url, credential: submitToken, isOfLink: true });
  const { recipient } = await getInvitation(client, link);
  const content = { ...(await toLargeFiles([])), plaintext: async () => streamOf(plaintext), bytes: plaintext.length };
  const keep = () => Promise.reject(new Error("its length is known"));
  return submitLargeSecret(client, { requestId: link.id, recipient, content, keep });
}

test("what is too large for one envelope is handed in and collected like everything else", async () => {
  await using place = await openLargePlace();
  const content = randomBytes(2000 * KIB);
  mkdirSync(place.path("sent"));
  writeFileSync(place.path("sent/large.bin"), content);
  writeFileSync(place.path("sent/.hidden"), "text");

  const files = await ask(place);
  await place.must(["submit", "--link-file", files.file, place.path("sent")]);
  const out = place.path("out");
  const shown = JSON.parse(await place.must(["collect", files.id, "--json", "--output", out]));
  expect(shown).toEqual({ kind: "files", paths: [join(out, "sent/_.hidden"), join(out, "sent/large.bin")] });
  expect(new Uint8Array(readFileSync(join(out, "sent/large.bin")))).toEqual(content);

  const piped = await ask(place);
  await place.must(["submit", "--link-file", piped.file], { stdin: content });
  await place.must(["collect", piped.id, "--output", place.path("file")]);
  expect(new Uint8Array(readFileSync(place.path("file")))).toEqual(content);

  // Of what is near the limit, only encrypting it shows whether it fits.
  const near = await ask(place);
  await place.must(["submit", "--link-file", near.file, place.write("near", content.subarray(0, 60 * KIB))]);
  await place.must(["collect", near.id, "--output", place.path("near-out")]);
  expect(readFileSync(place.path("near-out/near"))).toHaveLength(60 * KIB);
}, 30_000);

test("with the link on a terminal, the secret may come from a pipe of any length", async () => {
  await using place = await openLargePlace();
  const { link, id } = await ask(place);
  const content = randomBytes(1000 * KIB);
  await place.must(["submit"], { stdin: content, answers: [link] });
  await place.must(["collect", id, "--output", place.path("out")]);
  expect(new Uint8Array(readFileSync(place.path("out")))).toEqual(content);
});

test("of a request for several secrets, each goes into a directory of its own, large or small", async () => {
  await using place = await openLargePlace();
  const { file, id } = await ask(place, ["--submissions", "4"]);
  const large = place.write("large", randomBytes(200 * KIB));
  await place.must(["submit", "--link-file", file, large]);
  await place.must(["submit", "--link-file", file], { stdin: "small" });
  await place.must(["submit", "--link-file", file], { stdin: randomBytes(300 * KIB) });
  const out = place.path("out");
  expect((await place.call(["collect", id, "--output", out])).exitCode).toBe(0);
  const names = tree(out).map((each) => each.replace(/^sec_\w+/, "sec"));
  expect(names.toSorted()).toEqual(["sec", "sec", "sec", "sec/large", "sec/secret.bin", "sec/secret.txt"]);
});

test("what can't be opened is set aside, and doesn't keep the others from being collected", async () => {
  await using place = await openLargePlace();
  const { link, file, id } = await ask(place, ["--submissions", "3"]);
  const symlink = { header: { name: "l", size: 0, type: "symlink" as const, linkname: "/etc" } };
  const whole = { header: { name: "ok", size: 100 * KIB }, body: randomBytes(100 * KIB) };
  await handIn(place, link, await packTar([whole, symlink]));
  await handIn(place, link, (await packTar([whole])).subarray(0, 60_000));
  await place.must(["submit", "--link-file", file, place.write("good", randomBytes(100 * KIB))]);
  const out = place.path("out");
  const { exitCode, said } = await place.call(["collect", id, "--output", out]);
  expect({ exitCode, said }).toEqual({
    exitCode: 5,
    said: expect.stringMatching(/has links or devices.*It was set aside; ask for it to be handed in again\./),
  });
  // Each of them has to be asked for again.
  expect(said.match(/Can't open what was handed in as sec_\w+\..*It was set aside/g)).toHaveLength(2);
  expect(tree(out).map((each) => each.replace(/^sec_\w+/, "sec"))).toEqual(["sec", "sec/good"]);
  // Nothing is tried again.
  expect(await place.call(["collect", id, "--output", out])).toMatchObject({ exitCode: 4 });
});

test("a field of a large submission is refused, before it is used up", async () => {
  await using place = await openLargePlace();
  const { link, id } = await ask(place, ["--field", "password"]);
  await handIn(place, link, randomBytes(100 * KIB));
  const { exitCode, said } = await place.call(["collect", id, "--field", "password"]);
  expect({ exitCode, said }).toEqual({ exitCode: 2, said: expect.stringContaining("too large to have fields") });
  await place.must(["collect", id, "--output", place.path("out")]);
});

test("what the server doesn't take is refused with a sentence", async () => {
  for (const [policy, text] of [
    [{ maxSecretBytes: 500 * KIB }, "This is too large: the limit is about 500.0 KiB."],
    [{ maxSecretBytes: 0 }, "This is too large: the limit is about 48.0 KiB."],
    [{ maxSecretBytes: KIB }, "This is too large: the limit is about 48.0 KiB."],
    [{ teamQuotaBytes: 500 * KIB }, "The team's storage is full"],
  ] as const) {
    await using place = await openLargePlace(policy);
    const { file } = await ask(place);
    const stdin = randomBytes(1000 * KIB);
    for (const args of [[place.write("file", stdin)], []]) {
      const refused = await place.call(["submit", "--link-file", file, ...args], { stdin });
      expect({ ...refused, asked: [] }).toEqual({
        exitCode: 1,
        stdout: "",
        asked: [],
        said: expect.stringContaining(text),
      });
    }
  }
});
