import { fstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ClientError } from "../../client/errors.ts";
import { contentBytesOf } from "../../client/limits.ts";
import { getRequest, hasEnded } from "../../client/requests.ts";
import { findSecret } from "../../client/secrets.ts";
import { checkAddressees } from "../../client/shapes.ts";
import type { Secret } from "../../contract/secrets.ts";
import type { Content } from "../../crypto/contents.ts";
import { splitEntryName } from "../../crypto/entry-names.ts";
import type { FoundSecret, SecretSource, Workspace } from "../../mcp/workspace.ts";
import { isTaken } from "../files/allowed-folders.ts";
import type { AllowedFolders } from "../files/allowed-folders.ts";
import { checkFolder } from "../files/destinations.ts";
import { createNewFile } from "../files/new-files.ts";
import { readSource } from "../files/sources.ts";
import type { Handover } from "../handovers/claims.ts";
import { collectable, handoverOfSubmission, nothingYet, tryToNote } from "../handovers/collections.ts";
import { connect, connectFor, findApiKey } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { checkAsked, toDelivered } from "../handovers/filled-forms.ts";
import { checkSmall, handoverOfLink, inspect } from "../handovers/handovers.ts";
import { idOfOwnLink } from "../handovers/link-arguments.ts";
import { startCaptured } from "../processes/captured-runs.ts";
import { riskOfVariable } from "../processes/risky-variables.ts";
import { boundedEnvironment, findCommand } from "../processes/secret-environments.ts";
import { lockClaim } from "../state/claim-locks.ts";
import { keepNewRequest } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { hasPendingClaim } from "../state/pending-claims.ts";
import { nameOnServer } from "../state/server-names.ts";
import { toFailure, traceLines } from "../terminal/failures.ts";
import { rescueOf, resumable } from "../terminal/repeats.ts";
import type { Repeat } from "../terminal/repeats.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError, redact, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatTime } from "../terminal/times.ts";
import { askOnce, openApproved } from "./asks.ts";
import type { Asks } from "./asks.ts";
import { AGENT_ADVICE } from "./doubts.ts";
import { createHeldCredentials } from "./held-credentials.ts";
import { differencesOf, fieldOf, toPayload } from "./payloads.ts";

/** How each claimed secret can be had again. */
const repeats = new WeakMap<FoundSecret, readonly Repeat[]>();

/** The destinations of what was claimed, to complete "it was opened …". */
const destinations = new WeakMap<FoundSecret, string>();

/** The secrets that this process has opened, by server and id: how often, when last, and where they went. */
type OpenedSecrets = Map<string, { readonly times: number; readonly at: string; readonly destination: string }>;

/** A hash of shorter content would reveal it to anyone who tries all candidates: a PIN, a password. */
const MAX_GUESSABLE_BYTES = 64;
const AGAIN = "Call this tool again";

export interface AgentBounds {
  readonly folders: AllowedFolders;
  /** The names of the environment variables whose values may be sent, and that commands get. */
  readonly variables: readonly string[];
}

