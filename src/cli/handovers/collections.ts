import { ClientError } from "../../client/errors.ts";
import type { HttpClient } from "../../client/http-client.ts";
import { hasEnded, waitForSubmission } from "../../client/requests.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { NameStyle } from "../../crypto/entry-names.ts";
import { checkRoom } from "../files/destinations.ts";
import { forgetRequest, noteProgress } from "../state/kept-requests.ts";
import type { KeptRequest } from "../state/kept-requests.ts";
import { hasPendingClaim } from "../state/pending-claims.ts";
import { CommandError, remark, usageError, warn } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { findSecretSoon, isOfOtherVersion } from "./claims.ts";
import type { Handover } from "./claims.ts";
import { tellLost } from "./connections.ts";
import type { ConnectionFlags } from "./connections.ts";
import { deliver, deliverInto, deliverTaken, nameStyleOf, STANDARD_OUTPUT } from "./deliveries.ts";
import type { DeliveryFlags } from "./deliveries.ts";
import { toDelivered } from "./filled-forms.ts";
import { openSecret } from "./handovers.ts";
import type { OpenedSecret } from "./handovers.ts";
import { openLarge } from "./large-openings.ts";

/** The time that one call waits: less than the minute after which proxies close a silent connection. */
const STEP_SECONDS = 50;

/** The wait of a command for submissions. */
export interface CollectionWait {
  /** The longest time to wait; Infinity for no limit. */
  readonly seconds: number;
  readonly flags: ConnectionFlags;
  /** True when the server has answered this command before. */
  readonly isUnderWay?: boolean;
}

/** Waits for a submission, or the end of the request, through restarts. Errors name the command to resume with. */
export function awaitSubmission(
  terminal: Terminal,
  client: HttpClient,
  id: string,
  { flags, ...wait }: CollectionWait,
): Promise<RequestMetadata> {
  const signal = terminal.interruptible();
  const onLost = tellLost(terminal, flags, () => " until it's back");
  const onBack = () => flags.json || remark(terminal, "The server is back. Still waiting…");
  return namingCollect(id, () =>
    waitForSubmission(client, id, { ...wait, stepSeconds: STEP_SECONDS, signal, onLost, onBack }),
  );
}

/** Runs `work`. Adds the command that resumes a request to failures that may pass or be fixed, such as an outage. */
export async function namingCollect<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ClientError) || (error.kind !== "network" && error.kind !== "failure")) throw error;
    const { code, kind, message: meaning, requestId, unknownOutcomeOf } = error;
    const explanation = { meaning, advice: `Go on with: handoff collect ${id} --wait` };
    throw new ClientError(code, kind, explanation, { requestId, unknownOutcomeOf, cause: error });
  }
}

/** The ids of the secrets that can be collected: those not claimed, and those whose claim here isn't finished. */
export function collectable(terminal: Terminal, baseUrl: string, { submissions }: RequestMetadata): string[] {
  return submissions
    .filter(({ secret_id: id, state }) => state === "available" || hasPendingClaim(terminal, baseUrl, id))
    .map(({ secret_id: id }) => id);
}

/** The error for a request that is still open but has nothing to collect; `advice` says what to do. */
export function nothingYet({ submissions }: RequestMetadata, advice: string): CommandError {
  const what = submissions.length === 0 ? "Nothing has been handed in yet" : "Nothing new has been handed in yet";
  return new CommandError(`${what}. ${advice}`, "nothing_yet");
}

/**
 * Notes what was collected of a request, and its end as the server says it; see `noteProgress`. A failed write is only
 * a warning: the secret is at its destination.
 */
export function tryToNote(
  terminal: Terminal,
  kept: KeptRequest,
  request: RequestMetadata | undefined,
  collected: readonly string[],
): void {
  const isOver = request !== undefined && hasEnded(request);
  const progress = { collected, hasEnded: isOver, maxSubmissions: request?.max_submissions };
  orWarn(terminal, kept, () => noteProgress(terminal, kept, progress));
}

