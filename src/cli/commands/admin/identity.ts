import type { Command } from "commander";
import { toIsoTime } from "../../../contract/times.ts";
import { getTeam } from "../../../domain/administration.ts";
import type { AdminDeps } from "../../../domain/administration.ts";
import {
  deleteIdentity,
  disableIdentity,
  enableIdentity,
  getIdentity,
  renameIdentity,
  setScopes,
} from "../../../domain/identities.ts";
import type { IdentityChoice } from "../../../domain/identities.ts";
import type { IdentityRecord } from "../../../domain/ports/identities.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { addScopes, parseScopes } from "../../server/administering/scopes.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { countOf } from "../../terminal/counts.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatJson, remark, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const TEAM_DOC = "The team, where several have an identity of that name.";

type Flags = AdminFlags & { readonly team?: string; readonly scope?: readonly string[] };

/** `handoff admin identity list|rename|scopes|disable|enable|delete` */
export function addIdentity(admin: Command, terminal: Terminal): void {
  const identity = admin.command("identity").description("Identities: named automations that hold API keys.");
  addAdminFlags(identity.command("list").description("List identities."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: Flags) => {
      const identities = await readAdminStore(flags, terminal, async (deps) =>
        deps.store.listIdentities(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      if (flags.json) terminal.out(formatJson(identities.map(present)));
      else terminal.out(formatTable(["ID", "NAME", "TEAM", "STATE", "SCOPES"], identities.map(toRow)));
    });
  addRename(identity, terminal);
  addDelete(identity, terminal);
  addChange(identity, terminal, {
    name: "disable",
    description: "End all keys of an identity, until it is enabled again.",
    change: disableIdentity,
    done: ({ name, disabledAt }, startedAt) =>
      disabledAt !== null && disabledAt < startedAt
        ? `'${name}' is disabled already, since ${toIsoTime(disabledAt)}.`
        : `Disabled '${name}': from the next request on its keys are refused.`,
  });
  addChange(identity, terminal, {
    name: "enable",
    description: "Undo 'disable': keys that have not ended otherwise work again.",
    change: enableIdentity,
    done: ({ name }) => `Enabled '${name}': its keys work again, if they have not ended otherwise.`,
  });
  addScopes(
    addChange(identity, terminal, {
      name: "scopes",
      description: "Change what an identity may do, with all its keys.",
      change: async (deps, choice, flags) => {
        const [first, ...others] = parseScopes(flags.scope);
        if (!first) throw usageError("say with --scope all that the identity may do from now on");
        return setScopes(deps, choice, [first, ...others]);
      },
      done: ({ name, scopes }) => `From the next request on '${name}' may: ${scopes.join(" ")}`,
    }),
    "All that it may do from now on",
  ).addHelpText("after", "\nExample:\n  handoff admin identity scopes ci --scope secrets:create --scope secrets:read");
}

function addRename(identity: Command, terminal: Terminal): void {
  addAdminFlags(
    identity.command("rename").argument("<identity>", "Its ID or name.").argument("<name>", "Its new name."),
  )
    .description("Give an identity another name. Its keys go on.")
    .option("--team <name>", TEAM_DOC)
    .action(async (nameOrId: string, name: string, flags: Flags) => {
      const choice = { nameOrId, team: flags.team };
      const renamed = await withAdminStore(flags, terminal, (deps) => renameIdentity(deps, choice, name));
      if (flags.json) terminal.out(formatJson(present(renamed)));
      else remark(terminal, `${renamed.id} is now named '${renamed.name}'.`);
    });
}

function addDelete(identity: Command, terminal: Terminal): void {
  addAdminFlags(identity.command("delete").argument("<identity>", "Its ID or name."))
    .description("Delete an identity with its keys. What it made stays. It can't be undone.")
    .option("--team <name>", TEAM_DOC)
    .option("--yes", "Delete it without asking.")
    .action(async (nameOrId: string, flags: Flags & { readonly yes?: true }) => {
      const choice = { nameOrId, team: flags.team };
      const { found, keys } = await withAdminStore(flags, terminal, async (deps) => {
        const identityFound = await getIdentity(deps, choice);
        const all = await deps.store.listKeys(identityFound.teamId);
        return { found: identityFound, keys: all.filter((key) => key.identity.id === identityFound.id) };
      });
      const what = `'${found.name}' of the team '${found.teamName}' with its ${countOf(keys.length, "key")}`;
      await confirm(terminal, `Delete ${what}? What it made stays.`, flags.yes === true);
      await withAdminStore(flags, terminal, (deps) => deleteIdentity(deps, { nameOrId: found.id, team: undefined }));
      if (flags.json) terminal.out(formatJson(present(found)));
      else remark(terminal, `Deleted ${what}.`);
    });
}

interface Change {
  readonly name: string;
  readonly description: string;
  readonly change: (deps: AdminDeps, choice: IdentityChoice, flags: Flags) => Promise<IdentityRecord>;
  /** The sentence for the end; `startedAt` is when the command began, in epoch milliseconds. */
  readonly done: (identity: IdentityRecord, startedAt: number) => string;
}

function addChange(identity: Command, terminal: Terminal, { name, description, change, done }: Change): Command {
  const command = identity.command(name).argument("<identity>", "Its id or name.").description(description);
  return addAdminFlags(command)
    .option("--team <name>", TEAM_DOC)
    .action(async (nameOrId: string, flags: Flags) => {
      const { startedAt, changed } = await withAdminStore(flags, terminal, async (deps) => ({
        startedAt: deps.clock.now(),
        changed: await change(deps, { nameOrId, team: flags.team }, flags),
      }));
      if (flags.json) terminal.out(formatJson(present(changed)));
      else remark(terminal, done(changed, startedAt));
    });
}

function toRow(identity: IdentityRecord): string[] {
  return [
    identity.id,
    identity.name,
    identity.teamName,
    identity.disabledAt === null ? "enabled" : "disabled",
    identity.scopes.join(" "),
  ];
}

function present(identity: IdentityRecord) {
  return {
    id: identity.id,
    name: identity.name,
    team: { id: identity.teamId, name: identity.teamName },
    scopes: identity.scopes,
    created_at: toIsoTime(identity.createdAt),
    disabled_at: toIsoTime(identity.disabledAt),
  };
}
