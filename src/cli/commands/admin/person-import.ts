import type { Command } from "commander";
import { isScope, SCOPES } from "../../../contract/scopes.ts";
import type { Scope } from "../../../contract/scopes.ts";
import { importPersons } from "../../../domain/signing-in/imports.ts";
import type { ListedPerson } from "../../../domain/signing-in/imports.ts";
import { readTextFile } from "../../files/text-files.ts";
import { addAdminFlags, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { presentPerson } from "../../server/administering/persons.ts";
import { formatTable } from "../../terminal/tables.ts";
import { checkStandardOutput, formatJson, toLine, usageError, warn } from "../../terminal/terminal.ts";
import type { CommandError, Terminal } from "../../terminal/terminal.ts";

type ImportFlags = AdminFlags & { readonly team: string; readonly removeOthers?: true };

const HELP = `
The list is a JSON array of people: address, and if you wish name and scopes.
  [{ "address": "ann@example.com", "name": "Ann Lee" },
   { "address": "bob@example.com", "scopes": ["secrets:create"] }]
Without a name or scopes, people keep theirs; new people then have no name and
every scope.

Examples:
  handoff admin person import people.json --team platform
  directory-export | handoff admin person import - --team platform --remove-others`;

/** `handoff admin person import` */
export function addImport(person: Command, terminal: Terminal): void {
  addAdminFlags(person.command("import"))
    .argument("<file>", "A JSON file with the list, or - for standard input.")
    .description("Add and change the people of a list. They get no sign-in links.")
    .requiredOption("--team <name>", "The team, by name or id.")
    .option("--remove-others", "Remove everybody in the team who isn't in the list.")
    .addHelpText("after", HELP)
    .action(async (file: string, flags: ImportFlags) => {
      checkStandardOutput(terminal);
      const listed = parseList(file === "-" ? await readInput(terminal) : await readTextFile(terminal, file));
      const choice = { team: flags.team, removesOthers: flags.removeOthers === true };
      const imported = await withAdminStore(flags, terminal, (deps) => importPersons(deps, choice, listed));
      warnOfUnreachable(listed, terminal);
      const shown = imported.map((each) => ({ ...presentPerson(each.person), change: each.change }));
      if (flags.json) return terminal.out(formatJson(shown));
      const rows = shown.map(({ change, address, name }) => [change, address, name ?? ""]);
      return terminal.out(formatTable(["CHANGE", "ADDRESS", "NAME"], rows));
    });
}

/** Such a person is valid: they sign in by a link, and a provider may have them under that name. */
function warnOfUnreachable(listed: readonly ListedPerson[], terminal: Terminal): void {
  for (const [at, { address }] of listed.entries()) {
    if (address.includes("@")) continue;
    warn(
      terminal,
      `Person ${at + 1} of the list has an address without @, so no mail reaches them: ${toLine(address)}.`,
    );
  }
}

async function readInput(terminal: Terminal): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await terminal.readAll());
  } catch (error) {
    if (error instanceof TypeError) throw usageError("The list on standard input isn't UTF-8 text.");
    throw error;
  }
}

/** Throws CommandError for anything but a list. */
function parseList(text: string): ListedPerson[] {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw usageError("The list isn't JSON. See 'handoff admin person import --help'.");
  }
  if (!Array.isArray(given)) throw wrong("The list isn't an array");
  return given.map((each: unknown, at) => parsePerson(each, `Person ${at + 1} of the list`));
}

function parsePerson(given: unknown, place: string): ListedPerson {
  if (typeof given !== "object" || given === null) throw wrong(`${place} isn't an object`);
  const { address, name, scopes, ...others } = given as Readonly<Record<string, unknown>>;
  // A mistyped `scopes` would allow everything.
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrong(`${place} has an unknown member '${toLine(other)}'`);
  if (typeof address !== "string") throw wrong(`${place} has no address`);
  if (typeof (name ?? "") !== "string") throw wrong(`${place} has a name that isn't a text`);
  if (scopes !== undefined && !isListOfScopes(scopes)) throw wrong(`${place} has scopes that aren't known`);
  return { address: address.trim(), name: typeof name === "string" ? name : undefined, scopes };
}

function isListOfScopes(value: unknown): value is Scope[] {
  return Array.isArray(value) && value.length > 0 && value.every(isScope);
}

function wrong(what: string): CommandError {
  return usageError(
    `${what}. Expected an array of people, each with an address, and if you wish a name and scopes, of ${SCOPES.join(", ")}.`,
  );
}
