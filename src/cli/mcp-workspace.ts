import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { getRequest, hasEnded } from "../client/requests.ts";
import type { FoundSecret, SecretSource, TakenSecret, Workspace } from "../mcp/workspace.ts";
import { encodePayload, type Payload } from "../crypto/payloads.ts";
import { splitEntryName } from "../crypto/entry-names.ts";
import { type AllowedFolders, isTaken } from "./allowed-folders.ts";
import { startCaptured } from "./captured-runs.ts";
import { collectable, handoverOfSubmission } from "./collections.ts";
import { connectFor } from "./commands/collect.ts";
import { connect, type ConnectionFlags } from "./connections.ts";
import { checkFolder, writeFiles } from "./destinations.ts";
import { toFailure } from "./failures.ts";
import { type Handover, handoverOfLink, inspect, resumable, takeSecret } from "./handovers.ts";
import { forgetRequest, getKeptRequest, keepRequest } from "./kept-requests.ts";
import { configFolder, stateFolder } from "./paths.ts";
import { hasPendingClaim } from "./pending-claims.ts";
import { reasonOf } from "./private-files.ts";
import { commandEnvironment, findCommand } from "./secret-environments.ts";
import { readSource } from "./sources.ts";
import { CommandError, EXIT, redact, type Terminal, usageError } from "./terminal.ts";

/** Variables that are not the agent's to hand over. */
const OWN_VARIABLES = ["HANDOFF_API_KEY", "HANDOFF_API_KEY_FILE"];

/** What an agent's calls may touch: files in `folders`, and the state of this user as the command line keeps it. */
export function createWorkspace(outer: Terminal, flags: ConnectionFlags, folders: AllowedFolders): Workspace {
  /** Nobody is asked anything: whoever sits at a terminal does not know of the agent's calls. */
  const quiet = (signal: AbortSignal): Terminal => ({
    ...outer,
    isTerminal: { in: false, out: false, err: false },
    ask: async () => undefined,
    interruptible: () => signal,
  });
  return {
    connect: (signal) => connect(quiet(signal), flags, signal),
    readFile: async (path, maxBytes) => readAllowedFile(outer, folders.existing(path), path, maxBytes),
    async readVariable(name) {
      if (OWN_VARIABLES.includes(name)) throw usageError("the key of this server is not to be handed over");
      return readSource(outer, { files: [], env: name });
    },
    keepRequest: (request) => keepRequest(outer, request),
    find: (source, signal) => find(quiet(signal), flags, source, signal),
    checkNewFile(given) {
      const path = folders.fresh(given);
      if (isTaken(path)) throw usageError(`'${given}' exists already: name another file`);
      checkFolder(dirname(path));
      return path;
    },
    async createFile(given, { id }, bytes) {
      const path = folders.fresh(given);
      const file = { name: basename(path), bytes, isExecutable: false, isFolder: false };
      await resumable(() => void writeFiles(dirname(path), [file], { force: false, tag: id }));
      return { path, bytes: bytes.length, sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") };
    },
    checkCommand: (command) => void findCommand(outer, command),
    start(command, secrets, options) {
      const program = findCommand(outer, command);
      try {
        return startCaptured([program, ...command.slice(1)], {
          ...options,
          env: commandEnvironment(outer, secrets),
          cwd: folders.paths[0] ?? ".",
          secrets: Object.values(secrets),
        });
      } catch (error) {
        throw new CommandError(`the command cannot be started: ${reasonOf(error)}. Nothing is lost: try again`);
      }
    },
    explain(error) {
      const failure = toFailure(error);
      const id = failure?.requestId === undefined ? "" : ` (request id ${failure.requestId})`;
      return redact(`${failure?.message ?? "interrupted"}${id}`);
    },
  };
}

async function find(
  terminal: Terminal,
  flags: ConnectionFlags,
  source: SecretSource,
  signal: AbortSignal,
): Promise<FoundSecret> {
  if (source.kind === "link") {
    const handover = await handoverOfLink(terminal, flags, source.url, signal);
    if (handover.needsPassphrase) {
      throw usageError("this link needs a passphrase, which does not belong here: open it with 'handoff open'");
    }
    await inspect(terminal, handover);
    return describe(terminal, handover, 0, () => Promise.resolve());
  }
  const kept = getKeptRequest(terminal, source.id);
  const client = await connectFor(terminal, kept, flags);
  const request = await getRequest(client, kept.id);
  const [id, ...others] = collectable(terminal, request);
  if (id === undefined) {
    const text = hasEnded(request) ? `nothing more can come: it is ${request.state}` : "wait for it";
    throw new CommandError(`nothing waits to be collected for ${kept.id}: ${text}`, EXIT.gone);
  }
  return describe(terminal, handoverOfSubmission(client, kept, id), others.length, async () => {
    const now = await getRequest(client, kept.id).catch(() => undefined);
    if (now && hasEnded(now) && collectable(terminal, now).length === 0) forgetRequest(terminal, kept.id);
  });
}

function describe(terminal: Terminal, handover: Handover, remaining: number, tidyUp: () => Promise<void>): FoundSecret {
  const { id } = handover;
  return {
    id,
    isResumed: hasPendingClaim(terminal, id),
    remaining,
    async take() {
      const { payload, acknowledge } = await takeSecret(terminal, handover);
      const finish = async () => {
        await acknowledge();
        await tidyUp();
      };
      return { ...(await toContent(payload)), finish };
    },
  };
}

async function toContent(payload: Payload): Promise<Omit<TakenSecret, "finish">> {
  switch (payload.kind) {
    case "text":
      return { bytes: new TextEncoder().encode(payload.text), text: payload.text, format: "file" };
    case "binary":
      return { bytes: payload.bytes, text: undefined, format: "file" };
    case "files": {
      const [only, ...others] = payload.files;
      if (!only || only.isFolder || others.length > 0) {
        return { bytes: await encodePayload(payload), text: undefined, format: "tar" };
      }
      return { bytes: only.bytes, text: decodeText(only.bytes), format: "file" };
    }
  }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a file that is no device and no pipe, and not the keys of this user. `given` is how the caller named it. */
function readAllowedFile(terminal: Terminal, path: string, given: string, maxBytes: number): Payload {
  for (const own of [stateFolder(terminal), configFolder(terminal), terminal.env["HANDOFF_API_KEY_FILE"] ?? ""]) {
    if (own !== "" && (path === own || path.startsWith(`${own}/`))) {
      throw usageError(`'${given}' holds keys of handoff, which are not to be handed over`);
    }
  }
  const name = basename(path);
  try {
    splitEntryName(name);
  } catch {
    throw usageError(`'${given}' cannot be a file's name everywhere: rename it first`);
  }
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw usageError(`'${given}' is not a file`);
    if (stats.size > maxBytes) throw usageError(`'${given}' is too large: the server takes about ${maxBytes} bytes`);
    const isExecutable = (stats.mode & 0o100) !== 0;
    return { kind: "files", files: [{ name, bytes: readFileSync(file), isExecutable, isFolder: false }] };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`'${given}' cannot be read: ${reasonOf(error)}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
