import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "../../src/config/errors.ts";
import { defaultDataDir, loadSettings, settingIds, unknownVariables } from "../../src/config/load.ts";
import { environmentName, SETTINGS } from "../../src/config/settings.ts";
import type { Setting } from "../../src/config/settings.ts";
import { formatBytes, formatDuration, parseBytes, parseDuration } from "../../src/config/units.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("without any source, every setting has the default of the contract", () => {
  expect(loadSettings({}, {})).toMatchObject({
    listen: "127.0.0.1:8080",
    maxCiphertext: 10 * 1024 * 1024,
    defaultExpires: 7 * 86_400,
    maxExpires: 90 * 86_400,
    defaultClaims: 1,
    maxClaims: 100,
    teamQuota: 1024 ** 3,
    callsPerSecond: 100,
    callBurst: 200,
    failedAuthentications: 20,
    waitingCalls: 20,
    replayWindow: 300,
    tombstones: 30 * 86_400,
    requireEncrypted: false,
    showSenders: true,
    trustedProxy: [],
  });
});

test("a flag overrules the environment, and the environment overrules the default", () => {
  const env = { HANDOFF_MAX_CLAIMS: "7", HANDOFF_TRUSTED_PROXY: "10.0.0.1, 10.0.0.2", HANDOFF_REQUIRE_ENCRYPTED: "1" };
  expect(loadSettings({}, env)).toMatchObject({
    maxClaims: 7,
    trustedProxy: ["10.0.0.1", "10.0.0.2"],
    requireEncrypted: true,
  });
  expect(loadSettings({ maxClaims: "9", trustedProxy: ["unix"] }, env)).toMatchObject({
    maxClaims: 9,
    trustedProxy: ["unix"],
  });
  expect(loadSettings({}, { HANDOFF_MAX_CLAIMS: "" }).maxClaims).toBe(100);
  expect(loadSettings({ showSenders: "false" }, { HANDOFF_SHOW_SENDERS: "true" }).showSenders).toBe(false);
});

const WRONG: readonly (readonly [flags: Record<string, string>, says: string])[] = [
  [{ maxClaims: "101" }, "--max-claims is '101': expected a whole number from 1 to 100"],
  [{ maxClaims: "many" }, "--max-claims is 'many': expected a whole number from 1 to 100"],
  [{ maxCiphertext: "1TB" }, "--max-ciphertext is '1TB': expected a size from 1KiB to 100MiB, in units of B"],
  [{ bodyMemory: "8G" }, "--body-memory is '8G': expected a size from 1MiB to"],
  [{ maxExpires: "91d" }, "--max-expires is '91d': expected a duration from 1m to 90d, in units of s, m, h, d or w"],
  [{ baseUrl: "handoff.example" }, "--base-url is 'handoff.example': expected an http or https URL"],
  [{ baseUrl: "https://handoff.example/" }, "without a user, a slash at the end"],
  [{ baseUrl: "https://handoff.example/a//" }, "without a user, a slash at the end"],
  [{ baseUrl: "https://me:pass@handoff.example" }, "--base-url: expected an http or https URL without a user"],
  ...["*", "null", "https://a.example/", "https://a.example/path", "a.example", "https://A.example"].map(
    (origin) => [{ corsOrigin: origin }, `--cors-origin is '${origin}': expected origins as a browser`] as const,
  ),
  [{ showSenders: "no" }, "--show-senders is 'no': expected true or false"],
  [{ logLevel: "loud" }, "--log-level is 'loud': expected info, error or silent"],
  [{ listen: "" }, "--listen is '': expected a text that is not empty"],
  [{ tlsCert: "cert.pem" }, "--tls-cert and --tls-key belong together"],
  [{ maxExpires: "1h" }, "--default-expires is above --max-expires"],
  [{ expiresChoices: "1h,91d" }, "--expires-choices is '1h,91d': expected 1 to 8 different durations with commas"],
  ...["", "1h,", "1h,1h", "1h,60m", "59s", "soon", "1h 1d", "1m,2m,3m,4m,5m,6m,7m,8m,9m"].map(
    (choices) => [{ expiresChoices: choices }, `--expires-choices is '${choices}': expected`] as const,
  ),
  [{ expiresChoices: "1h,30d", maxExpires: "8d" }, "--expires-choices has a lifetime above --max-expires"],
  [{ bodyMemory: "39MiB" }, "--body-memory is below four times --max-ciphertext"],
  [{ callBurst: "10" }, "--call-burst is below --calls-per-second"],
];

test("lifetimes to choose from are a list with commas, or one in a file", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "handoff.toml");
  writeFileSync(path, 'expires-choices = ["1h", "2w", "90"]\n');
  expect(loadSettings({ config: path }, {}).expiresChoices).toEqual([3600, 1_209_600, 90]);
  const env = { HANDOFF_EXPIRES_CHOICES: "1h, 1d,7d" };
  expect(loadSettings({ config: path }, env).expiresChoices).toEqual([3600, 86_400, 604_800]);
  expect(loadSettings({}, {}).expiresChoices).toBeUndefined();
});

