import backup from "../../deploy/handoff-backup.service" with { type: "text" };
import timer from "../../deploy/handoff-backup.timer" with { type: "text" };
import server from "../../deploy/handoff.service" with { type: "text" };

// BUN_BE_BUN would turn the executable into the bun command, so the units unset it. MemoryDenyWriteExecute would turn
// the just-in-time compiler off, so they don't set it.

/** How the unit of a server differs from the usual one. */
export interface UnitOptions {
  /** The address to listen on, `host:port` or `:port`. */
  readonly listen?: string | undefined;
  /** The absolute path of the file with the URL of the PostgreSQL database. */
  readonly databaseUrlFile?: string | undefined;
  /** The name that it gets a certificate for by itself. */
  readonly acme?: string | undefined;
  /** True for the executable of a Debian or RPM package, whose settings are in SETTINGS_FILE. */
  readonly isPackaged?: boolean | undefined;
}

/** The path at which a package installs the executable. */
export const PACKAGED_EXECUTABLE = "/usr/bin/handoff";

/** The settings file of a package. */
export const SETTINGS_FILE = "/etc/handoff/handoff.toml";

/** The file of variables that the unit of the server names. */
export const VARIABLES_FILE = "/etc/handoff/env";

/** The address of a unit for a server behind a proxy. */
export const DEFAULT_LISTEN = "127.0.0.1:8080";

const CAPABILITIES = /^CapabilityBoundingSet=\nPrivateUsers=yes\n#PrivateUsers=no$/m;

/** A unit that sees no other users has the capability over its own ports alone (user_namespaces(7)). */
const LOW_PORT = `# A port below 1024.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no`;

/** The unit of the server. With port 443 it speaks TLS itself. */
export function serverUnit({ acme, listen = DEFAULT_LISTEN, databaseUrlFile, isPackaged }: UnitOptions = {}): string {
  const port = acme === undefined ? Number(listen.slice(listen.lastIndexOf(":") + 1)) : 443;
  const place = acme === undefined ? `HANDOFF_LISTEN=${listen}` : `HANDOFF_ACME=${acme}`;
  let unit = server.replace(`HANDOFF_LISTEN=${DEFAULT_LISTEN}`, () => place);
  // An authority takes five failures in an hour.
  if (acme !== undefined) unit = unit.replace("\nRestartSec=5s\n", "\nRestartSec=15min\n");
  if (isPackaged) unit = withSettingsFile(inUsr(unit));
  if (port === 443 && acme === undefined)
    unit = unit.replaceAll(/^#(?=LoadCredential=tls\.|Environment=HANDOFF_TLS_)/gm, "");
  if (port < 1024) unit = unit.replace(CAPABILITIES, LOW_PORT);
  if (databaseUrlFile === undefined) return unit;
  const lines = `${credentialOf(databaseUrlFile)}\nEnvironment=HANDOFF_DATABASE_URL_FILE=%d/database-url\n`;
  return unit.replace(/^(?=UnsetEnvironment=)/m, () => lines);
}

/** The unit that makes a backup: of the data folder, or of a PostgreSQL database. */
export function backupUnit({ databaseUrlFile, isPackaged }: Omit<UnitOptions, "listen"> = {}): string {
  const unit = isPackaged ? inUsr(backup) : backup;
  if (databaseUrlFile === undefined) return unit;
  const access = `${credentialOf(databaseUrlFile)}
ReadWritePaths=/var/backups
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX`;
  return unit
    .replace("--data-dir /var/lib/private/handoff", "--database-url-file %d/database-url")
    .replace(/^ReadWritePaths=[^]*?^RestrictAddressFamilies=.*$/m, () => access);
}

/** The timer of that unit. */
export function backupTimer({ isPackaged }: Pick<UnitOptions, "isPackaged"> = {}): string {
  return isPackaged ? inUsr(timer) : timer;
}

/** The options with which a unit like `text` was printed. */
export function unitOptionsOf(text: string): UnitOptions {
  const listen = /^Environment=HANDOFF_LISTEN=([\w.:[\]-]*:\d+)$/m.exec(text)?.[1];
  return {
    acme: /^Environment=HANDOFF_ACME=(\S+)$/m.exec(text)?.[1],
    listen: listen === DEFAULT_LISTEN ? undefined : listen,
    databaseUrlFile: /^LoadCredential=database-url:(\S+)$/m.exec(text)?.[1],
    isPackaged: text.includes(`ExecStart=${PACKAGED_EXECUTABLE} `),
  };
}

/** Names what a package installs, where it installs it. */
function inUsr(unit: string): string {
  return unit.replaceAll("/usr/local/", "/usr/");
}

/** Variables come before the file, so only an address that was asked for stays one. */
function withSettingsFile(unit: string): string {
  return unit
    .replace(/^Environment=HANDOFF_REQUIRE_ENCRYPTED=true$/m, `Environment=HANDOFF_CONFIG=${SETTINGS_FILE}`)
    .replace(`Environment=HANDOFF_LISTEN=${DEFAULT_LISTEN}\n`, "");
}

/** systemd reads the file as root and gives the unit a copy. */
function credentialOf(urlFile: string): string {
  return `LoadCredential=database-url:${urlFile}`;
}
