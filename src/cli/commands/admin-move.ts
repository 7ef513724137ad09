import { resolve } from "node:path";
import type { Command } from "commander";
import { readDatabaseUrlFile } from "../../config/database-url-files.ts";
import { hasPassword } from "../../config/database-urls.ts";
import { defaultDataDir, loadSettings } from "../../config/load.ts";
import { formatCounts } from "../../store/sqlite/backups/backup-files.ts";
import { addSettings } from "../server/setting-options.ts";
import { findPostgres, shownPlace } from "../server/storages/places.ts";
import type { FolderPlace } from "../server/storages/places.ts";
import { confirm } from "../terminal/confirmations.ts";
import { formatJson, remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface MoveFlags {
  readonly dataDir?: string;
  readonly config?: string;
  readonly to?: string;
  readonly toFile?: string;
  readonly undo?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** `handoff admin move` */
export function addMove(admin: Command, terminal: Terminal): void {
  addSettings(admin.command("move"), ["dataDir"])
    .option(
      "--to <URL>",
      "The PostgreSQL database, such as postgresql://handoff@db.example/handoff. It has to be empty.",
    )
    .option("--to-file <FILE>", "A file with that URL. With a password in it, the URL can only be given so.")
    .option("--undo", "Take a move back, where the database is gone for good, or was never used.")
    .option("--yes", "Don't ask.")
    .option("--json", "Print JSON.")
    .description("Move everything from the data folder to PostgreSQL.")
    .addHelpText("after", HELP)
    .action((flags: MoveFlags) => move(flags, terminal));
}

const HELP = `
Stop the server first. Everything is compared after it was copied. From then on no server starts on the old data folder: two would hand
out the same secret twice. It stays as it is, with its ciphertexts, until you delete it. If a move is cut off, run it again.

Examples:
  handoff admin move --to-file /etc/handoff/database-url
  handoff admin move --to 'postgresql:///handoff?host=/run/postgresql'`;

async function move(flags: MoveFlags, terminal: Terminal): Promise<void> {
  const { dataDir, config, undo } = flags;
  const settings = loadSettings({ dataDir, config }, terminal.env, ["dataDir", "databasePool", "databaseTimeout"]);
  const source = { kind: "folder", folder: settings.dataDir ?? defaultDataDir(terminal.env) } as const;
  if (undo) return await takeBack(source, flags, terminal);
  const target = findPostgres(urlIn(flags), settings);
  const folder = resolve(source.folder);
  await confirm(
    terminal,
    `Move everything from '${folder}' to '${target.name}'? No server starts on that folder then.`,
    flags.yes === true,
  );
  const { moveStorage } = await import("../server/storages/moving.ts");
  const counts = await moveStorage(source, target, terminal);
  if (flags.json) {
    terminal.out(formatJson({ ...shownPlace(source), ...shownPlace(target), ...counts }));
    return;
  }
  remark(terminal, `Moved everything to '${target.name}', and compared it: ${formatCounts(counts)}.`);
  remark(
    terminal,
    "To switch, give the server that URL: as HANDOFF_DATABASE_URL, or in a file, with --database-url-file.",
  );
  remark(
    terminal,
    `When it works, delete the old data folder. Ciphertexts stay in it, also of what is opened from now on: '${folder}'`,
  );
}

/** The URL of the database to move to. Throws CommandError when none is given, or one that shows a password. */
function urlIn({ to, toFile }: MoveFlags): string {
  if (to !== undefined && toFile !== undefined) {
    throw usageError("--to and --to-file both name the database to move to: give one of them");
  }
  if (to === undefined && toFile === undefined) {
    throw usageError("name the database: with --to, or with --to-file if there is a password in its URL");
  }
  if (to !== undefined && hasPassword(to)) {
    throw usageError(
      "everybody on this machine can see the arguments of a program: put a URL with a password in it into a file, and name that with --to-file",
    );
  }
  return to ?? readDatabaseUrlFile(toFile ?? "", "--to-file");
}

async function takeBack(source: FolderPlace, flags: MoveFlags, terminal: Terminal): Promise<void> {
  if (flags.to !== undefined || flags.toFile !== undefined) throw usageError("--undo goes with no --to or --to-file");
  const folder = resolve(source.folder);
  await confirm(
    terminal,
    `Let servers start on '${folder}' again? They hand out what was opened since it was moved.`,
    flags.yes === true,
  );
  const { undoMoveFrom } = await import("../server/storages/moving.ts");
  const database = await undoMoveFrom(source, terminal);
  if (flags.json) {
    terminal.out(formatJson({ ...shownPlace(source), database }));
    return;
  }
  remark(terminal, `Servers start on '${folder}' again. None may run any more on '${database}'.`);
}
