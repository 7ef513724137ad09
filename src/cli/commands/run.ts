import type { Command } from "commander";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { findSecret } from "../../client/secrets.ts";
import { idPattern } from "../../contract/ids.ts";
import type { Secret } from "../../contract/secrets.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { namesOf } from "../../crypto/forms.ts";
import { readTextFile } from "../files/text-files.ts";
import { APPROVAL_TIMEOUT } from "../handovers/approvals.ts";
import { askForApproval } from "../handovers/claims.ts";
import type { AskedApproval, Handover } from "../handovers/claims.ts";
import { collectable, handoverOfSubmission, nothingYet } from "../handovers/collections.ts";
import { addConnectionFlags, connectFor } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { checkAsked, checkNoFields, valueOf } from "../handovers/filled-forms.ts";
import { checkSmall, handoverOfLink, inspect, openSecret } from "../handovers/handovers.ts";
import type { OpenedSecret } from "../handovers/handovers.ts";
import { readLink } from "../handovers/link-arguments.ts";
import { addPassphraseFlags } from "../handovers/passphrases.ts";
import type { PassphraseFlags } from "../handovers/passphrases.ts";
import { riskOfVariable } from "../processes/risky-variables.ts";
import { commandEnvironment, findCommand } from "../processes/secret-environments.ts";
import { appendValue } from "../server/setting-options.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { DeliveryError, resumable } from "../terminal/repeats.ts";
import type { Repeat } from "../terminal/repeats.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError, warn } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RunFlags extends ConnectionFlags, PassphraseFlags {
  readonly env?: readonly string[];
  readonly timeout?: string;
}

/** A variable, and the source of the secret for it. */
interface Variable {
  readonly name: string;
  readonly source:
    | { readonly kind: "link"; readonly file: string }
    | { readonly kind: "request"; readonly id: string; readonly field: string | undefined };
}

/** A secret to open. */
interface Found {
  readonly handover: Handover;
  /** The request that it was handed in for; undefined for a link. */
  readonly kept: KeptRequest | undefined;
}

/** A secret, and the variables that it is for. */
interface Use extends Found {
  readonly variables: { readonly name: string; readonly field: string | undefined }[];
}

/** `handoff run` */
export function addRun(program: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  addPassphraseFlags(addConnectionFlags(program.command("run")), "the links")
    .argument("<command...>", "The command and its arguments, after '--'.")
    .description("Start a command with secrets in its environment, and nowhere else.")
    .option(
      "--env <name=source>",
      "Put a secret into this variable: @FILE opens the link in the file (@- asks for it, or reads it from standard input), request:ID takes what was handed in, and request:ID#FIELD one field of it. May be repeated.",
      appendValue,
    )
    .option("--timeout <duration>", APPROVAL_TIMEOUT)
    .passThroughOptions()
    .addHelpText(
      "after",
      `
Examples:
  handoff run --env DATABASE_PASSWORD=@db.link -- ./deploy.sh production
  handoff run --env DATABASE_PASSWORD=@- -- ./deploy.sh production
  handoff run --env "PGPASSWORD=request:$ID#password" --env "PGUSER=request:$ID#user" -- psql

One trailing newline is removed. The exit code is that of the command.`,
    )
    .action(async (command: string[], flags: RunFlags) => exitWith(await run(terminal, command, flags)));
}

