/** The manual, where its lines for installing put it. */
const DOCUMENTATION = "file:/usr/local/share/doc/handoff/README.md";

/** The limits that both units have: what they may see, change and ask of the kernel. */
const SANDBOX = `LimitCORE=0
NoNewPrivileges=yes
LockPersonality=yes
DevicePolicy=closed
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM`;

/** The ways in which the unit of a server differs from the usual one. */
export interface UnitOptions {
  /** The address to listen on, `host:port` or `:port`. */
  readonly listen?: string | undefined;
  /** The absolute path of the file with the URL of a PostgreSQL that has everything. */
  readonly databaseUrlFile?: string | undefined;
}

const DEFAULT_LISTEN = "127.0.0.1:8080";

// BUN_BE_BUN would turn the executable into the bun command. MemoryDenyWriteExecute is not here because it turns the
// just-in-time compiler off.
/** The unit of the server. With port 443 it speaks TLS itself. */
export function serverUnit({ listen = DEFAULT_LISTEN, databaseUrlFile }: UnitOptions = {}): string {
  const port = Number(listen.slice(listen.lastIndexOf(":") + 1));
  const tls = port === 443 ? "" : "#";
  return `[Unit]
Description=handoff, encrypted secrets handed over once
Documentation=${DOCUMENTATION}
After=network.target

[Service]
# It says itself when it serves, however long a new version works on a large database first.
Type=notify
TimeoutStartSec=infinity
ExecStart=/usr/local/bin/handoff serve
ExecReload=/bin/sh -c 'kill -HUP $$MAINPID'
# Yours: a line for each setting, such as HANDOFF_BASE_URL=https://handoff.example
EnvironmentFile=-/etc/handoff/env
Environment=HANDOFF_LISTEN=${listen}
Environment=HANDOFF_REQUIRE_ENCRYPTED=true
${databaseUrlFile === undefined ? "" : databaseLines(databaseUrlFile)}UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
# Without a proxy, TLS: root's files are handed in when the service starts, and again when it is restarted.
${tls}LoadCredential=tls.crt:/etc/handoff/tls.crt
${tls}LoadCredential=tls.key:/etc/handoff/tls.key
${tls}Environment=HANDOFF_TLS_CERT=%d/tls.crt HANDOFF_TLS_KEY=%d/tls.key
DynamicUser=yes
StateDirectory=handoff
StateDirectoryMode=0700
RuntimeDirectory=handoff
# A socket for a proxy on this machine, here nginx; its group means nothing to a service that sees no other users.
#Environment=HANDOFF_LISTEN=unix:/run/handoff/socket HANDOFF_SOCKET_GROUP=www-data
#SupplementaryGroups=www-data
UMask=0077
Restart=on-failure
TimeoutStopSec=15
MemoryMax=2G
${port < 1024 ? LOW_PORT : USUAL_PORT}
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
${SANDBOX}
SystemCallFilter=~@privileged
# To give the socket to its group. It comes last, because the line before takes it away.
SystemCallFilter=@chown

[Install]
WantedBy=multi-user.target
`;
}

const USUAL_PORT = `CapabilityBoundingSet=
PrivateUsers=yes
#PrivateUsers=no`;

/** A service that sees no other users has the capability over its own ports alone (user_namespaces(7)). */
const LOW_PORT = `# A port below 1024.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
PrivateUsers=no`;

/** The options with which a unit like `text` was printed. */
export function unitOptionsOf(text: string): UnitOptions {
  const listen = /^Environment=HANDOFF_LISTEN=([\w.:[\]-]*:\d+)$/m.exec(text)?.[1];
  return {
    listen: listen === DEFAULT_LISTEN ? undefined : listen,
    databaseUrlFile: /^LoadCredential=database-url:(\S+)$/m.exec(text)?.[1],
  };
}

/** The place where a unit finds the URL, which systemd reads as root. */
const CREDENTIAL = "%d/database-url";

function databaseLines(urlFile: string): string {
  return `${credentialOf(urlFile)}\nEnvironment=HANDOFF_DATABASE_URL_FILE=${CREDENTIAL}\n`;
}

function credentialOf(urlFile: string): string {
  return `LoadCredential=database-url:${urlFile}`;
}

/** The unit that makes a backup: of the data folder, or of a PostgreSQL. */
export function backupUnit({ databaseUrlFile }: Pick<UnitOptions, "databaseUrlFile"> = {}): string {
  if (databaseUrlFile === undefined) return backupUnitOf("--data-dir /var/lib/private/handoff", FOLDER_ACCESS);
  return backupUnitOf(
    `--database-url-file ${CREDENTIAL}`,
    `${credentialOf(databaseUrlFile)}
ReadWritePaths=/var/backups
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX`,
  );
}

const FOLDER_ACCESS = `ReadWritePaths=/var/backups /var/lib/private/handoff
# Root, who may read what the service's own user keeps for itself, and notes there when the backup was made.
CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_CHOWN CAP_FOWNER
PrivateNetwork=yes
RestrictAddressFamilies=AF_UNIX`;

function backupUnitOf(from: string, access: string): string {
  return `[Unit]
Description=Backup of handoff
Documentation=${DOCUMENTATION}

[Service]
Type=oneshot
ExecStartPre=/usr/bin/install -d -m 700 /var/backups/handoff
ExecStart=/usr/local/bin/handoff admin backup /var/backups/handoff --keep 14 ${from}
UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
UMask=0077
${access}
${SANDBOX}
`;
}

/** The timer of that unit. */
export const BACKUP_TIMER = `[Unit]
Description=Backup of handoff, every night
Documentation=${DOCUMENTATION}

[Timer]
OnCalendar=*-*-* 02:00
RandomizedDelaySec=30min
Persistent=true

[Install]
WantedBy=timers.target
`;
