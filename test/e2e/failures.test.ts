import { expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "../support/certificates.ts";
import { sendLocked } from "../support/foreign-secrets.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { openPerson, openPlace } from "../support/people.ts";
import type { Outcome } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** A failure: the call, its exit code, its text, and its code for scripts. */
type Failure = readonly [
  args: readonly string[],
  exitCode: number,
  says: RegExp,
  code: string,
  env?: Record<string, string>,
];

test("every failure is explained in plain words, with an exit code of its kind, and as JSON for scripts", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const take = async (stdin: string) => ann.must(["send"], { stdin });
  const link = await take("text");
  const claimed = await take("text");
  await ann.must(["open", "--yes", claimed]);
  const revoked = await take("text");
  await ann.must(["revoke", revoked]);
  await Bun.write(join(ann.home, "wrong"), "wrong\n");
  await Bun.write(join(ann.home, "right"), "right\n");
  const locked = await sendLocked(place, { kind: "text", text: "text" }, "right");
  const tampered = link.replace(/.(?=\.t$)/, (last) => (last === "A" ? "Q" : "A"));
  const misnamed = link.replace(/(?<=sec_.{10})./, (digit) => (digit === "0" ? "1" : "0"));
  const { origin, port } = new URL(place.server.url);
  const elsewhere = (url: string) => ({ HANDOFF_URL: url });
  using stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("<h1>It works</h1>") });
  const failures: readonly Failure[] = [
    [["open", "--yes", claimed], 4, /was opened at \d\d:\d\d\. If that wasn't you/, "secret_claimed"],
    [["open", "--yes", revoked], 4, /was revoked at \d\d:\d\d\. Ask the sender/, "secret_revoked"],
    [["open", "--yes", link.replace(/#.*/, "")], 2, /The key is missing/, "usage"],
    [["open", "--yes", link.slice(0, -5)], 2, /incomplete/, "usage"],
    [["open", "--yes", `${link}&x`], 2, /extra characters/, "usage"],
    [["open", "--yes", "not-a-link"], 2, /not a link to a secret/, "usage"],
    [["open", "--yes", tampered], 4, /This link doesn't work: it's mistyped/, "credential_invalid"],
    [["open", "--yes", misnamed], 4, /This link doesn't work: it's mistyped/, "not_found"],
    [["open", "--yes", link.replace(`:${port}`, ":1")], 6, /Can't reach the server/, "connection_failed"],
    [
      ["open", "--yes", link.replace(origin, "http://handoff.invalid")],
      2,
      /begins with http:\/\/, so anyone/,
      "insecure_url",
    ],
    [
      ["open", "--yes", link.replace(origin, "https://handoff.invalid")],
      6,
      /Can't find the server|Can't reach the server/,
      "*",
    ],
    [["open", link], 2, /add --yes/, "usage"],
    [["open", "--yes", locked], 2, /give it with --passphrase-file/, "usage"],
    [
      ["open", "--yes", locked, "--passphrase-file", "wrong"],
      5,
      /cannot be decrypted: the link, passphrase or key/,
      "decryption_failed",
    ],
    [["open", "--yes", link, "--output", "right/below"], 2, /isn't a directory/, "usage"],
    [["open", "--yes", "--identity", "right", "sec_069q6gv7k1rqf8a0c2m4e6g8io"], 2, /no age identity/, "usage"],
    [["status", "sec_069q6gv7k1rqf8a0c2m4e6g8io"], 4, /Not found/, "not_found"],
    [["list"], 2, /No server is set\. Run 'handoff login'/, "usage", { HANDOFF_URL: "", HANDOFF_API_KEY: "" }],
    [["list"], 3, /No API key for http/, "credential", { HANDOFF_API_KEY: "" }],
    [["list"], 3, /HANDOFF_API_KEY isn't an API key/, "credential", { HANDOFF_API_KEY: "hak_mistyped" }],
    [
      ["list"],
      3,
      /another kind of token/,
      "credential",
      { HANDOFF_API_KEY: "hct_000000000000000000000000000000004WxP0Q" },
    ],
    [
      ["list"],
      3,
      /isn't valid/,
      "credential_invalid",
      { HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG" },
    ],
    [
      ["list"],
      3,
      /scope secrets:read/,
      "insufficient_scope",
      { HANDOFF_API_KEY: await place.mint(["secrets:create"]) },
    ],
    [
      ["list"],
      2,
      /must begin with https.*It looks like https:\/\/handoff\.example/,
      "invalid_url",
      elsewhere("handoff.example"),
    ],
    [["list"], 2, /begins with http:/, "insecure_url", elsewhere("http://10.0.0.1")],
    [["list"], 6, /isn't a handoff server.*HTTP 200/, "unexpected_answer", elsewhere(stranger.url.origin)],
    [["list", "--limit", "many"], 2, /--limit must be 1 or more/, "usage"],
    [["list", "--state", "gone"], 2, /--state must be one of: waiting, .* Try 'handoff help list'/, "usage"],
    [["frobnicate"], 2, /no command 'frobnicate'/, "usage"],
    [["help", "frobnicate"], 2, /no command or topic 'frobnicate'/, "usage"],
  ];
  for (const [args, exitCode, says, code, env = {}] of failures) {
    const plain = await ann.run(args, { env });
    check(args, plain, exitCode);
    expect({ args, said: plain.stderr }).toEqual({ args, said: expect.stringMatching(says) });
    const json = await ann.run([...args, "--json"], { env });
    check(args, json, exitCode);
    if (args[0] === "frobnicate" || args[0] === "help") continue;
    const { error } = JSON.parse(json.stderr);
    expect({ args, exit: error.exit_code, code: code === "*" ? "*" : error.code }).toEqual({
      args,
      exit: exitCode,
      code,
    });
  }
  // None of these calls has used anything up.
  expect(await ann.must(["open", "--yes", link])).toBe("text");
  expect(await ann.must(["open", "--yes", locked, "--passphrase-file", "right"])).toBe("text");
}, 180_000);

/** Checks what holds for every failure: standard output is empty, and errors contain no link or key. */
function check(args: readonly string[], { exitCode: actual, stdout, stderr }: Outcome, exitCode: number): void {
  expect({ args, actual, stdout, stderr }).toEqual({ args, actual: exitCode, stdout: "", stderr });
  expect(stderr).not.toMatch(/#1p?\.\w|hak_[0-9A-Za-z]{38}|hct_|^\s+at |node:|\$bunfs/m);
}

test("an untrusted certificate is refused, and accepted once its CA is trusted", async () => {
  using folder = temporaryFolder();
  const { cert, key } = makeCertificate(folder.path);
  await using place = await openPlace(["--tls-cert", cert, "--tls-key", key]);
  const ann = await place.member("ann");
  const refused = await ann.run(["whoami"]);
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toMatch(/Can't verify the server's certificate.*NODE_EXTRA_CA_CERTS/);
  // Certificates are checked, whatever the environment says.
  expect((await ann.run(["whoami"], { env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" } })).exitCode).toBe(6);
  const env = { NODE_EXTRA_CA_CERTS: cert };
  const link = await ann.must(["send"], { stdin: "over TLS", env });
  expect(link).toStartWith("https://");
  expect(await ann.must(["open", "--yes", link], { env })).toBe("over TLS");
}, 30_000);

test("a key or login that other users can read is refused", async () => {
  using folder = temporaryFolder();
  await using place = await openPlace();
  const ann = openPerson(join(folder.path, "ann"));
  const key = join(ann.home, "key");
  await Bun.write(key, await place.mint());
  const env = { HANDOFF_URL: place.server.url, HANDOFF_API_KEY_FILE: key };
  chmodSync(key, 0o640);
  const refused = await ann.run(["whoami"], { env });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`chmod 600 '${key}'`);
  chmodSync(key, 0o600);
  expect(await ann.must(["whoami"], { env })).toContain("team");
  // As in a container: owned by root, and read-only.
  for (const mode of [0o440, 0o444]) {
    chmodSync(key, mode);
    expect(await ann.must(["whoami"], { env })).toContain("team");
    chownSync(key, 65534, 65534);
    expect((await ann.run(["whoami"], { env })).exitCode).toBe(2);
    chownSync(key, 0, 0);
  }
  for (const mode of [0o644, 0o460, 0o444 | 0o111]) {
    chmodSync(key, mode);
    expect({ mode, exitCode: (await ann.run(["whoami"], { env })).exitCode }).toEqual({ mode, exitCode: 2 });
  }
  // Or owned by anybody, on a read-only mount.
  using disk = mountTmpfs("1m");
  const mounted = join(disk.path, "key");
  copyFileSync(key, mounted);
  chmodSync(mounted, 0o444);
  chownSync(mounted, 65534, 65534);
  const onMount = { env: { ...env, HANDOFF_API_KEY_FILE: mounted } };
  expect((await ann.run(["whoami"], onMount)).exitCode).toBe(2);
  await Bun.$`mount -o remount,ro ${disk.path}`;
  expect(await ann.must(["whoami"], onMount)).toContain("team");
  const missing = await ann.run(["whoami"], { env: { ...env, HANDOFF_API_KEY_FILE: "absent" } });
  expect(missing.stderr).toContain("there is no file 'absent'");

  mkdirSync(join(ann.home, ".config/handoff"), { recursive: true });
  const login = join(ann.home, ".config/handoff/login.json");
  await Bun.write(login, JSON.stringify({ url: place.server.url, api_key: "x" }));
  chmodSync(login, 0o644);
  expect((await ann.run(["whoami"])).stderr).toContain(`chmod 600 '${login}'`);
  chmodSync(login, 0o600);
  await Bun.write(login, "{");
  expect((await ann.run(["whoami"])).stderr).toContain("is damaged");
}, 30_000);
