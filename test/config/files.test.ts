import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "../../src/config/errors.ts";
import { explainSettings, loadSettings } from "../../src/config/load.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** A settings file with `text`, in a temporary folder. */
function configFile(text: string) {
  const folder = temporaryFolder();
  const path = join(folder.path, "handoff.toml");
  writeFileSync(path, text);
  return { path, folder: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const TEXT = `
# A comment
max-claims = 7
default-expires = "3d"
max-ciphertext = "1MiB"
replay-window = 60
require-encrypted = true
trusted-proxy = ["10.0.0.1", "unix"]
cors-origin = "https://a.example https://b.example"
`;

test("a settings file overrules defaults, the environment overrules the file, and a flag overrules both", () => {
  using file = configFile(TEXT);
  expect(loadSettings({ config: file.path }, {})).toMatchObject({
    maxClaims: 7,
    defaultExpires: 3 * 86_400,
    maxCiphertext: 1024 ** 2,
    replayWindow: 60,
    requireEncrypted: true,
    trustedProxy: ["10.0.0.1", "unix"],
    corsOrigin: ["https://a.example", "https://b.example"],
    callBurst: 200,
  });
  const env = { HANDOFF_CONFIG: file.path, HANDOFF_MAX_CLAIMS: "8", HANDOFF_REQUIRE_ENCRYPTED: "false" };
  expect(loadSettings({}, env)).toMatchObject({ maxClaims: 8, requireEncrypted: false, replayWindow: 60 });
  expect(loadSettings({ maxClaims: "9" }, env).maxClaims).toBe(9);
  expect(loadSettings({ config: "" }, { HANDOFF_CONFIG: "" }).maxClaims).toBe(100);
});

test("every setting has its source", () => {
  using file = configFile(TEXT);
  const all = explainSettings({ config: file.path, listen: ":80" }, { HANDOFF_CALL_BURST: "300" });
  const sourceOf = (id: string) => all.find((each) => each.id === id)?.given;
  expect(sourceOf("listen")).toEqual({ value: ":80", from: "flag", name: "--listen" });
  expect(sourceOf("callBurst")).toMatchObject({ from: "environment", name: "HANDOFF_CALL_BURST" });
  expect(sourceOf("maxClaims")).toMatchObject({ from: "file", name: `max-claims in '${file.path}'` });
  expect(sourceOf("tombstones")).toMatchObject({ from: "default", value: "30d" });
});

const WRONG: readonly (readonly [text: string, says: readonly string[]])[] = [
  ["max-claim = 7", ["there is no setting 'max-claim'. Did you mean 'max-claims'?"]],
  ["[limits]\nmax-claims = 7", ["there is no setting 'limits'", "Settings have no sections."]],
  ["listenn = 1\nbase-ur = 2", ["'listenn'", "'base-ur'. Did you mean 'base-url'?"]],
  ["database-url = 'x'", ["'database-url'. Did you mean 'database', or 'database-url-file' for a file with the URL?"]],
  ["database_url = 'x'", ["Did you mean 'database', or 'database-url-file'"]],
  [
    "database-url-file = 'postgresql://me:pass@db/x'",
    ["database-url-file in '", "the path of a file with the URL in it"],
  ],
  ["max-claims = ", ["is not TOML: Missing value"]],
  ["max-claims = 7\nmax-claims = 8", ["is not TOML: Cannot redefine key 'max-claims'"]],
  ["max-claims = 7.5", ["max-claims in '", "is '7.5': expected a whole number from 1 to 100"]],
  ["require-encrypted = 'perhaps'", ["is 'perhaps': expected true or false"]],
  ["trusted-proxy = [1]", ["trusted-proxy is no text, number, boolean or list of texts"]],
  ["base-url = 'https://me:pass@handoff.example'", ["base-url in '", "without a user"]],
  ["tls-cert = 'a.pem'", ["tls-cert in '", "--tls-cert and --tls-key belong together"]],
];

test("the error for a wrong settings file names the file and its fault", () => {
  for (const [text, says] of WRONG) {
    using file = configFile(text);
    const load = () => loadSettings({ config: file.path }, {});
    expect(load).toThrow(SettingsError);
    for (const each of says) expect(load).toThrow(each);
    expect(load).toThrow(file.path);
    expect(load).not.toThrow("pass@");
  }
});

test("the error for an unreadable settings file names the file and the reason", () => {
  using file = configFile("");
  mkdirSync(join(file.folder, "folder"));
  const load = (name: string) => () => loadSettings({ config: join(file.folder, name) }, {});
  expect(load("none.toml")).toThrow("none.toml': there is no such file");
  expect(load("folder")).toThrow("folder': it is a directory");
  expect(() => loadSettings({ config: "/dev/zero" }, {})).toThrow("'/dev/zero': there are more than 1024 KiB");
  expect(load("handoff.toml")().maxClaims).toBe(100);
});
