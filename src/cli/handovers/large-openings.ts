import { ClientError } from "../../client/errors.ts";
import { downloadCiphertext } from "../../client/large/downloads.ts";
import { toOpeningError } from "../../client/opened-secrets.ts";
import type { OpeningKey } from "../../client/opened-secrets.ts";
import type { Person } from "../../contract/persons.ts";
import { DamagedArchiveError } from "../../crypto/archive-streams.ts";
import { openHeader } from "../../crypto/sealed-streams.ts";
import type { StreamKey } from "../../crypto/sealed-streams.ts";
import { secretPassphrase } from "../../crypto/secret-links.ts";
import { lockClaim } from "../state/claim-locks.ts";
import { createProgress } from "../terminal/progress.ts";
import { rescueOf, withAdvice } from "../terminal/repeats.ts";
import type { Repeat } from "../terminal/repeats.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { claimAllowed } from "./claims.ts";
import type { Claimed, Handover } from "./claims.ts";
import { isCaptured, toDeliveryError } from "./deliveries.ts";
import type { DeliveryFlags } from "./deliveries.ts";
import { acknowledge, decrypt, isUnopenable, PASSPHRASE_HINT, readSenderPassphrase, setAside } from "./handovers.ts";
import { ASK_AGAIN, deliverLarge } from "./large-deliveries.ts";

/**
 * Claims a large secret, or resumes an earlier claim, downloads and decrypts it to its destination, and acknowledges
 * it. `onClaim` is called with the sender, as the server says. Throws ClientError and CommandError; the claim is kept
 * then, and the same call starts over.
 */
export async function openLarge(
  terminal: Terminal,
  handover: Handover,
  flags: DeliveryFlags & { readonly isApart?: boolean },
  onClaim: (sender: Person | null) => void = () => undefined,
): Promise<void> {
  const { client, id } = handover;
  using locks = new DisposableStack();
  locks.use(lockOnce(terminal, handover));
  const passphrase =
    handover.passphrase && (await readSenderPassphrase(terminal, handover.passphrase, PASSPHRASE_HINT));
  const claimed = await claimAllowed(terminal, { ...handover, isLarge: true });
  const { claim, envelope } = claimed;
  onClaim(claimed.sender);
  if ("ciphertext" in envelope) throw new Error("a small secret is opened in another way");
  const progress = createProgress(terminal);
  let renewedAt: number | undefined;
  const stopping = new AbortController();
  const download = downloadCiphertext(client, {
    id,
    idempotencyKey: claim.idempotencyKey,
    bytes: envelope.bytes,
    onProgress: progress.onProgress,
    onRenewal: (askedAt) => void (renewedAt = askedAt),
    until: stopping.signal,
  });
  try {
    const header = await openHeader(download);
    const unlock = async (key: OpeningKey) => {
      try {
        return await header.unlock(toStreamKey(key));
      } catch (error) {
        throw toOpeningError(error);
      }
    };
    const plaintext = await decrypt(terminal, handover, passphrase, unlock);
    await deliverLarge(terminal, plaintext, { ...flags, id, nameStyle: handover.nameStyle });
  } catch (error) {
    // Its readers may wait for more of it.
    stopping.abort();
    progress.end();
    const reason = toOpeningError(error);
    if (handover.isSubmission && isUnopenable(reason)) throw setAside(reason, claim, id);
    throw explain(error, repeatOf(claimed, renewedAt === undefined ? 0 : renewedAt + envelope.windowMs), handover);
  }
  progress.end();
  await acknowledge(client, id, claim);
  if (flags.output === undefined && isCaptured(terminal, flags)) {
    throw new CommandError(
      "Nothing was printed: what came is too large for that, and is in the new directory.",
      "not_text",
    );
  }
}

/** Locks the secret, because two commands would write the same unfinished files. */
function lockOnce(terminal: Terminal, { client, id }: Handover): Disposable {
  let lock: Disposable | undefined;
  try {
    lock = lockClaim(terminal, client.baseUrl, id);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // Where nothing can be written, no other command keeps a claim either.
    return { [Symbol.dispose]: () => undefined };
  }
  if (!lock) throw new CommandError("Another command on this machine is opening this secret.");
  return lock;
}

function toStreamKey(key: OpeningKey): StreamKey {
  return key.kind === "link"
    ? { passphrase: secretPassphrase(key.agePassphrase, key.passphrase) }
    : { ageIdentities: key.ageIdentities };
}

/** The way to have it again: the download has moved the window on. */
function repeatOf({ repeat }: Claimed, untilMs: number): Repeat {
  if (repeat.kind !== "until") return repeat;
  return { kind: "until", time: new Date(Math.max(Date.parse(repeat.time), untilMs)).toISOString() };
}

function explain(thrown: unknown, repeat: Repeat, { again }: Handover): unknown {
  if (thrown instanceof DamagedArchiveError) {
    const message = `${thrown.message} ${ASK_AGAIN}`;
    return new ClientError("damaged_archive", "decryption", message);
  }
  const error = toDeliveryError(toOpeningError(thrown));
  const isInterrupted = (error instanceof ClientError || error instanceof CommandError) && error.kind === "interrupted";
  if (isInterrupted) {
    return new CommandError(`Interrupted. ${rescueOf([repeat], "Run the same command")}`, "interrupted");
  }
  return withAdvice(error, [repeat], again);
}