test("the error for a wrong setting names it and the expected values", () => {
  for (const [flags, says] of WRONG) {
    expect(() => loadSettings(flags, {})).toThrow(SettingsError);
    expect(() => loadSettings(flags, {})).toThrow(says);
  }
  const both = () => loadSettings({ maxClaims: "x" }, { HANDOFF_REPLAY_WINDOW: "y", HANDOFF_LOG_ADDRESSES: "maybe" });
  expect(() => loadSettings({}, { HANDOFF_TLS_CERT: "cert.pem" })).toThrow(
    "HANDOFF_TLS_CERT is set, but HANDOFF_TLS_KEY is not",
  );
  expect(both).toThrow("--max-claims is 'x'");
  expect(both).toThrow("HANDOFF_REPLAY_WINDOW is 'y'");
  expect(both).toThrow("HANDOFF_LOG_ADDRESSES is 'maybe': expected true or false");
});

test("hosts of one letter and origins with ports are valid; an unknown variable is reported with the most similar name", () => {
  expect(loadSettings({ baseUrl: "https://a" }, {}).baseUrl).toBe("https://a");
  expect(loadSettings({ baseUrl: "http://[::1]:80/below" }, {}).baseUrl).toBe("http://[::1]:80/below");
  const corsOrigin = ["https://app.example", "http://localhost:3000", "http://[::1]:8080"];
  expect(loadSettings({ corsOrigin }, {}).corsOrigin).toEqual(corsOrigin);
  const env = { HANDOFF_MAX_CIPERTEXT: "1MiB", HANDOFF_LISTEN: "x", HANDOFF_URL: "x", HOME: "x" };
  expect(unknownVariables(env)).toEqual([{ name: "HANDOFF_MAX_CIPERTEXT", nearest: "HANDOFF_MAX_CIPHERTEXT" }]);
});

test("every setting has a unique name, a line in the table and a valid default", () => {
  const ids = settingIds();
  expect(new Set(ids.map((id) => environmentName(SETTINGS[id]))).size).toBe(ids.length);
  for (const id of ids) {
    const { doc, default: value }: Setting = SETTINGS[id];
    expect(doc.length).toBeGreaterThan(10);
    if (value !== undefined) expect(() => loadSettings({ [id]: value }, {})).not.toThrow();
  }
});

test("the data folder is systemd's, else that of XDG, else in the home folder", () => {
  const home = { HOME: "/home/me" };
  expect(defaultDataDir(home)).toBe("/home/me/.local/share/handoff");
  expect(defaultDataDir({ ...home, XDG_DATA_HOME: "/data" })).toBe("/data/handoff");
  expect(defaultDataDir({ ...home, XDG_DATA_HOME: "/data", STATE_DIRECTORY: "/var/lib/handoff:/other" })).toBe(
    "/var/lib/handoff",
  );
  for (const relative of ["data", "./data", "../data", ""]) {
    expect(defaultDataDir({ ...home, XDG_DATA_HOME: relative })).toBe("/home/me/.local/share/handoff");
  }
});

test("durations and sizes are parsed in the units of the table and no others", () => {
  expect(["300", "45s", "30m", "12h", "7d", "2w"].map(parseDuration)).toEqual([
    300, 45, 1800, 43_200, 604_800, 1_209_600,
  ]);
  expect(["", "1y", "-1s", "1.5h", "d", "1 d"].map(parseDuration)).toEqual(Array(6).fill(undefined));
  expect(["1024", "1B", "512KiB", "10MiB", "1 GiB"].map(parseBytes)).toEqual([1024, 1, 524_288, 10_485_760, 1024 ** 3]);
  expect(["", "1KB", "1mib", "-1", "1e3"].map(parseBytes)).toEqual(Array(5).fill(undefined));
  expect([formatDuration(604_800), formatDuration(90), formatBytes(1536 * 1024)]).toEqual(["7d", "90s", "1536KiB"]);
});

const URL_OF_DATABASE = "postgresql://handoff@db.example/handoff";

test("the place of the data is the one from the first source; two places in one source are an error", () => {
  const placesOf = (flags: Record<string, string>, env: Record<string, string>) => {
    const { dataDir, database, databaseUrlFile } = loadSettings(flags, env);
    return JSON.stringify({ dataDir, database, databaseUrlFile });
  };
  const [folder, url, file] = [
    { HANDOFF_DATA_DIR: "data" },
    { HANDOFF_DATABASE_URL: URL_OF_DATABASE },
    { HANDOFF_DATABASE_URL_FILE: "url" },
  ];
  expect(placesOf({}, {})).toBe("{}");
  expect(placesOf({ dataDir: "here" }, url)).toBe('{"dataDir":"here"}');
  expect(placesOf({ database: URL_OF_DATABASE }, folder)).toBe(JSON.stringify({ database: URL_OF_DATABASE }));
  expect(placesOf({ databaseUrlFile: "here" }, { ...folder, ...url })).toBe('{"databaseUrlFile":"here"}');
  expect(() => placesOf({}, { ...url, ...file })).toThrow(
    "HANDOFF_DATABASE_URL and HANDOFF_DATABASE_URL_FILE are set, and everything is kept in one place: give one of them",
  );
  expect(() => placesOf({}, { ...folder, ...url })).toThrow("HANDOFF_DATA_DIR and HANDOFF_DATABASE_URL are set");
  expect(() => placesOf({ dataDir: "here", database: URL_OF_DATABASE }, {})).toThrow(
    "--data-dir and --database are set",
  );
});

