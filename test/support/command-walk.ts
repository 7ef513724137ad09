import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCertificate } from "./certificates.ts";
import { UNLIMITED } from "./executions.ts";
import { keepPasskey } from "./kept-passkeys.ts";
import { openMailServer } from "./mail-servers.ts";
import { openPerson } from "./people.ts";
import type { Outcome, Person } from "./people.ts";
import { urlOf } from "./postgres-urls.ts";
import { startProgram } from "./running.ts";
import { sharedPostgres } from "./shared-postgres.ts";
import { temporaryFolder } from "./temporary.ts";
import { runHere } from "./terminals.ts";

/** A command of the walk, by its names, with its arguments. */
interface Step {
  readonly command: string;
  readonly args: readonly string[];
  readonly outcome: Outcome;
}

interface StepOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** The exit codes that it may end with; 0 unless this says otherwise. */
  readonly exitCodes?: readonly number[];
}

/** Every command of the program, by its names; not those of a shell's completion and of the help. */
export async function listCommands(names: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runHere([...names, "--help"], {});
  if (!/^Usage: .* \[command\]$/m.test(stdout)) return [names.join(" ")];
  const found = Array.from(stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm), ([, name = ""]) => name);
  // Examples begin with the name of the program.
  const others = found.filter((name) => name !== "help" && name !== "handoff");
  const below = await Promise.all(others.map((name) => listCommands([...names, name])));
  // It does something without a command of its own too.
  const own = names.join(" ") === "config" ? ["config"] : [];
  return [...own, ...below.flat()];
}

/**
 * The places of a walk where something can be kept, by the flags that name them: an empty one for each, the first one
 * for the server.
 */
export type NewPlace = () => Promise<readonly [flag: "--data-dir" | "--database", place: string]>;

/**
 * Runs every command of the compiled executable, each in ways in which it succeeds, or says with its exit code what it
 * found, one after the other: on a machine of its own with a server, with `flags` behind its arguments if it `takes`
 * them. Resolves with what came of each.
 */
export function walkCommands(
  flags: readonly string[],
  takes: (command: string) => boolean = () => true,
): Promise<Step[]> {
  const parts = [
    walkAdmin,
    walkSecrets,
    walkApprovals,
    walkWebhooks,
    walkMail,
    walkRequests,
    walkOversight,
    walkLocal,
    walkEnds,
  ];
  return walkParts(parts, flags, takes);
}

/** The same for the commands of admins that read or change what is stored, with all of it in places of `newPlace`. */
export function walkStores(
  flags: readonly string[],
  takes: (command: string) => boolean,
  newPlace: NewPlace,
): Promise<Step[]> {
  return walkParts([walkAdmin, walkWebhooks, walkOversight, walkEnds], flags, takes, newPlace);
}