/** Creates the workspace of an agent: files and variables within `bounds`, and the state of this user. */
export function createWorkspace(
  outer: Terminal,
  flags: ConnectionFlags,
  { folders, variables }: AgentBounds,
): Workspace {
  const credentials = createHeldCredentials(outer, variables);
  /** Nobody is asked anything: the person at the terminal doesn't know of the agent's calls. */
  const quiet = (signal: AbortSignal): Terminal => ({
    ...outer,
    isAgent: true,
    isTerminal: { in: false, out: false, err: false },
    ask: async () => undefined,
    interruptible: () => signal,
  });
  const [cwd = "."] = folders.paths;
  const opened: OpenedSecrets = new Map();
  const asks: Asks = new Map();
  return {
    connect: (signal) => connect(quiet(signal), flags, signal),
    hasKey: async () => (await findApiKey(outer, flags)) !== undefined,
    readFile: async (given, maxBytes) => readFile(folders, given, maxBytes),
    async readVariable(name) {
      if (variables.includes(name)) return readSource(outer, { files: [], env: name });
      const allowed = variables.length === 0 ? "None is" : `Allowed: ${variables.join(", ")}`;
      // The argument isn't repeated: it may be the value, when the two were swapped.
      throw usageError(`this environment variable isn't allowed. ${allowed}. --allow-env allows them at the start`);
    },
    keepAgeIdentity(request) {
      credentials.add(request.ageIdentity);
      return keepNewRequest(outer, request);
    },
    async connectByLink(url, signal) {
      const { client, id } = await handoverOfLink(quiet(signal), flags, url, signal);
      return { client, id };
    },
    idOfLink: (url, { baseUrl }) => idOfOwnLink(url, baseUrl),
    find: (source, signal) =>
      find(quiet(signal), flags, { source, signal, opened, asks, onAgeIdentity: credentials.add }),
    checkNewFile(given) {
      if (given === undefined) return checkFolder(cwd);
      using place = folders.openPlace(given);
      if (isTaken(place.path)) throw usageError(`'${given}' exists already. Name another file`);
      checkFolder(dirname(place.path));
    },
    createFile: (path, found, { bytes, format }) => {
      const create = () => {
        // Not a name that the sender has chosen.
        const name = format === "tar" ? "secret.tar" : "secret";
        using place = path === undefined ? folders.makePlace(found.id, name) : folders.openPlace(path);
        createNewFile(place, bytes, { given: path ?? join(found.id, name), tag: found.id });
        destinations.set(found, `into '${place.path}'`);
        const isGuessable = bytes.length <= MAX_GUESSABLE_BYTES;
        const sha256 = isGuessable ? null : new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
        return { path: place.path, bytes: bytes.length, sha256 };
      };
      return resumable(repeats.get(found) ?? [], create, AGAIN);
    },
    checkCommand(command) {
      findCommand(outer, command, cwd);
      if (command.some((each) => each.includes("\0"))) throw usageError("the command has a zero byte");
    },
    riskOfVariable,
    async start(command, secrets, options) {
      const program = findCommand(outer, command, cwd);
      const held = await credentials.all(flags);
      try {
        const started = startCaptured([program, ...command.slice(1)], {
          ...options,
          env: boundedEnvironment(outer, variables, secrets),
          cwd,
          secrets: [...Object.values(secrets), ...held],
        });
        for (const each of options.from) destinations.set(each, "for a command");
        return started;
      } catch (error) {
        throw new CommandError(`the command can't be started: ${reasonOf(error)}. ${rescue(options.from)}`);
      }
    },
    rescueOf: rescue,
    explain(error) {
      const failure = toFailure(error, AGENT_ADVICE);
      if (failure) for (const line of traceLines(outer, failure)) outer.say(line);
      const id = failure?.requestId === undefined ? "" : ` (request id ${failure.requestId})`;
      return redact(`${failure?.message ?? "interrupted"}${id}`);
    },
  };
}

function rescue(taken: readonly FoundSecret[]): string {
  return rescueOf(
    taken.flatMap((each) => repeats.get(each) ?? []),
    "Call open_to_file or collect_to_file",
  );
}

interface Search {
  readonly source: SecretSource;
  readonly signal: AbortSignal;
  readonly opened: OpenedSecrets;
  readonly asks: Asks;
  /** Called with the key that opens what is found. */
  readonly onAgeIdentity: (ageIdentity: string) => void;
}

