import type { Command } from "commander";
import { BACKUP_TIMER, BACKUP_UNIT, UNIT } from "../server/units.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ServiceFlags {
  readonly backup?: true;
  readonly timer?: true;
}

/** `handoff admin service`: the systemd units. */
export function addService(admin: Command, terminal: Terminal): void {
  admin
    .command("service")
    .description("Print a systemd unit: for this server, or for its backups.")
    .option("--backup", "The unit that makes a backup.")
    .option("--timer", "With --backup, the timer that starts that unit every night.")
    .addHelpText("after", HELP)
    .action((flags: ServiceFlags) => {
      if (flags.timer && !flags.backup) throw usageError("--timer is of the backup: give --backup too");
      terminal.out(flags.timer ? BACKUP_TIMER : flags.backup ? BACKUP_UNIT : UNIT);
    });
}

const HELP = `
Examples:
  handoff admin service | sudo tee /etc/systemd/system/handoff.service
  handoff admin service --backup | sudo tee /etc/systemd/system/handoff-backup.service
  handoff admin service --backup --timer | sudo tee /etc/systemd/system/handoff-backup.timer`;