async function run(terminal: Terminal, command: readonly string[], flags: RunFlags): Promise<number> {
  const variables = (flags.env ?? []).map(parseVariable);
  if (variables.length === 0) throw usageError("give at least one --env NAME=@FILE or --env NAME=request:ID");
  checkNames(variables);
  // Before any claim is used up.
  const program = findCommand(terminal, command);
  for (const { name } of variables) warnOfRisk(terminal, name);
  const signal = terminal.interruptible();
  // All links are read and checked before the first one is claimed, so that no claim is lost to an error that could be
  // foreseen.
  const uses: Use[] = [];
  for (const { name, source } of variables) {
    const isOfRequest = source.kind === "request";
    const field = isOfRequest ? source.field : undefined;
    const found = await find(terminal, { name, source }, flags, signal);
    if (!isOfRequest) checkOtherLink(uses, name, found);
    // What was handed in is claimed once, however many of its fields are used.
    const used = isOfRequest ? uses.find((each) => each.handover.id === found.handover.id) : undefined;
    if (used) used.variables.push({ name, field });
    else uses.push({ ...found, variables: [{ name, field }] });
  }
  const approvals = await approve(terminal, uses);
  const taken: OpenedSecret[] = [];
  const secrets: Record<string, string> = {};
  for (const use of inOrder(uses, approvals)) {
    const { handover, kept, variables: names } = use;
    const opened = await resumable(repeatsOf(taken), () => openSecret(terminal, handover, approvals.get(use)));
    taken.push(opened);
    for (const { name, field } of names) {
      secrets[name] = await resumable(repeatsOf(taken), () =>
        toValue(name, toContent(terminal, kept, opened.content, field)),
      );
    }
  }
  const environment = commandEnvironment(terminal, secrets, flags.passphraseEnv);
  const child = await resumable(repeatsOf(taken), () => start(terminal, [program, ...command.slice(1)], environment));
  // Not before the command has the secrets: if it can't be started, the same call can be repeated.
  for (const each of taken) await each.acknowledge();
  return child.exited;
}

/**
 * Checks all secrets, and asks for every approval that is needed before the first claim: waiting may take longer than a
 * claim can be repeated. Resolves with the tokens. Throws ClientError for a secret that is too large.
 */
async function approve(terminal: Terminal, uses: readonly Use[]): Promise<ReadonlyMap<Use, string>> {
  const needed: { readonly use: Use; readonly approver: NonNullable<Secret["approval"]> }[] = [];
  for (const use of uses) {
    const { client, id, key } = use.handover;
    // Not every key may read what was handed in.
    const secret = await (key.kind === "link" ? inspect(terminal, use.handover) : findSecret(client, id));
    checkSmall(secret);
    const approver = (key.kind === "link" && secret?.approval) || null;
    if (approver !== null) needed.push({ use, approver });
  }
  const asked: (readonly [Use, AskedApproval])[] = [];
  for (const { use, approver } of needed) asked.push([use, await askForApproval(terminal, use.handover, approver)]);
  const tokens = new Map<Use, string>();
  for (const [use, approval] of asked) tokens.set(use, await approval.untilApproved());
  return tokens;
}

/** What was approved comes first: an approval that has ended since uses up nothing then. */
function inOrder(uses: readonly Use[], approvals: ReadonlyMap<Use, string>): readonly Use[] {
  return [...uses.filter((use) => approvals.has(use)), ...uses.filter((use) => !approvals.has(use))];
}

/** Throws CommandError for a variable that is given twice: one of the secrets would be used up for nothing. */
function checkNames(variables: readonly Variable[]): void {
  const names = variables.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw usageError(`--env gives ${twice} twice. Take each variable once.`);
}

/** Throws CommandError for a link that another variable has too: most can be opened once only. */
function checkOtherLink(uses: readonly Use[], name: string, { handover: { id, client } }: Found): void {
  const other = uses.find(({ handover }) => handover.id === id && handover.client.baseUrl === client.baseUrl);
  if (!other) return;
  const [first] = other.variables;
  throw usageError(`${first?.name} and ${name} have the same link. Use one variable, and copy it in the command.`);
}

function repeatsOf(taken: readonly OpenedSecret[]): Repeat[] {
  return taken.map(({ repeat }) => repeat);
}

function warnOfRisk(terminal: Terminal, name: string): void {
  const risk = riskOfVariable(name);
  if (risk === undefined) return;
  warn(terminal, `${name} ${risk}, and here it holds what the sender chose. Use another name if you can.`);
}