async function find(
  terminal: Terminal,
  flags: ConnectionFlags,
  { source, signal, opened, asks, onAgeIdentity: onIdentity }: Search,
): Promise<FoundSecret> {
  if (source.kind === "link") {
    const { approval: _approval, ...linked } = await handoverOfLink(terminal, flags, source.url, signal);
    const handover = { ...linked, again: AGAIN, mayProve: false };
    if (handover.passphrase) {
      throw usageError(
        "this link needs a passphrase, which doesn't belong in a conversation. A person can open it with 'handoff open'",
      );
    }
    const lock = lockClaim(terminal, handover.client.baseUrl, handover.id);
    if (!lock) throw usageError("this secret is being opened already, by another call. Call again if that one fails");
    try {
      const secret = await inspect(terminal, handover);
      if (secret && secret.for !== null) throw needsPerson(secret.for);
      checkSmall(secret);
      const leastBytes = leastBytesOf(secret);
      const needsApproval = secret !== undefined && secret.approval !== null;
      return describe(terminal, handover, {
        leastBytes,
        lock,
        opened,
        asks,
        needsApproval,
        tidyUp: () => Promise.resolve(0),
      });
    } catch (error) {
      lock[Symbol.dispose]();
      throw (isClaimed(error) && (await openedBefore(opened, handover))) || error;
    }
  }
  const { kept, client } = await connectFor(terminal, source.id, flags);
  onIdentity(kept.ageIdentity);
  for (const field of source.fields ?? []) checkAsked(kept, field);
  const request = await getRequest(client, kept.id);
  const ids = collectable(terminal, client.baseUrl, request);
  if (ids.length === 0 && hasEnded(request)) {
    throw new CommandError(`Nothing to collect: the request is ${request.state}.`, "gone");
  }
  if (ids.length === 0) throw nothingYet(request, "Call wait_for_submission.");
  let lock: Disposable | undefined;
  const id = ids.find((each) => (lock = lockClaim(terminal, client.baseUrl, each)));
  if (id === undefined || !lock)
    throw usageError("everything that was handed in is being collected already. Call again if that fails");
  // Not every key may read secrets.
  const secret = await findSecret(client, id);
  try {
    checkSmall(secret);
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
  return describe(terminal, handoverOfSubmission(client, kept, id), {
    leastBytes: leastBytesOf(secret),
    lock,
    opened,
    asks,
    needsApproval: false,
    kept,
    async tidyUp() {
      // The collected secret is at its destination, so a failed look for others is no failure of the call.
      const now = await getRequest(client, kept.id).catch(() => undefined);
      const remaining = now ? collectable(terminal, client.baseUrl, now).length : ids.length - 1;
      tryToNote(terminal, kept, now, [id]);
      return remaining;
    },
  });
}

function describe(
  terminal: Terminal,
  handover: Handover,
  options: Pick<FoundSecret, "leastBytes"> & {
    readonly lock: Disposable;
    readonly opened: OpenedSecrets;
    readonly asks: Asks;
    readonly needsApproval: boolean;
    /** The request that it was handed in for. */
    readonly kept?: KeptRequest;
    /** Resolves with the number of others that can then be collected. */
    readonly tidyUp: () => Promise<number>;
  },
): FoundSecret {
  const { id, client } = handover;
  const { leastBytes, lock, opened, asks, needsApproval, kept, tidyUp } = options;
  const place = nameOnServer(client.baseUrl, id);
  const found: FoundSecret = {
    id,
    isResumed: hasPendingClaim(terminal, client.baseUrl, id),
    leastBytes,
    askApproval: async () => (needsApproval ? askOnce(terminal, handover, asks) : undefined),
    async open() {
      const { content, sender, repeat, acknowledge } = await openApproved(terminal, handover, asks, AGAIN);
      repeats.set(found, [repeat]);
      const finish = async () => {
        await acknowledge();
        const destination = destinations.get(found) ?? "into the conversation";
        const times = (opened.get(place)?.times ?? 0) + 1;
        opened.set(place, { times, at: new Date().toISOString(), destination });
        return tidyUp();
      };
      const named = sender && { ...sender, server: new URL(client.baseUrl).host };
      // A warning would quote names that a stranger chose, in the log of the host. The agent gets the differences.
      const silent = { ...terminal, say: () => undefined };
      const whole = await toPayload(kept ? toDelivered(silent, kept, content, undefined) : content);
      const differences = kept ? differencesOf(kept, content) : null;
      return { ...whole, differences, sender: named, fieldOf: (name) => fieldOf(content, name), finish };
    },
    [Symbol.dispose]: () => lock[Symbol.dispose](),
  };
  return found;
}

/** The error for a secret that is for chosen people. An agent proves no address, even if a person is logged in. */
function needsPerson(addressees: readonly string[]): ClientError {
  const named = checkAddressees(addressees).join(", ");
  const meaning = `This secret is for chosen people, and an agent can't prove an address. It wasn't opened. The server says that it is for: ${named}.`;
  const advice = "Give the link to one of them: they open it in a browser, or with 'handoff open' in a terminal.";
  return new ClientError("proof_required", "failure", { meaning, advice });
}

function isClaimed(error: unknown): boolean {
  return error instanceof ClientError && error.code === "secret_claimed";
}

/** The error for a secret that an earlier call opened, and whether others opened it too; undefined if none did. */
async function openedBefore(opened: OpenedSecrets, { client, id }: Handover): Promise<CommandError | undefined> {
  const before = opened.get(nameOnServer(client.baseUrl, id));
  if (!before) return undefined;
  const secret = await findSecret(client, id);
  const { times, at, destination } = before;
  const ours = `An earlier call opened this secret at ${formatTime(at)}, ${destination}.`;
  if (secret && secret.claims <= times) return new CommandError(`${ours} It can't be opened again.`, "gone");
  const others = secret
    ? `It was opened ${secret.claims} times in all, ${times === 1 ? "once" : `${times} times`} by calls here. It can't be opened again. If the others weren't you, or programs of yours, tell the sender: someone else may have it.`
    : "It can't be opened again.";
  return new CommandError(`${ours} ${others}`, "gone");
}

/** The least number of bytes that a secret has; 0 when unknown. */
function leastBytesOf(secret: Secret | undefined): number {
  return contentBytesOf(secret?.ciphertext_bytes ?? 0).least;
}

/** Reads a file that is no device and no pipe. `given` is how the caller named it. */
function readFile(folders: AllowedFolders, given: string, maxBytes: number): Content {
  using file = folders.openFile(given);
  const name = basename(file.path);
  try {
    splitEntryName(name);
  } catch {
    throw usageError(`'${given}' has a name that not every system takes. Rename it first`);
  }
  const stats = fstatSync(file.descriptor);
  if (!stats.isFile()) throw usageError(`'${given}' isn't a file`);
  if (stats.size > maxBytes)
    throw usageError(
      `'${given}' is too large for an agent, which sends ${Math.floor(maxBytes / 1024)} KiB at most. A person may send it with 'handoff send'`,
    );
  try {
    const isExecutable = (stats.mode & 0o100) !== 0;
    return { kind: "files", files: [{ name, bytes: readFileSync(file.descriptor), isExecutable, isFolder: false }] };
  } catch (error) {
    throw usageError(`'${given}' can't be read: ${reasonOf(error)}`);
  }
}
