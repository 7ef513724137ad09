import type { Command } from "commander";
import { loadSettings } from "../../../config/load.ts";
import type { Scope } from "../../../contract/scopes.ts";
import { toIsoTime } from "../../../contract/times.ts";
import { AdminError, getTeam } from "../../../domain/administration.ts";
import type { IdentityRecord } from "../../../domain/ports/identities.ts";
import type { PasskeyRecord } from "../../../domain/ports/passkeys.ts";
import type { SessionRecord } from "../../../domain/ports/persons.ts";
import type { ProviderAccount } from "../../../domain/ports/providers.ts";
import { liveSessionsOf } from "../../../domain/sessions.ts";
import {
  checkGuest,
  getPerson,
  invitePerson,
  removePasskeyOf,
  removePerson,
  signOutEverywhere,
  withdrawInvitation,
} from "../../../domain/signing-in/persons.ts";
import type {
  ChangedPerson,
  InvitedPerson,
  PersonAdminDeps,
  PersonChoice,
} from "../../../domain/signing-in/persons.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { presentPerson } from "../../server/administering/persons.ts";
import { addScopes, parseScopes } from "../../server/administering/scopes.ts";
import { showOnce } from "../../server/administering/shown-once.ts";
import { formatTable } from "../../terminal/tables.ts";
import { checkStandardOutput, formatJson, remark, toLine, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addImport } from "./person-import.ts";

type AddFlags = PersonFlags & { readonly team: string; readonly name?: string; readonly scope?: readonly string[] };

interface PersonFlags extends AdminFlags {
  readonly team?: string;
  readonly baseUrl?: string;
}

/** `handoff admin person add|import|list|show|sign-out|remove|passkey` */
export function addPerson(admin: Command, terminal: Terminal): void {
  const person = admin.command("person").description("People, who sign in at the page. They hold no API keys.");
  addAdd(person, terminal);
  addImport(person, terminal);
  addList(person, terminal);
  addShow(person, terminal);
  addEnd(
    person,
    terminal,
    "sign-out",
    "Sign a person out everywhere. A new sign-in link lets them in again.",
    signOutEverywhere,
  );
  addEnd(
    person,
    terminal,
    "remove",
    "Remove a person, who is signed out everywhere, and their passkeys. What they sent stays.",
    removePerson,
  );
  addPasskeyRemoval(person, terminal);
}

/** The URL of a server that listens on `listen`. Throws CommandError when it has no host: a link would lead nowhere. */
function urlOf(listen: string): string {
  if (!/^unix:|^:/.test(listen)) return `http://${listen}`;
  throw usageError(
    `Neither --base-url nor HANDOFF_BASE_URL says what links begin with, and HANDOFF_LISTEN, which is '${listen}', names no host. Give --base-url.`,
  );
}

function addAdd(person: Command, terminal: Terminal): void {
  addScopes(
    addAdminFlags(person.command("add"), ["baseUrl"]),
    "What they may do at the page, everything without it. Given again, it replaces what they could do",
  )
    .argument("<addresses...>", "Who it is, such as ann@example.com, or with a name 'Ann Lee <ann@example.com>'.")
    .description("Add people, or let them in again. Their sign-in links are all that is printed on standard output.")
    .requiredOption("--team <name>", "The team, by name or id.")
    .option("--name <name>", 'Their name, which recipients see, such as "Ann Lee". Given again, it renames them.')
    .addHelpText("after", ADD_HELP)
    .action(async (addresses: string[], flags: AddFlags) => {
      checkStandardOutput(terminal);
      const guests = toGuests(addresses, flags.name);
      const scopes = flags.scope && parseScopes(flags.scope);
      const { baseUrl: given, listen } = loadSettings({ baseUrl: flags.baseUrl, config: flags.config }, terminal.env, [
        "baseUrl",
        "listen",
      ]);
      const baseUrl = given ?? urlOf(listen);
      const end = await withAdminStore(flags, terminal, (deps) =>
        inviteAll(deps, guests, { ...flags, baseUrl, scopes }, terminal),
      );
      if (flags.json) return;
      if (given === undefined) {
        terminal.say(
          `Neither --base-url nor HANDOFF_BASE_URL says where the server is: the link leads to ${baseUrl}, as HANDOFF_LISTEN or its default has it.`,
        );
      }
      const [first, second] = guests;
      remark(
        terminal,
        second
          ? `Give each person their link: it lets them in once, until ${end}. It is shown this once.`
          : `Give this link to ${first?.address}: it lets them in once, until ${end}. It is shown this once.`,
      );
    });
}

const ADD_HELP = `
Of several people, each line has the address, a tab, and the link; with --json,
they are an array.

Examples:
  handoff admin person add ann@example.com --team ops --name "Ann Lee" --base-url https://handoff.example
  handoff admin person add "Ann Lee <ann@example.com>" "Bob Ray <bob@example.com>" --team ops`;

