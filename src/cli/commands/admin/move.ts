import { resolve } from "node:path";
import type { Command } from "commander";
import { readDatabaseUrlFile } from "../../../config/database-url-files.ts";
import { DatabaseUrl } from "../../../config/database-urls.ts";
import { defaultDataDir, loadSettings } from "../../../config/load.ts";
import { objectStoreOf } from "../../server/admin-store.ts";
import { addSettings } from "../../server/setting-options.ts";
import type { FoundMoved } from "../../server/storages/moving.ts";
import { OBJECT_STORE } from "../../server/storages/object-stores.ts";
import type { ObjectStorePlace } from "../../server/storages/object-stores.ts";
import { findPostgres, shownPlace } from "../../server/storages/places.ts";
import type { FolderPlace, PostgresPlace } from "../../server/storages/places.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { formatCounts } from "../../terminal/counts.ts";
import { describeLarge, largeCounts } from "../../terminal/large-counts.ts";
import { CommandError, formatJson, remark, usageError, warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface MoveFlags {
  readonly dataDir?: string;
  readonly objectStore?: string;
  readonly objectStoreKeyFile?: string;
  readonly config?: string;
  readonly to?: string;
  readonly toFile?: string;
  readonly undo?: true;
  readonly force?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** `handoff admin move` */
export function addMove(admin: Command, terminal: Terminal): void {
  addSettings(admin.command("move"), ["dataDir", ...OBJECT_STORE])
    .option(
      "--to <URL>",
      "The PostgreSQL database, such as postgresql://handoff@db.example/handoff. It has to be empty.",
    )
    .option("--to-file <FILE>", "A file with that URL. With a password in it, the URL can only be given so.")
    .option("--undo", "Undo a move, where the database is gone for good, or was never used.")
    .option("--force", "With --undo: do it even if the database was used, or that can't be told.")
    .option("--yes", "Don't ask.")
    .option("--json", "Print JSON.")
    .description("Move everything from the data folder to PostgreSQL.")
    .addHelpText("after", HELP)
    .action((flags: MoveFlags) => move(flags, terminal));
}

const HELP = `
Stop the server first. Everything is compared after it was copied. From then on
no server starts on the old data folder: two would hand out the same secret
twice. It stays as it is, with its ciphertexts, until you delete it. If a move
is cut off, run it again.

--undo looks at the database first, and empties it if it was never used. It
needs the URL with --to-file if there is a password in it, and the object store
if large secrets were put there.

Examples:
  handoff admin move --to-file /etc/handoff/database-url
  handoff admin move --to 'postgresql:///handoff?host=/run/postgresql'`;

async function move(flags: MoveFlags, terminal: Terminal): Promise<void> {
  const { dataDir, config, undo } = flags;
  const settings = loadSettings({ dataDir, config }, terminal.env, ["dataDir", "databasePool", "databaseTimeout"]);
  const source = { kind: "folder", folder: settings.dataDir ?? defaultDataDir(terminal.env) } as const;
  const place = (url: DatabaseUrl) => findPostgres(url, settings, terminal.env);
  if (undo) return await undoMove(source, place, flags, terminal);
  if (flags.force) throw usageError("--force goes with --undo alone");
  const target = place(urlIn(flags));
  const objectStore = objectStoreOf(flags, terminal);
  const folder = resolve(source.folder);
  await confirm(
    terminal,
    `Move everything from '${folder}' to '${target.name}'? No server starts on that folder then.`,
    flags.yes === true,
  );
  const { moveStorage } = await import("../../server/storages/moving.ts");
  const { counts, large, wasMoved } = await moveStorage(source, target, objectStore, terminal);
  if (flags.json) {
    terminal.out(formatJson({ ...shownPlace(source), ...shownPlace(target), ...counts, ...largeCounts(large) }));
    return;
  }
  const what = wasMoved
    ? `Everything has arrived in '${target.name}' already`
    : `Moved everything to '${target.name}', and compared it`;
  remark(terminal, `${what}: ${formatCounts(counts)}${describeLarge(large)}.`);
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
function urlIn({ to, toFile }: MoveFlags): DatabaseUrl {
  if (to !== undefined && toFile !== undefined) {
    throw usageError("--to and --to-file both name the database to move to: give one of them");
  }
  if (to === undefined && toFile === undefined) {
    throw usageError("name the database: with --to, or with --to-file if there is a password in its URL");
  }
  if (to === undefined) return readDatabaseUrlFile(toFile ?? "", "--to-file");
  const url = new DatabaseUrl(to);
  if (url.hasPassword) {
    throw usageError(
      "everybody on this machine can see the arguments of a program: put a URL with a password in it into a file, and name that with --to-file",
    );
  }
  return url;
}

async function undoMove(
  source: FolderPlace,
  findTarget: (url: DatabaseUrl) => PostgresPlace,
  flags: MoveFlags,
  terminal: Terminal,
): Promise<void> {
  const folder = resolve(source.folder);
  const given = flags.to === undefined && flags.toFile === undefined ? undefined : findTarget(urlIn(flags));
  const objectStore = objectStoreOf(flags, terminal);
  const { undoMoveFrom } = await import("../../server/storages/moving.ts");
  let isUnused = false;
  const allow = async (found: FoundMoved) => {
    isUnused = found.state === "unused" || found.state === "undone";
    const doubt = findDoubt(found, folder, { given, objectStore });
    if (doubt !== undefined && !flags.force) throw new CommandError(doubt);
    const erased =
      found.objects === "found" && objectStore
        ? ` The ciphertexts of large secrets in '${objectStore.name}' will be erased.`
        : "";
    const question = `Let servers start on '${folder}' again? '${found.name}' ${FINDINGS[found.state]}${erased}`;
    await confirm(terminal, question, flags.yes === true);
  };
  const database = await undoMoveFrom(
    source,
    (url) => given ?? findTarget(new DatabaseUrl(url)),
    objectStore,
    allow,
    terminal,
  );
  if (!isUnused) warn(terminal, `${RISK}.`);
  if (flags.json) return terminal.out(formatJson({ ...shownPlace(source), database }));
  const there = isUnused
    ? `'${database}' has nothing but its admin log any more.`
    : `Start none on '${database}' any more.`;
  remark(terminal, `Servers start on '${folder}' again. ${there}`);
}

const RISK = "what was opened there since the move can be opened again, and what was sent there is missing";

const MAYBE_USED = `may have been used: ${RISK}.`;

const LEFT_THERE = "If it's gone for good, add --force: what is there stays.";

const LEFT_BEHIND = `The move has put the ciphertexts of large secrets into an object store. Nothing was changed. Name it with --object-store and --object-store-key-file, and they are erased there. ${LEFT_THERE}`;

/** The findings about the database that the admin sees before the move is undone. */
const FINDINGS: Readonly<Record<FoundMoved["state"], string>> = {
  unused: "wasn't used since everything was moved there, and will be emptied but for its admin log.",
  undone: "wasn't used since everything was moved there, and was emptied but for its admin log.",
  away: `can't be reached: ${RISK}.`,
  empty: `has nothing in it: ${RISK}.`,
  used: MAYBE_USED,
  other: MAYBE_USED,
  unknown: MAYBE_USED,
};

/**
 * The reason to undo a move only with --force; undefined when there is none. `given` and `objectStore` are what the
 * flags name.
 */
function findDoubt(
  { name, state, why, objects }: FoundMoved,
  folder: string,
  {
    given,
    objectStore,
  }: { readonly given: PostgresPlace | undefined; readonly objectStore: ObjectStorePlace | undefined },
): string | undefined {
  const force = `Nothing was changed. If it's gone for good, add --force: ${RISK}.`;
  if (state === "used") {
    return `'${name}' was used since everything was moved there. Nothing was changed. The way back with all of it is a backup of it with --with-secrets, restored with --keep-secrets into a new data folder. To let servers start on '${folder}' all the same, add --force: ${RISK}.`;
  }
  if (state === "unused") {
    if (objects !== "missing") return undefined;
    return objectStore
      ? `The ciphertexts of large secrets aren't in '${objectStore.name}'. Nothing was changed. Name the object store that the move has put them into. ${LEFT_THERE}`
      : LEFT_BEHIND;
  }
  if (given !== undefined && given.address !== name)
    return `Everything was moved to '${name}', and not to '${given.name}'. ${force}`;
  if (state === "other")
    return `In '${name}' there is another database than the one that everything was moved to. ${force}`;
  if (state === "away") return `'${name}' can't be reached, so whether it was used can't be told. ${force}`;
  if (state === "unknown") {
    return `${why} So whether it was used can't be told. If there is a password in its URL, name a file with that URL with --to-file. ${force}`;
  }
  return undefined;
}
