import type { Command } from "commander";
import { toIsoTime } from "../../../contract/times.ts";
import type { AdminDetails, AdminLogEntry } from "../../../domain/ports/admin-log.ts";
import { addAdminFlags, readAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { parseCount } from "../../terminal/counts.ts";
import { parseDate } from "../../terminal/ends.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatJson, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface LogFlags extends AdminFlags {
  readonly after?: string;
  readonly limit?: string;
}

/** `handoff admin log` */
export function addLog(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("log").description("List what admin commands have changed, oldest first."))
    .option("--after <id-or-time>", "Only what came after this entry, or from this time on, such as 2026-11-28.")
    .option("--limit <n>", "Only so many of the newest.")
    .addHelpText("after", HELP)
    .action(async (flags: LogFlags) => {
      const after = parseAfter(flags.after);
      const limit = parseCount("--limit", flags.limit);
      const entries = await readAdminStore(flags, terminal, ({ store }) => store.listAdminLog({ ...after, limit }));
      if (flags.json) return terminal.out(entries.map((entry) => formatJson(present(entry))).join(""));
      return terminal.out(formatTable(["ID", "TIME", "USER", "ACTION", "WHAT", "TEAM", "DETAILS"], entries.map(toRow)));
    });
}

const HELP = `
--json prints an object a line. To ship what is new, give the id of the last
entry that you have. The newest 100,000 entries are kept. There are no tokens
and no links in it.

Examples:
  handoff admin log --limit 20
  handoff admin log --json --after 1234 >> /var/log/handoff-admin.jsonl`;

function parseAfter(text: string | undefined): {
  readonly afterId: number | undefined;
  readonly since: number | undefined;
} {
  if (text === undefined) return { afterId: undefined, since: undefined };
  if (/^\d{1,15}$/.test(text)) return { afterId: Number(text), since: undefined };
  const since = parseDate(text);
  if (Number.isNaN(since)) throw usageError("--after must be the ID of an entry, or a time such as 2026-11-28.");
  return { afterId: undefined, since };
}

function toRow(entry: AdminLogEntry): string[] {
  const { id, at, user, sudoUser, action, subjectId, subjectName, teamName, details } = entry;
  const facts = inOrder(details).flatMap(([name, value]) => (value === null ? [] : `${name}=${String(value)}`));
  return [
    String(id),
    toIsoTime(at) ?? "",
    sudoUser === null ? user : `${user} (${sudoUser})`,
    action,
    [subjectName, subjectId].filter((part) => part !== null).join(" ") || "-",
    teamName ?? "-",
    facts.join(" "),
  ];
}

function present({ id, at, user, sudoUser, action, subjectId, subjectName, teamId, teamName, details }: AdminLogEntry) {
  return {
    id,
    at: toIsoTime(at),
    user,
    sudo_user: sudoUser,
    action,
    subject: { id: subjectId, name: subjectName },
    team: { id: teamId, name: teamName },
    details: Object.fromEntries(inOrder(details)),
  };
}

/** Lists the details by their names, because PostgreSQL keeps them in its own order. */
function inOrder(details: AdminDetails): [name: string, value: AdminDetails[string]][] {
  return Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
