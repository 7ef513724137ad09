import { accessSync, constants, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { checkName, flagOf } from "../../http/server.ts";
import type { ListenTarget } from "../../http/server.ts";
import { ownerOf, ownName } from "../../store/sqlite/files/owners.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, usageError } from "../terminal/terminal.ts";

/** The longest path of a Unix socket on Linux, in bytes without the zero at its end (unix(7)). */
const SOCKET_PATH_BYTES = 107;

/** Every address of the machine, including those of IPv4 (ipv6(7)). */
const EVERY_ADDRESS = "::";

const elsewhere = (target: ListenTarget) => `choose another path with ${flagOf(target)}`;

/** The address in `flag`, a socket with the group `socketGroup`. Throws CommandError when it isn't valid. */
export function parseListen(
  listen: string,
  {
    socketGroup,
    flag = "--listen",
  }: { readonly socketGroup?: string | undefined; readonly flag?: ListenTarget["flag"] } = {},
): ListenTarget {
  if (listen.startsWith("unix:") && listen.length > 5) {
    return {
      flag,
      kind: "unix",
      path: listen.slice(5),
      groupId: socketGroup === undefined ? undefined : groupIdOf(socketGroup),
    };
  }
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/.exec(listen);
  // As in Go and Caddy, an empty host means every address.
  const hostname = match?.[1] ?? (match?.[2] === "" ? EVERY_ADDRESS : match?.[2]);
  const port = Number(match?.[3]);
  if (hostname === undefined || port > 65_535) {
    throw usageError(`${flag} is '${listen}': expected host:port, :port, [::1]:port or unix:/path`);
  }
  return { flag, kind: "tcp", hostname, port };
}

/** The id of a group of this machine, by name or number. Throws CommandError. */
function groupIdOf(group: string): number {
  if (/^\d{1,9}$/.test(group)) return Number(group);
  const lines = readFileSync("/etc/group", "utf8").split("\n");
  const id = lines.map((line) => line.split(":")).find(([name]) => name === group)?.[2];
  if (id !== undefined) return Number(id);
  throw usageError(
    `--socket-group is '${group}': there is no such group in /etc/group. Name another one, or give its number`,
  );
}

/**
 * Throws CommandError or ListenError when listening on `target` would clearly fail, before anything is opened. With
 * TLS, a reload of the certificate opens a second socket beside the first.
 */
export async function checkTarget(target: ListenTarget, isTls: boolean): Promise<void> {
  if (target.kind === "tcp") return checkName(target);
  const { path } = target;
  const bytes = Buffer.byteLength(path);
  const most = SOCKET_PATH_BYTES - (isTls ? 1 : 0);
  if (bytes > most) {
    throw usageError(
      `the path of a socket has ${most} bytes at most, and '${path}' has ${bytes}: ${elsewhere(target)}`,
    );
  }
  const folder = dirname(path);
  checkFolder(folder, target);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSocket() ?? true) return;
  const what = stats?.isDirectory() ? "a directory" : stats?.isSymbolicLink() ? "a link" : "a file";
  throw usageError(`there is ${what} at '${path}', and it is not a socket: ${elsewhere(target)}`);
}

/** Throws CommandError unless this user can make the socket `target` in `folder`. */
function checkFolder(folder: string, target: Extract<ListenTarget, { kind: "unix" }>): void {
  const { path } = target;
  try {
    if (!statSync(folder).isDirectory()) {
      throw usageError(`'${folder}' isn't a directory, so there can't be a socket '${path}': ${elsewhere(target)}`);
    }
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (codeOf(error) === "ENOENT") {
      throw usageError(
        `there is no directory '${folder}' for the socket '${path}'. Create it, or ${elsewhere(target)}`,
      );
    }
    if (codeOf(error) === "EACCES") {
      const owner = ownerOf(folder);
      const whose = owner === undefined ? "" : `, which belongs to ${owner}`;
      const message = `${ownName()} may not make a socket in '${folder}'${whose}. Let them write there, or ${elsewhere(target)}`;
      throw new CommandError(message);
    }
    throw new CommandError(`can't make a socket in '${folder}': ${reasonOf(error)}. Instead, ${elsewhere(target)}`);
  }
}

/** Throws CommandError when a group is given and none of the addresses is a socket. */
export function checkGroup(socketGroup: string | undefined, targets: readonly (ListenTarget | undefined)[]): void {
  if (socketGroup === undefined || targets.some((target) => target?.kind === "unix")) return;
  throw usageError("--socket-group is of a socket: it needs --listen unix:/path or --metrics-listen unix:/path");
}

/** Throws CommandError when both name the same address. */
export function checkApart(target: ListenTarget, other: ListenTarget): void {
  const isSame =
    target.kind === "tcp" && other.kind === "tcp"
      ? target.port === other.port && target.port !== 0 && target.hostname === other.hostname
      : target.kind === "unix" && other.kind === "unix" && target.path === other.path;
  if (isSame) throw usageError(`${flagOf(other)} needs another address than ${flagOf(target)}`);
}
