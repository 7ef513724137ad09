import type { Command } from "commander";
import { DOMAIN_NAME, SETTINGS } from "../../../config/settings.ts";
import { parseListen } from "../../server/listen-targets.ts";
import { readEnvironmentFile } from "../../server/systemd/environment-files.ts";
import { describeHiddenListen } from "../../server/systemd/service-faults.ts";
import {
  backupTimer,
  backupUnit,
  PACKAGED_EXECUTABLE,
  serverUnit,
  VARIABLES_FILE,
} from "../../server/systemd/units.ts";
import { usageError, warn } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface ServiceFlags {
  readonly backup?: true;
  readonly timer?: true;
  readonly listen?: string;
  readonly acme?: string;
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
      "--listen <address>",
      "The address for the server: host:port, or :port for every one. With port 443 it speaks TLS itself.",
    )
    .option("--acme <name>", "The server gets a certificate for this name by itself, and listens on ports 443 and 80.")
    .option(
      "--database-url-file <path>",
      "For a database in PostgreSQL: the file with its URL, which systemd reads as root.",
    )
    .addHelpText("after", HELP)
    .action((flags: ServiceFlags) => {
      if (flags.timer && !flags.backup) throw usageError("--timer is of the backup: give --backup too");
      terminal.out(flags.timer ? backupTimer({ isPackaged: isPackaged() }) : unitFor(flags));
      if (!flags.backup) warnOfHidden(flags, terminal);
    });
}

/** Warns of a file on this machine that would hide where the server of the unit listens. */
function warnOfHidden({ listen, acme }: ServiceFlags, terminal: Terminal): void {
  const { variables } = readEnvironmentFile(VARIABLES_FILE);
  const hidden = describeHiddenListen({ HANDOFF_LISTEN: listen, HANDOFF_ACME: acme }, variables);
  if (hidden !== undefined) warn(terminal, hidden);
}

function unitFor({ backup, listen, acme, databaseUrlFile }: ServiceFlags): string {
  if (acme !== undefined && (backup || listen !== undefined || databaseUrlFile !== undefined)) {
    throw usageError("--acme is of a server with a data folder, at port 443: leave the other flags out");
  }
  if (acme !== undefined && !new RegExp(DOMAIN_NAME).test(acme)) {
    throw usageError(`--acme is '${acme}': expected ${SETTINGS.acme.expected}`);
  }
  if (listen !== undefined) checkListen(listen);
  if (listen !== undefined && backup) throw usageError("--listen is of the server: leave it or --backup out");
  // Anything else would mean something to systemd.
  if (databaseUrlFile !== undefined && !/^\/[\w./@+-]+$/.test(databaseUrlFile)) {
    throw usageError(
      "--database-url-file is for systemd: a path that begins with /, of letters, digits and . _ - / @ +",
    );
  }
  const options = { databaseUrlFile, isPackaged: isPackaged() };
  return backup ? backupUnit(options) : serverUnit({ listen, acme, ...options });
}

function isPackaged(): boolean {
  return process.execPath === PACKAGED_EXECUTABLE;
}

function checkListen(listen: string): void {
  if (listen.startsWith("unix:")) {
    throw usageError(
      "--listen is for host:port or :port. For a socket, print the unit without it: its comments say how",
    );
  }
  parseListen(listen);
  // Anything else would mean something to systemd.
  if (!/^[\w.:[\]-]+$/.test(listen)) {
    throw usageError(`--listen is '${listen}': a host has letters, digits and . _ - alone`);
  }
}

const HELP = `
Examples:
  handoff admin service | sudo tee /etc/systemd/system/handoff.service
  handoff admin service --acme handoff.example | sudo tee /etc/systemd/system/handoff.service
  handoff admin service --listen :443 | sudo tee /etc/systemd/system/handoff.service
  handoff admin service --backup | sudo tee /etc/systemd/system/handoff-backup.service
  handoff admin service --backup --timer | sudo tee /etc/systemd/system/handoff-backup.timer`;