/** A person to add. */
interface Guest {
  readonly address: string;
  readonly name: string | undefined;
}

/** The people whom arguments name, as mail programs write them. Throws CommandError before anyone is added. */
function toGuests(texts: readonly string[], name: string | undefined): Guest[] {
  if (name !== undefined && texts.length > 1) {
    throw usageError("--name is for one person: write several as 'Ann Lee <ann@example.com>'");
  }
  const guests = texts.map((text) => {
    const [, named, address] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
    const guest = { address: (address ?? text).trim(), name: name ?? (named?.trim() || undefined) };
    checkOneOf(texts, text, guest);
    return guest;
  });
  const twice = guests.find(({ address }, at) => guests.some((other, i) => i < at && other.address === address));
  if (twice) throw usageError(`'${twice.address}' is named twice`);
  return guests;
}

/** Throws AdminError for a person who can't be added, and says which one of several it is. */
function checkOneOf(texts: readonly string[], text: string, guest: Guest): void {
  try {
    checkGuest(guest);
  } catch (error) {
    if (texts.length === 1 || !(error instanceof AdminError)) throw error;
    throw new AdminError(`'${toLine(text)}' is ${error.message.replace(/^--name: /, "")}. Nobody was added`, "usage");
  }
}

/** Invites everyone, and shows each link as soon as it is made. Resolves with the time at which the last one ends. */
async function inviteAll(
  deps: PersonAdminDeps,
  guests: readonly Guest[],
  {
    team,
    json,
    baseUrl,
    scopes,
  }: AddFlags & { readonly baseUrl: string; readonly scopes: readonly Scope[] | undefined },
  terminal: Terminal,
): Promise<string> {
  const shown: object[] = [];
  const unseen: InvitedPerson[] = [];
  let end = "";
  for (const [at, { address, name }] of guests.entries()) {
    const invited = await invitePerson(deps, { team, address, name, scopes });
    unseen.push(invited);
    const url = `${baseUrl}/sign-in#${invited.token}`;
    end = toIsoTime(invited.expiresAt) ?? "";
    shown.push({ ...presentPerson(invited.person), url, expires_at: end });
    const line = guests.length > 1 ? `${invited.person.name}\t${url}\n` : `${url}\n`;
    const isLast = at === guests.length - 1;
    const show = () => {
      if (!json) terminal.out(line);
      else if (isLast) terminal.out(formatJson(guests.length > 1 ? shown : shown[0]));
    };
    const undo = async () => {
      for (const each of unseen) await withdrawInvitation(deps, each);
      const whom = unseen.map((each) => each.person.name).join(", ");
      const links = unseen.length > 1 ? "The new links were" : "The new link was";
      return `${links} ended, and earlier links for ${whom} with ${unseen.length > 1 ? "them" : "it"}. Run this again where its output can be written.`;
    };
    await showOnce(show, undo, "Nobody has the link. Run this again: a newer link ends it.");
    if (!json) unseen.length = 0;
  }
  return end;
}

