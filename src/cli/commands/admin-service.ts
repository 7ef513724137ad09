import type { Command } from "commander";
import { BACKUP_TIMER, BACKUP_UNIT, backupUnitOver, UNIT, unitOver } from "../server/units.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ServiceFlags {
  readonly backup?: true;
  readonly timer?: true;
  readonly databaseUrlFile?: string;
}

/** `handoff admin service`: the systemd units. */
export function addService(admin: Command, terminal: Terminal): void {
  admin
    .command("service")
    .description("Print a systemd unit: for this server, or for its backups.")
    .option("--backup", "The unit that makes a backup.")
    .option("--timer", "With --backup, the timer that starts that unit every night.")
    .option(
      "--database-url-file <path>",
      "For a database in PostgreSQL: the file with its URL, which systemd reads as root.",
    )
    .addHelpText("after", HELP)
    .action((flags: ServiceFlags) => {
      if (flags.timer && !flags.backup) throw usageError("--timer is of the backup: give --backup too");
      terminal.out(flags.timer ? BACKUP_TIMER : unitFor(flags));
    });
}

function unitFor({ backup, databaseUrlFile: file }: ServiceFlags): string {
  if (file === undefined) return backup ? BACKUP_UNIT : UNIT;
  // Anything else would mean something to systemd.
  if (!/^\/[\w./@+-]+$/.test(file)) {
    throw usageError(
      "--database-url-file is for systemd: a path that begins with /, of letters, digits and . _ - / @ +",
    );
  }
  return backup ? backupUnitOver(file) : unitOver(file);
}

const HELP = `
Examples:
  handoff admin service | sudo tee /etc/systemd/system/handoff.service
  handoff admin service --backup | sudo tee /etc/systemd/system/handoff-backup.service
  handoff admin service --backup --timer | sudo tee /etc/systemd/system/handoff-backup.timer`;
