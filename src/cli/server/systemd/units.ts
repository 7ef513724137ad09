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
}

const DEFAULT_LISTEN = "127.0.0.1:8080";

const CAPABILITIES = /^CapabilityBoundingSet=\nPrivateUsers=yes\n#PrivateUsers=no$/m;

/** A unit that sees no other users has the capability over its own ports alone (user_namespaces(7)). */
const LOW_PORT = `# A port below 1024.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no`;

/** The unit of the server. With port 443 it speaks TLS itself. */
export function serverUnit({ acme, listen = DEFAULT_LISTEN, databaseUrlFile }: UnitOptions = {}): string {
  if (acme !== undefined) {
    return server
      .replace(`HANDOFF_LISTEN=${DEFAULT_LISTEN}`, () => `HANDOFF_ACME=${acme}`)
      .replace(CAPABILITIES, LOW_PORT);
  }
  const port = Number(listen.slice(listen.lastIndexOf(":") + 1));
  let unit = server.replace(DEFAULT_LISTEN, () => listen);
  if (port === 443) unit = unit.replaceAll(/^#(?=LoadCredential=tls\.|Environment=HANDOFF_TLS_)/gm, "");
  if (port < 1024) unit = unit.replace(CAPABILITIES, LOW_PORT);
  if (databaseUrlFile === undefined) return unit;
  const lines = `${credentialOf(databaseUrlFile)}\nEnvironment=HANDOFF_DATABASE_URL_FILE=%d/database-url\n`;
  return unit.replace(/^(?=UnsetEnvironment=)/m, () => lines);
}

/** The unit that makes a backup: of the data folder, or of a PostgreSQL database. */
export function backupUnit({ databaseUrlFile }: Pick<UnitOptions, "databaseUrlFile"> = {}): string {
  if (databaseUrlFile === undefined) return backup;
  const access = `${credentialOf(databaseUrlFile)}
ReadWritePaths=/var/backups
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX`;
  return backup
    .replace("--data-dir /var/lib/private/handoff", "--database-url-file %d/database-url")
    .replace(/^ReadWritePaths=[^]*?^RestrictAddressFamilies=.*$/m, () => access);
}

/** The timer of that unit. */
export const BACKUP_TIMER: string = timer;

/** The options with which a unit like `text` was printed. */
export function unitOptionsOf(text: string): UnitOptions {
  const listen = /^Environment=HANDOFF_LISTEN=([\w.:[\]-]*:\d+)$/m.exec(text)?.[1];
  return {
    acme: /^Environment=HANDOFF_ACME=(\S+)$/m.exec(text)?.[1],
    listen: listen === DEFAULT_LISTEN ? undefined : listen,
    databaseUrlFile: /^LoadCredential=database-url:(\S+)$/m.exec(text)?.[1],
  };
}

/** systemd reads the file as root and gives the unit a copy. */
function credentialOf(urlFile: string): string {
  return `LoadCredential=database-url:${urlFile}`;
}