function addList(person: Command, terminal: Terminal): void {
  addAdminFlags(person.command("list").description("List the people."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: PersonFlags) => {
      const all = await readAdminStore(flags, terminal, async (deps) =>
        deps.store.listIdentities(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      const people = all.filter(({ kind }) => kind === "person").map(presentPerson);
      if (flags.json) return terminal.out(formatJson(people));
      const rows = people.map((each) => [
        each.id,
        each.address,
        each.name ?? "",
        each.team.name,
        each.removed_at === null ? "active" : "removed",
        each.created_at ?? "",
      ]);
      return terminal.out(formatTable(["ID", "ADDRESS", "NAME", "TEAM", "STATE", "ADDED"], rows));
    });
}

function addShow(person: Command, terminal: Terminal): void {
  addAdminFlags(person.command("show").argument("<name-or-id>"))
    .description("Show a person: what they may do, where they are signed in, and their passkeys.")
    .option("--team <name>", "The team, where several have a person of that name.")
    .action(async (nameOrId: string, flags: PersonFlags) => {
      const settings = loadSettings({ config: flags.config }, terminal.env, [
        "sessionIdle",
        "sessionLifetime",
        "oidcRecheck",
      ]);
      const policy = {
        sessionIdleSeconds: settings.sessionIdle,
        sessionLifetimeSeconds: settings.sessionLifetime,
        oidcRecheckSeconds: settings.oidcRecheck,
      };
      const shown = await readAdminStore(flags, terminal, async (deps) => {
        const found = await getPerson(deps, { nameOrId, team: flags.team });
        const sessions = await liveSessionsOf({ ...deps, policy }, found.id);
        const account = await deps.store.findProviderAccount(found.id);
        return presentWhole(found, sessions, await deps.store.listPasskeys(found.id), account);
      });
      terminal.out(flags.json ? formatJson(shown) : describeWhole(shown));
    });
}

function addPasskeyRemoval(person: Command, terminal: Terminal): void {
  const passkey = person.command("passkey").description("Passkeys, which people add at the page.");
  addAdminFlags(passkey.command("remove").argument("<name-or-id>").argument("<passkey-id>"))
    .description("Remove a passkey of a person, such as one on a lost phone. Sign them out too if it may be in use.")
    .option("--team <name>", "The team, where several have a person of that name.")
    .action(async (nameOrId: string, passkeyId: string, flags: PersonFlags) => {
      const choice = { nameOrId, team: flags.team };
      const owner = await withAdminStore(flags, terminal, (deps) => removePasskeyOf(deps, choice, passkeyId));
      if (flags.json) terminal.out(formatJson(presentPerson(owner)));
      else
        remark(terminal, `Removed the passkey ${passkeyId} of ${owner.name}. Where they are signed in, they stay so.`);
    });
}

function addEnd(
  person: Command,
  terminal: Terminal,
  name: "sign-out" | "remove",
  description: string,
  end: (deps: PersonAdminDeps, choice: PersonChoice) => Promise<ChangedPerson>,
): void {
  addAdminFlags(person.command(name).argument("<name-or-id>").description(description))
    .option("--team <name>", "The team, where several have a person of that name.")
    .action(async (nameOrId: string, flags: PersonFlags) => {
      const { before, after, passkeys } = await withAdminStore(flags, terminal, async (deps) => {
        const ended = await end(deps, { nameOrId, team: flags.team });
        return { ...ended, passkeys: (await deps.store.listPasskeys(ended.after.id)).length };
      });
      if (flags.json) terminal.out(formatJson(presentPerson(after)));
      else if (name === "remove" && before.disabledAt !== null) {
        remark(terminal, `${after.name} is removed already, since ${toIsoTime(before.disabledAt)}.`);
      } else remark(terminal, name === "remove" ? `Removed ${after.name}.` : `Signed ${after.name} out everywhere.`);
      if (!flags.json && passkeys > 0) {
        const left = passkeys > 1 ? `${passkeys} passkeys still sign them in` : "A passkey still signs them in";
        remark(terminal, `${left}: 'handoff admin person show ${after.id}' lists them.`);
      }
    });
}

type Whole = ReturnType<typeof presentWhole>;

function presentWhole(
  person: IdentityRecord,
  sessions: readonly SessionRecord[],
  passkeys: readonly PasskeyRecord[],
  account: ProviderAccount | undefined,
) {
  return {
    ...presentPerson(person),
    scopes: person.scopes,
    sessions: sessions.map(({ id, way, browser, system, ...times }) => ({
      id,
      way,
      browser,
      system,
      created_at: toIsoTime(times.createdAt),
      last_used_at: toIsoTime(times.lastUsedAt),
      expires_at: toIsoTime(times.expiresAt),
    })),
    passkeys: passkeys.map(({ id, browser, system, createdAt, lastUsedAt }) => ({
      id,
      browser,
      system,
      created_at: toIsoTime(createdAt),
      last_used_at: toIsoTime(lastUsedAt),
    })),
    account:
      account === undefined
        ? null
        : { issuer: account.issuer, subject: account.subject, created_at: toIsoTime(account.createdAt) },
  };
}

function describeWhole({ scopes, sessions, passkeys, account, ...person }: Whole): string {
  const facts = [
    ["id", person.id],
    ["address", person.address],
    ["name", person.name ?? ""],
    ["team", person.team.name],
    ["state", person.removed_at === null ? "active" : "removed"],
    ["added", person.created_at],
    ["may", scopes.join(" ")],
    ...(account === null ? [] : [["account", `${account.subject} at ${account.issuer}, since ${account.created_at}`]]),
  ];
  const browserOf = (each: { readonly browser: string | null; readonly system: string | null }) =>
    [each.browser, each.system].filter((name) => name !== null).join(" on ") || "unknown";
  const rows = (all: readonly string[][], head: readonly string[], none: string) =>
    all.length === 0 ? `${none}\n` : formatTable(head, all);
  return [
    formatTable(["FIELD", "VALUE"], facts),
    rows(
      sessions.map((each) => [each.id, browserOf(each), each.way, each.created_at, each.last_used_at, each.expires_at]),
      ["SESSION", "BROWSER", "BY", "SINCE", "LAST USED", "ENDS"],
      "Signed in nowhere.",
    ),
    rows(
      passkeys.map((each) => [each.id, browserOf(each), each.created_at, each.last_used_at ?? "never"]),
      ["PASSKEY", "ADDED WITH", "ADDED", "LAST USED"],
      "No passkeys.",
    ),
  ].join("\n");
}
