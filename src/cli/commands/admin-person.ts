import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { toIsoTime } from "../../contract/times.ts";
import { getTeam } from "../../domain/administration.ts";
import { invitePerson, removePerson, signOutEverywhere, withdrawInvitation } from "../../domain/persons.ts";
import type { ChangedPerson, PersonAdminDeps, PersonChoice } from "../../domain/persons.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../server/admin-store.ts";
import type { AdminFlags } from "../server/admin-store.ts";
import { showOnce } from "../server/administering/shown-once.ts";
import { formatTable } from "../terminal/tables.ts";
import { checkStandardOutput, formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface PersonFlags extends AdminFlags {
  readonly team?: string;
  readonly baseUrl?: string;
}

/** `handoff admin person add|list|sign-out|remove` */
export function addPerson(admin: Command, terminal: Terminal): void {
  const person = admin.command("person").description("People, who sign in at the page. They hold no API keys.");
  addAdd(person, terminal);
  addList(person, terminal);
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
    "Remove a person, who is signed out everywhere. What they sent stays.",
    removePerson,
  );
}

function addAdd(person: Command, terminal: Terminal): void {
  addAdminFlags(person.command("add"), ["baseUrl"])
    .argument("<address>", "Who it is, such as ann@example.com.")
    .description("Add a person, or let one in again. Their sign-in link is all that is printed on standard output.")
    .requiredOption("--team <name>", "The team, by name or id.")
    .option("--name <name>", 'Their name, which recipients see, such as "Ann Lee". Given again, it renames them.')
    .addHelpText(
      "after",
      `
Example:
  handoff admin person add ann@example.com --team ops --name "Ann Lee" --base-url https://handoff.example`,
    )
    .action(async (address: string, flags: PersonFlags & { readonly team: string; readonly name?: string }) => {
      checkStandardOutput(terminal);
      const { baseUrl: given, listen } = loadSettings({ baseUrl: flags.baseUrl, config: flags.config }, terminal.env, [
        "baseUrl",
        "listen",
      ]);
      const baseUrl = given ?? `http://${listen}`;
      const expiresAt = await withAdminStore(flags, terminal, async (deps) => {
        const invited = await invitePerson(deps, { team: flags.team, address, name: flags.name });
        const url = `${baseUrl}/sign-in#${invited.token}`;
        const end = toIsoTime(invited.expiresAt);
        const json = { ...present(invited.person), url, expires_at: end };
        const undo = async () => {
          await withdrawInvitation(deps, invited);
          return `The new link was ended, and earlier links for ${address} with it. Run this again where its output can be written.`;
        };
        const otherwise = `Nobody has the link. Run this again: a newer link ends it.`;
        await showOnce(() => terminal.out(flags.json ? formatJson(json) : `${url}\n`), undo, otherwise);
        return end;
      });
      if (flags.json) return;
      if (given === undefined) {
        terminal.say(
          `Neither --base-url nor HANDOFF_BASE_URL says where the server is: the link leads to ${baseUrl}, as HANDOFF_LISTEN or its default has it.`,
        );
      }
      terminal.say(`Give this link to ${address}: it lets them in once, until ${expiresAt}. It is shown this once.`);
    });
}

function addList(person: Command, terminal: Terminal): void {
  addAdminFlags(person.command("list").description("List the people."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: PersonFlags) => {
      const all = await readAdminStore(flags, terminal, async (deps) =>
        deps.store.listIdentities(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      const people = all.filter(({ kind }) => kind === "person").map(present);
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
      const { before, after } = await withAdminStore(flags, terminal, (deps) =>
        end(deps, { nameOrId, team: flags.team }),
      );
      if (flags.json) terminal.out(formatJson(present(after)));
      else if (name === "remove" && before.disabledAt !== null) {
        terminal.say(`${after.name} is removed already, since ${toIsoTime(before.disabledAt)}.`);
      } else terminal.say(name === "remove" ? `Removed ${after.name}.` : `Signed ${after.name} out everywhere.`);
    });
}

function present(person: IdentityRecord) {
  return {
    id: person.id,
    address: person.name,
    name: person.personName,
    team: { id: person.teamId, name: person.teamName },
    created_at: toIsoTime(person.createdAt),
    removed_at: toIsoTime(person.disabledAt),
  };
}
