import { readFileSync } from "node:fs";
import { ClientError } from "../client/errors.ts";
import type { HttpClient } from "../client/http-client.ts";
import { openEnvelope, type OpeningKey } from "../client/opened-secrets.ts";
import { acknowledgeClaim, claimSecret, getSecret } from "../client/secrets.ts";
import type { Secret } from "../contract/secrets.ts";
import type { Payload } from "../crypto/payloads.ts";
import { deriveShareKeys, parseShareLink } from "../crypto/share-links.ts";
import { connectByLink, type ConnectionFlags } from "./connections.ts";
import { hasPendingClaim, openPendingClaim } from "./pending-claims.ts";
import { reasonOf } from "./private-files.ts";
import { createProgress } from "./progress.ts";
import { type Terminal, usageError } from "./terminal.ts";
import { formatTime } from "./times.ts";

const PASSPHRASE_ATTEMPTS = 5;

/** A secret that can be taken: who may claim it, and what opens it. */
export interface Handover {
  readonly client: HttpClient;
  readonly id: string;
  /** Without the passphrase, which is asked for when it is needed. */
  readonly key: OpeningKey;
  readonly needsPassphrase: boolean;
  readonly passphraseFile: string | undefined;
}

/** The handover that a link stands for. Throws LinkError and ClientError. */
export async function handoverOfLink(
  terminal: Terminal,
  flags: ConnectionFlags & { readonly passphraseFile?: string },
  text: string,
  signal: AbortSignal,
): Promise<Handover> {
  const { baseUrl, id, seed, needsPassphrase } = parseShareLink(text);
  const { claimToken, agePassphrase } = await deriveShareKeys(seed);
  return {
    client: connectByLink(terminal, flags, { baseUrl, token: claimToken }, signal),
    id,
    key: { kind: "link", agePassphrase, passphrase: undefined },
    needsPassphrase,
    passphraseFile: flags.passphraseFile,
  };
}

/**
 * What is known of a secret before it is claimed. Throws ClientError when it cannot be any more; undefined when a claim
 * that was begun before is to be taken up, whatever its state is.
 */
export async function inspect(terminal: Terminal, { client, id }: Handover): Promise<Secret | undefined> {
  if (hasPendingClaim(terminal, id)) return undefined;
  const secret = await getSecret(client, id);
  if (secret.state !== "available") throw ended(secret);
  return secret;
}

/** A secret that was claimed and decrypted, and that the server may still hold. */
export interface TakenPayload {
  readonly payload: Payload;
  readonly secret: Secret;
  /**
   * Tells the server that the secret is where it belongs. To be called only then: until it is, the same command can be
   * run again after whatever went wrong, for as long as the server lets a claim be repeated.
   */
  acknowledge(): Promise<void>;
}

/** Claims a secret, or takes up a claim that was begun before, and decrypts it. Throws ClientError and CommandError. */
export async function takeSecret(terminal: Terminal, handover: Handover): Promise<TakenPayload> {
  const { client, id } = handover;
  const passphrase = await firstPassphrase(terminal, handover);
  const claim = openPendingClaim(terminal, id);
  const progress = createProgress(terminal);
  const { secret, envelope } = await claimSecret(client, id, claim.idempotencyKey, progress.onProgress).catch(
    async (error: unknown) => {
      if (!(error instanceof ClientError) || error.kind !== "gone") throw error;
      // There is nothing left to be repeated.
      claim.finish();
      throw await explainEnd(handover, error);
    },
  );
  progress.end();
  return {
    payload: await decrypt(terminal, handover, passphrase, (key) => openEnvelope(envelope, key)),
    secret,
    async acknowledge() {
      // Without it the server erases the secret a little later by itself.
      await acknowledgeClaim(client, id, claim.idempotencyKey).catch(() => undefined);
      claim.finish();
    },
  };
}

/** Asked for before the claim, so that nothing is used up by somebody who does not know it. */
async function firstPassphrase(terminal: Terminal, handover: Handover): Promise<string | undefined> {
  if (!handover.needsPassphrase) return undefined;
  if (handover.passphraseFile !== undefined) return readPassphraseFile(handover.passphraseFile);
  const passphrase = await askPassphrase(terminal);
  if (passphrase === undefined) throw usageError("this link needs a passphrase too: give it with --passphrase-file");
  return passphrase;
}

async function decrypt(
  terminal: Terminal,
  { key, needsPassphrase, passphraseFile }: Handover,
  first: string | undefined,
  open: (key: OpeningKey) => Promise<Payload>,
): Promise<Payload> {
  let passphrase = first;
  for (let attempt = 1; ; attempt++) {
    try {
      return await open(key.kind === "link" ? { ...key, passphrase } : key);
    } catch (error) {
      const mayAskAgain = needsPassphrase && passphraseFile === undefined && attempt < PASSPHRASE_ATTEMPTS;
      if (!(error instanceof ClientError && error.code === "decryption_failed" && mayAskAgain)) throw error;
      terminal.say("That does not open it. Nothing is lost: try again.");
      passphrase = await askPassphrase(terminal);
    }
  }
}

function askPassphrase(terminal: Terminal): Promise<string | undefined> {
  return terminal.ask("Passphrase (not shown): ", { hidden: true });
}

/** Reads a passphrase from the first line of a file. Throws CommandError. */
export function readPassphraseFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`--passphrase-file: '${path}' cannot be read: ${reasonOf(error)}`);
  }
  const [line = ""] = text.split(/\r?\n/, 1);
  if (line === "") throw usageError(`--passphrase-file: the first line of '${path}' is empty`);
  return line;
}

/** The error of a claim that came too late, with the time at which it was too late. */
async function explainEnd({ client, id }: Handover, error: ClientError): Promise<ClientError> {
  const secret = await getSecret(client, id).catch(() => undefined);
  return secret && secret.state !== "available" ? ended(secret) : error;
}

function ended({ state, ended_at: endedAt }: Secret): ClientError {
  const at = endedAt === null ? "" : ` at ${formatTime(endedAt)}`;
  switch (state) {
    case "claimed":
      return gone(
        "secret_claimed",
        `This secret was opened${at} and is gone. If that was not you, tell whoever sent it.`,
      );
    case "expired":
      return gone("secret_expired", `This secret expired${at}, before anybody opened it. Ask for it to be sent again.`);
    case "revoked":
      return gone("secret_revoked", `Whoever sent this secret took it back${at}. Ask for it to be sent again.`);
    case "available":
      throw new Error("an available secret has not ended");
  }
}

function gone(code: "secret_claimed" | "secret_expired" | "secret_revoked", message: string): ClientError {
  return new ClientError(code, "gone", message);
}