function start(terminal: Terminal, command: readonly string[], env: Terminal["env"]) {
  try {
    const child = Bun.spawn([...command], {
      env,
      stdio: ["inherit", "inherit", "inherit"],
    });
    // Ctrl-C on a terminal goes to the command anyway, and a second one often means something else.
    terminal.forwardSignals((signal) => void (terminal.isTerminal.in && signal === "SIGINT" ? 0 : child.kill(signal)));
    return child;
  } catch (error) {
    throw new CommandError(`the command cannot be started: ${reasonOf(error)}`);
  }
}

async function find(
  terminal: Terminal,
  { name, source }: Variable,
  flags: RunFlags,
  signal: AbortSignal,
): Promise<Found> {
  if (source.kind === "link") {
    const handover = await handoverOfLink(terminal, flags, await readLinkSource(terminal, source.file), signal);
    return { handover, kept: undefined };
  }
  const { kept, client } = await connectFor(terminal, source.id, flags);
  checkAsked(kept, source.field);
  const [firstField] = kept.fields ?? [];
  if (firstField && source.field === undefined) {
    throw usageError(
      `${kept.id} asks for these fields: ${namesOf(kept.fields ?? [])}. Name the one for ${name}, as in --env '${name}=request:${kept.id}#${firstField.name}'.`,
    );
  }
  const request = await getRequest(client, kept.id);
  const [id] = collectable(terminal, client.baseUrl, request);
  if (id === undefined && hasEnded(request))
    throw new CommandError(`Nothing to collect: the request is ${request.state}.`, "gone");
  if (id === undefined) throw nothingYet(request, `Wait for it with: handoff collect --wait ${kept.id}`);
  return { handover: handoverOfSubmission(client, kept, id), kept };
}

const VARIABLE = new RegExp(`^([A-Za-z_][A-Za-z0-9_]*)=(?:@(.+)|request:(${idPattern("request")})(?:#(.+))?)$`);

function parseVariable(text: string): Variable {
  const [, name, file, id, field] = VARIABLE.exec(text) ?? [];
  if (name !== undefined && file !== undefined) return { name, source: { kind: "link", file } };
  if (name !== undefined && id !== undefined) return { name, source: { kind: "request", id, field } };
  throw usageError(
    "--env: expected NAME=@FILE, where FILE holds the link, or NAME=request:ID or NAME=request:ID#FIELD; the link itself does not belong on a command line",
  );
}

async function readLinkSource(terminal: Terminal, path: string): Promise<string> {
  if (path === "-") return readLink(terminal, "-", { command: "handoff run" });
  return (await readTextFile(terminal, path)).trim();
}

const REMEDY = "Open it with 'handoff open', or 'handoff collect' for a request,";

/** The secret, or the field of it. Throws FieldError for a field that isn't there, and for fields without a choice. */
function toContent(
  terminal: Terminal,
  kept: KeptRequest | undefined,
  opened: DecodedContent,
  field: string | undefined,
): DecodedContent {
  if (kept && field !== undefined) {
    return {
      kind: "text",
      text: valueOf(terminal, kept, opened, { field, remedy: "Collect it with 'handoff collect'," }),
    };
  }
  // Text that happens to look like fields stays text where no fields were asked for.
  if (kept && kept.fields === undefined) checkNoFields(opened);
  return opened;
}

/** The value of the variable. Throws CommandError when it is empty, isn't text, or has zero bytes. */
function toValue(name: string, content: DecodedContent): string {
  if (content.kind !== "text" || content.text.includes("\0")) {
    throw new DeliveryError(
      `The secret for ${name} isn't text, and an environment variable can't hold anything else.`,
      REMEDY,
    );
  }
  if (isBlank(content.text)) {
    throw new DeliveryError(`The secret for ${name} is an empty text.`, REMEDY);
  }
  return content.text.replace(/\r?\n$/, "");
}
