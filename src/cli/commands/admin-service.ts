import type { Command } from "commander";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff admin service`: the systemd unit. */
export function addService(admin: Command, terminal: Terminal): void {
  admin
    .command("service")
    .description("Print a systemd unit for this server.")
    .addHelpText("after", "\nExample:\n  handoff admin service | sudo tee /etc/systemd/system/handoff.service")
    .action(() => terminal.out(UNIT));
}

// BUN_BE_BUN would turn the executable into the bun command. MemoryDenyWriteExecute is not here because it turns the
// just-in-time compiler off.
const UNIT = `[Unit]
Description=handoff, encrypted secrets handed over once
After=network.target

[Service]
ExecStart=/usr/local/bin/handoff serve
ExecReload=/bin/kill -HUP $MAINPID
Environment=HANDOFF_LISTEN=127.0.0.1:8080
Environment=HANDOFF_REQUIRE_ENCRYPTED=true
UnsetEnvironment=BUN_BE_BUN BUN_OPTIONS
DynamicUser=yes
StateDirectory=handoff
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
TimeoutStopSec=15
NoNewPrivileges=yes
CapabilityBoundingSet=
LockPersonality=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
LimitCORE=0

[Install]
WantedBy=multi-user.target
`;