test("the error for a URL in place of a path names the setting as given, and doesn't quote the URL", () => {
  const url = "postgresql://handoff:secret@db.example/handoff";
  const file =
    "expected the path of a file with the URL in it, and this is a URL itself. Put it into a file, or give it as HANDOFF_DATABASE_URL";
  const config = "expected the path of a file of settings, and this is the URL of a database";
  const other =
    "the URL of a database isn't expected here. Give it as HANDOFF_DATABASE_URL, or in a file with --database-url-file";
  const CASES: readonly (readonly [flags: Record<string, string>, env: Record<string, string>, says: string])[] = [
    [{ databaseUrlFile: url }, {}, `--database-url-file: ${file}`],
    [{ databaseUrlFile: "postgres:handoff:secret@db" }, {}, `--database-url-file: ${file}`],
    [{}, { HANDOFF_DATABASE_URL_FILE: url }, `HANDOFF_DATABASE_URL_FILE: ${file}`],
    [{}, { HANDOFF_DATABASE_URL_FILE: ` ${url}` }, `HANDOFF_DATABASE_URL_FILE: ${file}`],
    [{}, { HANDOFF_DATABASE_URL_FILE: url.replace("gres", "gress") }, `HANDOFF_DATABASE_URL_FILE: ${file}`],
    [{ dataDir: url }, {}, `--data-dir: ${other}`],
    [{}, { HANDOFF_DATA_DIR: url }, `HANDOFF_DATA_DIR: ${other}`],
    [{}, { HANDOFF_CONFIG: url }, `HANDOFF_CONFIG: ${config}`],
    [{ config: url }, { HANDOFF_CONFIG: "none" }, `--config: ${config}`],
    [{}, { HANDOFF_LISTEN: url }, `HANDOFF_LISTEN: ${other}`],
    [{}, { HANDOFF_MAX_CLAIMS: url }, `HANDOFF_MAX_CLAIMS: ${other}`],
  ];
  for (const [flags, env, says] of CASES) {
    const load = () => loadSettings(flags, env);
    expect(load).toThrow(new SettingsError(says));
  }
});

test("an empty variable for a database is refused, unless a flag names the place of the data", () => {
  for (const name of ["HANDOFF_DATABASE_URL", "HANDOFF_DATABASE_URL_FILE"]) {
    const says = `${name} is empty, and would count as not set: remove it, or fill it in`;
    expect(() => loadSettings({}, { [name]: "" })).toThrow(new SettingsError(says));
    expect(() => loadSettings({}, { [name]: "", HANDOFF_DATA_DIR: "data" })).toThrow(says);
    expect(() => loadSettings({}, { [name]: "" }, ["dataDir", "database", "databaseUrlFile"])).toThrow(says);
    expect(loadSettings({ dataDir: "here" }, { [name]: "" }).dataDir).toBe("here");
    // Commands that need no database, such as for the folder to move from, accept it.
    expect(loadSettings({}, { [name]: "" }, ["dataDir"]).dataDir).toBeUndefined();
  }
});

test("a password is accepted in a variable, refused in a flag, and never in a message", () => {
  const withPassword = "postgresql://handoff:secret@db.example/handoff";
  expect(loadSettings({}, { HANDOFF_DATABASE_URL: withPassword }).database?.reveal()?.password).toBe("secret");
  const says = (flags: Record<string, string>, env: Record<string, string>) => {
    try {
      loadSettings(flags, env);
      return "";
    } catch (error) {
      return error instanceof SettingsError ? error.message : "";
    }
  };
  expect(says({ database: withPassword }, {})).toBe(
    "--database has a password in it, and everybody on this machine can see the arguments of a program: give the URL as HANDOFF_DATABASE_URL, or in a file with --database-url-file",
  );
  // An invalid URL may have a password.
  expect(says({ database: "postgresql://handoff:se/cret@db.example/handoff" }, {})).toContain("has a password in it");
  for (const wrong of ["handoff:secret@db.example", "postgresql://handoff:secret word@db.example/x"]) {
    const message = says({}, { HANDOFF_DATABASE_URL: wrong });
    expect(message).toStartWith("HANDOFF_DATABASE_URL: expected a URL such as postgresql://");
    expect(message).not.toContain("secret");
  }
});
