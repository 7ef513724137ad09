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

// BUN_BE_BUN would turn the executable into the bun command. MemoryDenyWriteExecute is not here because it turns the
// just-in-time compiler off.
/** The unit of the server. */
export const UNIT = `[Unit]
Description=handoff, encrypted secrets handed over once
After=network.target

[Service]
ExecStart=/usr/local/bin/handoff serve
ExecReload=/bin/kill -HUP $MAINPID
# Yours: a line for each setting, such as HANDOFF_BASE_URL=https://handoff.example
EnvironmentFile=-/etc/handoff/env
Environment=HANDOFF_LISTEN=127.0.0.1:8080
Environment=HANDOFF_REQUIRE_ENCRYPTED=true
UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
# Without a proxy, TLS: root's files are handed in when the service starts, and again when it is restarted.
#LoadCredential=tls.crt:/etc/handoff/tls.crt
#LoadCredential=tls.key:/etc/handoff/tls.key
#Environment=HANDOFF_TLS_CERT=%d/tls.crt HANDOFF_TLS_KEY=%d/tls.key
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
CapabilityBoundingSet=
PrivateUsers=yes
#PrivateUsers=no
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
${SANDBOX}
SystemCallFilter=~@privileged

[Install]
WantedBy=multi-user.target
`;

/** The unit of a server whose database is the one of a PostgreSQL whose URL is in the file at this absolute path. */
export function unitOver(urlFile: string): string {
  const line = "UnsetEnvironment=";
  return UNIT.replace(line, `${credentialOf(urlFile)}\nEnvironment=HANDOFF_DATABASE_URL_FILE=${CREDENTIAL}\n${line}`);
}

/** The place where a unit finds the URL, which systemd reads as root. */
const CREDENTIAL = "%d/database-url";

function credentialOf(urlFile: string): string {
  return `LoadCredential=database-url:${urlFile}`;
}

/** The unit that makes a backup of the data folder. */
export const BACKUP_UNIT = backupUnit(
  "--data-dir /var/lib/private/handoff",
  `ReadWritePaths=/var/backups /var/lib/private/handoff
# Root, who may read what the service's own user keeps for itself.
CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_CHOWN
PrivateNetwork=yes
RestrictAddressFamilies=AF_UNIX`,
);

/** The unit that makes a backup of the PostgreSQL whose URL is in the file at this absolute path. */
export function backupUnitOver(urlFile: string): string {
  return backupUnit(
    `--database-url-file ${CREDENTIAL}`,
    `${credentialOf(urlFile)}
ReadWritePaths=/var/backups
CapabilityBoundingSet=
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX`,
  );
}

function backupUnit(from: string, access: string): string {
  return `[Unit]
Description=Backup of handoff

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

[Timer]
OnCalendar=*-*-* 02:00
RandomizedDelaySec=30min
Persistent=true

[Install]
WantedBy=timers.target
`;