async function walkParts(
  parts: readonly ((walk: Walk) => Promise<void>)[],
  flags: readonly string[],
  takes: (command: string) => boolean,
  newPlace?: NewPlace,
): Promise<Step[]> {
  using folder = temporaryFolder();
  let folders = 0;
  const places: NewPlace = newPlace ?? (async () => ["--data-dir", join(folder.path, `data-${(folders += 1)}`)]);
  const own = await places();
  // Secrets can be for chosen people. No mail is sent.
  const mails = ["--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "handoff@mail.test"];
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0", ...own, ...mails, ...UNLIMITED]);
  const walk = openWalk(join(folder.path, "home"), { url: server.url, own, places }, { flags, takes });
  for (const part of parts) await part(walk);
  return walk.steps;
}

/** A machine on which one command is run after the other. */
interface Walk {
  readonly steps: Step[];
  readonly person: Person;
  readonly places: NewPlace;
  /** Runs a command and resolves with the lines of its standard output. */
  run(command: string, args?: readonly string[], options?: StepOptions): Promise<string>;
  /** The same as JSON, beside the walk: what is needed for the steps that follow. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is what a test asserts
  look(line: string): Promise<any>;
  /** The API key that commands are run with from now on. */
  useKey(token: string): void;
  readonly token: () => string;
  /** Calls the API, with a token or without any. */
  call(method: "GET" | "POST", path: string, token?: string): Promise<unknown>;
}

function openWalk(
  home: string,
  {
    url,
    own: [flag, place],
    places,
  }: { readonly url: string; readonly own: Awaited<ReturnType<NewPlace>>; readonly places: NewPlace },
  { flags, takes }: { readonly flags: readonly string[]; readonly takes: (command: string) => boolean },
): Walk {
  const variable = flag === "--data-dir" ? "HANDOFF_DATA_DIR" : "HANDOFF_DATABASE_URL";
  const person = openPerson(home, { HANDOFF_URL: url, [variable]: place, HANDOFF_BASE_URL: url });
  const steps: Step[] = [];
  const key: Record<string, string> = {};
  return {
    steps,
    person,
    places,
    async run(command, args = [], { stdin, env, exitCodes = [0] } = {}) {
      // What follows is another program's.
      const end = args.indexOf("--");
      const own = end < 0 ? args : args.slice(0, end);
      const line = [...command.split(" "), ...own, ...(takes(command) ? flags : []), ...args.slice(own.length)];
      const outcome = await person.run(line, { stdin: stdin ?? "", env: { ...key, ...env } });
      if (!exitCodes.includes(outcome.exitCode))
        throw new Error(`${line.join(" ")}: ${outcome.exitCode} ${outcome.stderr}`);
      steps.push({ command, args, outcome });
      return outcome.stdout.trim();
    },
    look: async (line) => JSON.parse(await person.must([...line.split(" "), "--json"], { env: key })),
    useKey: (token) => void (key["HANDOFF_API_KEY"] = token),
    token: () => key["HANDOFF_API_KEY"] ?? "",
    async call(method, path, token) {
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/api/v1${path}`, { method, headers })).json();
    },
  };
}

async function walkAdmin({ run, look, useKey, person }: Walk): Promise<void> {
  await run("admin team create", ["ops"]);
  await run("admin team rename", ["ops", "Ops & Web"], { env: { SUDO_USER: "ann" } });
  await run("admin team rename", ["Ops & Web", "web"]);
  await run("admin team quota", ["web", "20GiB"]);
  await run("admin team rules", ["web", "--max-expires", "90d", "--max-claims", "100"]);
  await run("admin team rules", ["web"]);
  await run("admin team list");
  await run("admin team show", ["web"]);
  const mint = ["--team", "web", "--scope", "all", "--identity"];
  await run("admin key create", [...mint, "ci"]);
  await run("admin key create", [...mint, "other", "--expires", "30d", "--name", "laptop", "--from", "10.0.0.0/8"]);
  const [first, second] = await look("admin key list");
  await run("admin key list", ["--expiring", "1d"]);
  await run("admin key list", ["--expiring", "60d"], { exitCodes: [1] });
  await run("admin key rotate", [first.id]);
  await run("admin key revoke", [second.id]);
  await run("admin key revoke", [second.id]);
  await run("admin key show", [first.id]);
  await run("admin key show", [second.id]);
  await run("admin identity rename", ["ci", "deploy"]);
  await run("admin identity scopes", ["deploy", "--scope", "all"]);
  await run("admin identity disable", ["other"]);
  await run("admin identity list");
  await run("admin identity enable", ["other"]);
  await run("admin identity delete", ["other", "--yes"]);
  await run("admin person add", ["ann@example.com", "--team", "web"]);
  await run("admin person add", ["Bob Ray <bob@example.com>", "cy@example.com", "--team", "web"]);
  await run("admin person import", ["-", "--team", "web"], { stdin: '[{ "address": "dot@example.com" }]' });
  await run("admin person list");
  const passkey = await keepPasskey(person, "ann@example.com");
  await run("admin person show", ["ann@example.com"]);
  await run("admin person passkey remove", ["ann@example.com", passkey]);
  await run("admin person sign-out", ["ann@example.com"]);
  await run("admin person remove", ["bob@example.com"]);
  await run("admin person remove", ["bob@example.com"]);
  useKey((await look("admin key create --team web --identity client --scope all")).token);
}

async function walkSecrets({ run, look, person, token, call }: Walk): Promise<void> {
  // Where it must not be, so that it is marked.
  await call("GET", `/secrets?key=${token()}`);
  await run("admin key list");
  await run("list");
  writeFileSync(join(person.home, "passphrase"), "fake-local-test-only");
  const stdin = "fake-local-test-only";
  const lookAtLink = async (given: string | Uint8Array) => linkOf(await run("send", [], { stdin: given }));
  const text = await lookAtLink(stdin);
  await run("link", [], { stdin: text });
  await run("status", [], { stdin: text });
  await run("open", ["--yes"], { stdin: text });
  await run("open", ["--yes"], { stdin: await lookAtLink(new Uint8Array([0, 255, 254])) });
  writeFileSync(join(person.home, "file.txt"), stdin);
  const files = linkOf(await run("send", ["file.txt", "--passphrase-file", "passphrase"]));
  await run("open", ["--yes", "--passphrase-file", "passphrase", "--output", "here"], { stdin: files });
  writeFileSync(join(person.home, "a.link"), await lookAtLink(stdin));
  await run("run", ["--env", "SECRET=@a.link", "--", "true"]);
  await run("send", ["--expires", "1h"], { stdin });
  // By this name, links lead elsewhere.
  const byName = { HANDOFF_URL: (person.env["HANDOFF_URL"] ?? "").replace("127.0.0.1", "localhost") };
  await run("send", [], { stdin, env: byName });
  const [sent] = await look("list");
  await run("status", [sent.id]);
  await run("extend", [sent.id, "--expires", "2d"]);
  await run("revoke", [sent.id]);
  await run("list", ["--limit", "2"]);
}

async function walkApprovals({ run, look, call }: Walk): Promise<void> {
  for (const decision of [[], ["--refuse"]]) {
    const link = linkOf(await run("send", ["--approval", "sender"], { stdin: "fake-local-test-only" }));
    const [secretId] = /sec_\w+/.exec(link) ?? [];
    const [claimToken] = /hct_\w+/.exec(await run("link", [], { stdin: link })) ?? [];
    await call("POST", `/secrets/${secretId}/asks`, claimToken);
    await run("approve");
    const [{ id }] = await look("approve");
    await run("approve", [id, ...decision]);
    if (decision.length === 0) await run("approve", [secretId ?? "", "--refuse"]);
  }
}

async function walkWebhooks({ run, look, person }: Walk): Promise<void> {
  // Nobody listens there.
  await run("admin webhook create", ["--team", "web", "--url", "http://localhost:9/", "--event", "secret.created"]);
  const [{ id }] = await look("admin webhook list");
  await run("send", [], { stdin: "fake-local-test-only" });
  while ((await look(`admin webhook deliveries ${id}`)).length === 0);
  await run("admin webhook list");
  await run("admin webhook show", [id]);
  await run("admin webhook deliveries", [id]);
  await run("admin webhook pause", [id]);
  await run("admin webhook list");
  await run("admin webhook resume", [id]);
  await run("admin webhook rotate-secret", [id]);
  await run("admin webhook test", [id], { exitCodes: [1] });
  const url = person.env["HANDOFF_URL"] ?? "";
  await run("admin webhook create", ["--team", "web", "--url", url, "--format", "chat"]);
  const [, other] = await look("admin webhook list");
  await run("admin webhook test", [other.id], { exitCodes: [1] });
  await run("admin webhook delete", [id, "--yes"]);
}

async function walkMail({ run }: Walk): Promise<void> {
  await using server = await openMailServer();
  const env = { HANDOFF_SMTP_URL: `smtp://localhost:${server.port}`, HANDOFF_MAIL_FROM: "handoff@mail.test" };
  await run("admin mail test", ["ann@a.test"], { env });
  server.answers.push(550);
  await run("admin mail test", ["ann@a.test"], { env, exitCodes: [1] });
}

async function walkRequests({ run, look, person }: Walk): Promise<void> {
  await run("collect");
  const stdin = "fake-local-test-only";
  const ask = async (...args: readonly string[]) => linkOf(await run("request", args));
  const link = await ask("--note", "the password");
  await run("link", [], { stdin: link });
  const [{ id }] = await look("collect");
  await run("status", [id]);
  await run("submit", ["--link-file", "/dev/stdin", "--env", "SECRET"], { stdin: link, env: { SECRET: stdin } });
  await run("collect");
  await run("collect", [id]);
  await run("status", [id]);
  writeFileSync(join(person.home, "form.link"), await ask("--template", "login"));
  const values = JSON.stringify({ user: "me", password: stdin });
  await run("submit", ["--link-file", "form.link"], { stdin: values });
  const [{ id: formId }] = await look("collect");
  await run("collect", [formId]);
  await ask();
  const [other] = await look("collect");
  await run("revoke", [other.id]);
}

async function walkOversight({ run, look, person, places }: Walk): Promise<void> {
  const names = ["--reference", "OPS-4711", "--label", "router, for Ann"];
  await run("send", [...names, "--for", "ann@a.test"], { stdin: "another" });
  await run("list", ["--limit", "1"]);
  await run("request", ["--for", "*@a.test"]);
  const [secrets, requests] = [await look("admin secret list"), await look("admin request list")];
  await run("events");
  await run("admin secret revoke", [secrets[0].id]);
  await run("admin request revoke", [requests[0].id]);
  await run("admin secret list");
  await run("admin request list");
  await run("admin stats");
  await run("admin key list");
  await run("admin log");
  const [first] = await look("admin team list");
  await run("admin audit", ["--team", first.name]);
  const folder = join(person.home, "backups");
  mkdirSync(folder);
  await run("admin backup", ["all.backup", "--with-secrets"]);
  for (let made = 0; made < 2; made++) await run("admin backup", [folder, "--keep", "1"]);
  await run("admin restore", ["all.backup", ...(await places())]);
  await run("admin restore", ["all.backup", "--keep-secrets", "--data-dir", join(person.home, "kept")]);
  await using cluster = await sharedPostgres();
  const moved = urlOf(await cluster.makeDatabase());
  await run("admin move", ["--data-dir", join(person.home, "kept"), "--to", moved, "--yes"]);
  await run("admin move", ["--data-dir", join(person.home, "kept"), "--undo", "--yes"]);
  // It says what it thinks of the machine.
  await run("admin check", [], { exitCodes: [0, 1] });
}

async function walkLocal({ run, person, token }: Walk): Promise<void> {
  await run("login", ["--url", person.env["HANDOFF_URL"] ?? ""], { stdin: token() });
  await run("whoami");
  await run("logout");
  await run("logout");
  for (const command of ["config", "version", "openapi", "page-hash", "admin alerts", "admin dashboard"]) {
    await run(command);
  }
  await run("config set", ["expires", "1d"]);
  await run("config set");
  await run("config unset", ["expires"]);
  await run("completion", ["bash"]);
  await run("gen");
  await run("gen", ["--words", "6"]);
  const { cert, key } = makeCertificate(person.home);
  await run("serve", ["--check", "--tls-cert", cert, "--tls-key", key]);
  await run("mcp", ["--allow-dir", "backups"]);
  for (const args of [[], ["--backup"], ["--backup", "--timer"]]) await run("admin service", args);
}

async function walkEnds({ run }: Walk): Promise<void> {
  await run("admin identity delete", ["client", "--yes"]);
  await run("admin team delete", ["web", "--force", "--yes"]);
}

/** The link in what a command has printed, as a line or in JSON. */
function linkOf(printed: string): string {
  return /https?:\/\/[^\s"]+/.exec(printed)?.[0] ?? "";
}
