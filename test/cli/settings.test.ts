import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { settingIds, unknownVariables } from "../../src/config/load.ts";
import { environmentName, SETTINGS } from "../../src/config/settings.ts";
import type { Setting } from "../../src/config/settings.ts";
import { MANUAL_TOPICS, manualText } from "../support/manual.ts";
import { runHere } from "../support/terminals.ts";

const ROOT = join(import.meta.dir, "../..");
const settings: readonly Setting[] = settingIds().map((id) => SETTINGS[id]);

/** Values for settings that have none of their own, or none that can be told from another place's. */
const SAMPLES: Readonly<Record<string, string>> = {
  database: "postgresql://handoff@db.example/handoff",
  "base-url": "https://handoff.example",
  acme: "handoff.example",
  "acme-contact": "it@acme.example",
  "trusted-proxy": "10.0.0.1",
  "cors-origin": "https://app.example",
  "sign-in-domain": "example.com=ops",
  "object-store": "https://s3.example/bucket",
  "oidc-issuer": "https://login.acme.example",
  "oidc-allow": "groups=handoff",
  "smtp-url": "smtps://user:password@mail.example",
  "mail-from": "Handoff <handoff@mail.example>",
  "body-memory": "64MiB",
  "expires-choices": "1h,1d,7d",
  "brand-color": "#14563f",
  contact: "it@acme.example",
  "imprint-url": "https://acme.example/imprint",
  "privacy-url": "https://acme.example/privacy",
};

/** Of these one is given. */
const PLACES: readonly string[] = ["data-dir", "database", "database-url-file"];
const OBJECT_STORE = ["object-store", "object-store-key-file"] as const;
/**
 * A place, and the settings that can't be given with the others: a certificate comes from files or from ACME, the URL
 * of the mail server from one place, and an object store is for PostgreSQL.
 */
const ROUNDS: readonly (readonly [place: string, left: readonly string[]])[] = [
  ["data-dir", [...OBJECT_STORE, "acme", "smtp-url-file"]],
  ["database", ["acme", "smtp-url-file"]],
  ["database-url-file", ["acme", "smtp-url-file"]],
  ["data-dir", [...OBJECT_STORE, "tls-cert", "tls-key", "smtp-url"]],
];

const sampleOf = ({ name, default: value }: Setting) => SAMPLES[name] ?? value ?? "x";

test("every setting is heard from its variable and shown by 'config', taken by 'serve --check', and in the manual with flag and variable", async () => {
  for (const [place, left] of ROUNDS) {
    const isGiven = ({ name }: Setting) => !left.includes(name) && (name === place || !PLACES.includes(name));
    const env = Object.fromEntries(settings.filter(isGiven).map((each) => [environmentName(each), sampleOf(each)]));
    const { exitCode, stdout, stderr } = await runHere(["config", "--json"], env);
    expect({ place, exitCode, stderr }).toEqual({ place, exitCode: 0, stderr: "" });
    const shown: readonly { name: string; from: string; source: string; value: unknown }[] = JSON.parse(stdout);
    expect(shown.map(({ name, from, source }) => ({ name, from, source }))).toEqual(
      settings.map((each) => ({
        name: each.name,
        from: isGiven(each) ? "environment" : "default",
        source: isGiven(each) ? environmentName(each) : "default",
      })),
    );
    expect(shown.filter(({ value }) => value === null).map(({ name }) => name)).toEqual([
      ...PLACES.filter((each) => each !== place),
      ...left.filter((each) => each !== "acme"),
    ]);
  }
  const manual = manualText("settings");
  const help = (await runHere(["help", "serve"], {})).stdout.replace(/\s+/g, " ");
  for (const each of settings) {
    const [flag, variable] = [`--${each.name}`, environmentName(each)];
    const item = manual.split("\n").find((line) => line.startsWith(`- \`${variable}\`, \`${flag}`));
    expect({ flag, isInManual: item !== undefined }).toEqual({ flag, isInManual: true });
    expect({ flag, isInHelp: help.includes(`${flag} `) && help.includes(`[${variable}]`) }).toEqual({
      flag,
      isInHelp: true,
    });
    // A wrong value is named, whatever else is set.
    if (["text", "list", "databaseUrl", "smtpUrl"].includes(each.kind)) continue;
    const wrong = await runHere(["serve", "--check"], { [variable]: "nonsense" });
    expect({ variable, exitCode: wrong.exitCode }).toEqual({ variable, exitCode: 2 });
    expect(wrong.stderr).toContain(`${variable} is 'nonsense'`);
  }
});

test("a variable that lacks a letter is named with the setting that it was to be, and one of the client is not", () => {
  for (const each of settings) {
    const nearest = environmentName(each);
    const name = nearest.slice(0, -2) + nearest.slice(-1);
    expect(unknownVariables({ [nearest]: "", [name]: "" })).toEqual([{ name, nearest }]);
  }
});

test("every variable that the program reads is a setting or one of the client's, and is in the manual", () => {
  const files = [...new Glob("src/**/*.ts").scanSync(ROOT)].map((path) => readFileSync(join(ROOT, path), "utf8"));
  const read = files.flatMap((text) =>
    Array.from(text.matchAll(/env\["(HANDOFF_[A-Z_]+)"\]/g), ([, name = ""]) => name),
  );
  expect(read.length).toBeGreaterThan(3);
  expect(unknownVariables(Object.fromEntries(read.map((name) => [name, ""])))).toEqual([]);
  const manual = MANUAL_TOPICS.map(manualText).join("\n");
  expect(read.filter((name) => !manual.includes(name))).toEqual([]);
});