/** Forgets a request. A failed write is only a warning. */
export function tryToForget(terminal: Terminal, kept: KeptRequest): void {
  orWarn(terminal, kept, () => forgetRequest(terminal, kept, "ended"));
}

function orWarn(terminal: Terminal, kept: KeptRequest, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`The private key for ${kept.id} stays on this machine. ${error.message}`);
  }
}

/** The handover of one submission of a request. */
export function handoverOfSubmission(
  client: HttpClient,
  { ageIdentity, id: requestId }: KeptRequest,
  id: string,
  nameStyle: NameStyle = "safe",
): Handover {
  const key = { kind: "ageIdentities", ageIdentities: [ageIdentity] } as const;
  return { client, id, key, passphrase: undefined, isSubmission: true, requestId, nameStyle };
}

/** The outcome of collecting. */
export interface Collected {
  readonly count: number;
  /** The first error that concerned one secret only, so that the others were still collected. More were warned of. */
  readonly failure: unknown;
}

/**
 * Collects everything that was handed in for a request, and forgets its key once all that was asked for is collected.
 * For a request for several secrets, each goes into a folder with its id. With `field`, the value of that field alone.
 * Throws ClientError, CommandError.
 */
export async function collectAll(
  terminal: Terminal,
  client: HttpClient,
  kept: KeptRequest,
  request: RequestMetadata,
  flags: DeliveryFlags,
  field?: string,
): Promise<Collected> {
  if (flags.output === STANDARD_OUTPUT && request.max_submissions !== 1) {
    throw usageError("--output - takes one secret, and this request is for several. Name a directory.");
  }
  const ids = collectable(terminal, client.baseUrl, request);
  const collected: string[] = [];
  const failures: unknown[] = [];
  for (const id of ids) {
    const handover = handoverOfSubmission(client, kept, id, nameStyleOf(flags));
    const isOnly = request.max_submissions === 1;
    try {
      const taken = await openSmall(terminal, handover);
      if (taken) {
        await deliverTaken(terminal, taken, id, flags, {
          work: isOnly ? deliver : deliverInto,
          toDelivered: (content) => toDelivered(terminal, kept, content, field),
        });
      } else {
        if (field !== undefined) throw tooLargeForFields(id);
        await checkRoomFor(handover, flags);
        await openLarge(terminal, handover, { ...flags, isApart: !isOnly });
      }
      collected.push(id);
    } catch (error) {
      const isNotText = error instanceof CommandError && error.kind === "not_text";
      if (!isNotText && !isAboutOne(error)) throw error;
      if (isNotText) collected.push(id);
      failures.push(error);
    }
  }
  tryToNote(terminal, kept, request, collected);
  const failure = failures.find(isAboutOne) ?? failures[0];
  for (const other of failures) if (other !== failure && other instanceof UserError) warn(terminal, other.message);
  return { count: ids.length, failure };
}

/** Claims and decrypts a submission. Resolves undefined, with nothing used up, for a large one. */
async function openSmall(terminal: Terminal, handover: Handover): Promise<OpenedSecret | undefined> {
  try {
    return await openSecret(terminal, handover);
  } catch (error) {
    if (isOfOtherVersion(error)) return undefined;
    throw error;
  }
}

function tooLargeForFields(id: string): CommandError {
  return usageError(`${id} is too large to have fields. Leave --field out.`);
}

/** Throws CommandError when there is no room for a large submission where it goes, as far as the server says so. */
async function checkRoomFor({ client, id }: Handover, { output }: DeliveryFlags): Promise<void> {
  const secret = output === STANDARD_OUTPUT ? undefined : await findSecretSoon(client, id);
  if (secret) checkRoom(output ?? ".", secret.ciphertext_bytes);
}

/** True for an error that concerns one secret only: it can't be opened, or its names can't be written. */
function isAboutOne(error: unknown): boolean {
  return error instanceof UserError && error.kind === "decryption";
}
