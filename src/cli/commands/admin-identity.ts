import type { Command } from "commander";
import { toIsoTime } from "../../contract/times.ts";
import { getTeam } from "../../domain/administration.ts";
import type { AdminDeps } from "../../domain/administration.ts";
import { disableIdentity, enableIdentity, setScopes } from "../../domain/identities.ts";
import type { IdentityChoice } from "../../domain/identities.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { addAdminFlags, withAdminStore } from "../server/admin-store.ts";
import type { AdminFlags } from "../server/admin-store.ts";
import { addScopes, parseScopes } from "../server/administering/scopes.ts";
import { formatTable } from "../terminal/tables.ts";
import { formatJson, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Flags = AdminFlags & { readonly team?: string; readonly scope?: readonly string[] };

/** `handoff admin identity list|disable|enable|scopes` */
export function addIdentity(admin: Command, terminal: Terminal): void {
  const identity = admin.command("identity").description("Identities: named automations that hold API keys.");
  addAdminFlags(identity.command("list").description("List identities."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: Flags) => {
      const identities = await withAdminStore(flags, terminal, async (deps) =>
        deps.store.listIdentities(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      if (flags.json) terminal.out(formatJson(identities.map(present)));
      else terminal.out(formatTable(["ID", "NAME", "TEAM", "STATE", "SCOPES"], identities.map(toRow)));
    });
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

interface Change {
  readonly name: string;
  readonly description: string;
  readonly change: (deps: AdminDeps, choice: IdentityChoice, flags: Flags) => Promise<IdentityRecord>;
  /** The sentence for when it is done; `startedAt` is when the command began, in epoch milliseconds. */
  readonly done: (identity: IdentityRecord, startedAt: number) => string;
}

function addChange(identity: Command, terminal: Terminal, { name, description, change, done }: Change): Command {
  const command = identity.command(name).argument("<identity>", "Its id or name.").description(description);
  return addAdminFlags(command)
    .option("--team <name>", "The team, where several have an identity of that name.")
    .action(async (nameOrId: string, flags: Flags) => {
      const { startedAt, changed } = await withAdminStore(flags, terminal, async (deps) => ({
        startedAt: deps.clock.now(),
        changed: await change(deps, { nameOrId, team: flags.team }, flags),
      }));
      if (flags.json) terminal.out(formatJson(present(changed)));
      else terminal.say(done(changed, startedAt));
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
