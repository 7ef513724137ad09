import type { Command } from "commander";
import { disableIdentity, getTeam } from "../../domain/keys.ts";
import type { IdentityRecord } from "../../domain/ports.ts";
import { addAdminFlags, type AdminFlags, isoTime, withAdminStore } from "../admin-store.ts";
import { formatTable } from "../tables.ts";
import type { Terminal } from "../terminal.ts";

type Flags = AdminFlags & { readonly team?: string };

/** `handoff admin identity list|disable` */
export function addIdentity(admin: Command, terminal: Terminal): void {
  const identity = admin.command("identity").description("Identities: named automations that hold API keys.");
  addAdminFlags(identity.command("list").description("List identities."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: Flags) => {
      const identities = await withAdminStore(flags, terminal, async (deps) =>
        deps.store.listIdentities(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      if (flags.json) terminal.out(`${JSON.stringify(identities.map(present))}\n`);
      else terminal.out(formatTable(["ID", "NAME", "TEAM", "STATE", "SCOPES"], identities.map(toRow)));
    });
  addAdminFlags(
    identity.command("disable").argument("<identity>", "Its id or name.").description("End all keys of an identity."),
  )
    .option("--team <name>", "The team, where several have an identity of that name.")
    .action(async (nameOrId: string, flags: Flags) => {
      const disabled = await withAdminStore(flags, terminal, (deps) => disableIdentity(deps, nameOrId, flags.team));
      if (flags.json) terminal.out(`${JSON.stringify(present(disabled))}\n`);
      else terminal.say(`Disabled '${disabled.name}': from the next request on its keys are refused.`);
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
    created_at: isoTime(identity.createdAt),
    disabled_at: isoTime(identity.disabledAt),
  };
}
