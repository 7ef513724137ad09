import type { HttpClient } from "../../client/http-client.ts";
import { downloadCiphertext } from "../../client/large/downloads.ts";
import { openHeader } from "../../crypto/sealed-streams.ts";
import type { OpenedHeader } from "../../crypto/sealed-streams.ts";
import type { LargeSource } from "./large-jobs.ts";

/** The window of a claim is an hour long, or longer. A device that sleeps meanwhile skips some. */
const RENEWAL_MS = 2 * 60_000;

/** A download that waits behind its header until somebody has the key. */
export interface HeldDownload {
  /** Rejects with what the download throws. */
  readonly header: Promise<OpenedHeader>;
  /** Call it once the header is unlocked: the rest is read from then on. */
  readonly goOn: () => void;
  /** Ends the download, which then throws `interrupted`. */
  readonly stop: () => void;
}

/**
 * Begins to download a claimed ciphertext. Until `goOn` is called, it asks for its beginning again and again, so that
 * the claim can be repeated for as long as its person looks for the passphrase.
 */
export function holdDownload(
  client: HttpClient,
  source: LargeSource,
  { onReceived, onRenewed }: { readonly onReceived: (bytes: number) => void; readonly onRenewed: (at: number) => void },
): HeldDownload {
  const stopping = new AbortController();
  const { signal: until } = stopping;
  let isHeld = true;
  const ciphertext = downloadCiphertext(client, {
    ...source,
    onProgress: (_, bytes) => isHeld || onReceived(bytes),
    onRenewal: onRenewed,
    until,
  });
  const header = openHeader(ciphertext);
  header.catch(() => undefined);
  const renew = async () => {
    const reader = downloadCiphertext(client, { ...source, onRenewal: onRenewed, until }).getReader();
    // The download itself says what is wrong.
    await reader.read().catch(() => undefined);
    await reader.cancel().catch(() => undefined);
  };
  const timer = setInterval(() => void renew(), RENEWAL_MS);
  return {
    header,
    goOn() {
      isHeld = false;
      clearInterval(timer);
    },
    stop() {
      clearInterval(timer);
      stopping.abort();
    },
  };
}
