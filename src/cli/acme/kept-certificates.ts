import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import type { TlsPair } from "../../http/server.ts";
import { readPrivateFile, writePrivateFile } from "../files/private-files.ts";
import { certificatesIn } from "../server/certificates.ts";

const DAY_MS = 86_400_000;
/** A certificate is renewed when this is left of it, or a third of its lifetime if that is less. */
const LEFT_MS = 30 * DAY_MS;

/** An account at an authority. */
interface AcmeAccount {
  /** The directory of the authority. */
  readonly directory: string;
  /** The private key, as PEM. */
  readonly key: string;
}

/** The account and the certificate of ACME, in a folder for this user alone. */
export interface KeptCertificates {
  /** The account; undefined when there is none, or it is damaged. Throws CommandError. */
  findAccount(): AcmeAccount | undefined;
  keepAccount(account: AcmeAccount): void;
  /** The certificate with its key; undefined when there is none, or it is damaged. Throws CommandError. */
  find(): TlsPair | undefined;
  keep(pair: TlsPair): void;
}

/** Opens the folder `acme` in the data folder. */
export function openKeptCertificates(dataFolder: string): KeptCertificates {
  const account = join(dataFolder, "acme", "account.json");
  const certificate = join(dataFolder, "acme", "certificate.pem");
  return {
    findAccount: () => parseAccount(readPrivateFile(account) ?? ""),
    keepAccount: (each) => writePrivateFile(account, `${JSON.stringify(each, null, 2)}\n`),
    find: () => readPair(readPrivateFile(certificate) ?? ""),
    // One file, so that a crash leaves no certificate with another's key.
    keep: ({ key, cert }) => writePrivateFile(certificate, `${key.trim()}\n${cert.trim()}\n`),
  };
}

function parseAccount(text: string): AcmeAccount | undefined {
  try {
    const { directory, key } = JSON.parse(text);
    if (typeof directory !== "string" || typeof key !== "string") return undefined;
    return { directory, key };
  } catch {
    return undefined;
  }
}

/** The certificate chain and its key in a PEM text; undefined when they don't belong together, or one is missing. */
export function readPair(text: string): TlsPair | undefined {
  const chain = certificatesIn(text);
  const [own] = chain;
  const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?-----END [A-Z ]*PRIVATE KEY-----/.exec(text)?.[0];
  if (own === undefined || key === undefined) return undefined;
  try {
    if (!new X509Certificate(own).checkPrivateKey(createPrivateKey(key))) return undefined;
  } catch {
    return undefined;
  }
  return { key, cert: chain.join("\n") };
}

/** True when browsers accept the certificate for all `names` at `now`, in epoch milliseconds. */
export function isUsable({ cert }: TlsPair, names: readonly string[], now: number): boolean {
  const own = new X509Certificate(cert);
  const [from, until] = [own.validFromDate.getTime(), own.validToDate.getTime()];
  return from <= now && now < until && names.every((name) => own.checkHost(name) !== undefined);
}

/** The time at which the certificate should be renewed, in epoch milliseconds. */
export function renewalTime({ cert }: TlsPair): number {
  const own = new X509Certificate(cert);
  const [from, until] = [own.validFromDate.getTime(), own.validToDate.getTime()];
  return until - Math.min(LEFT_MS, (until - from) / 3);
}
