import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { createSecureContext } from "node:tls";
import { FOREIGN_PIPE, FOREIGN_PIPE_REASON, readBeginning } from "../../config/readable-files.ts";
import type { Settings } from "../../config/settings.ts";
import { codeOf } from "../../contract/error-traces.ts";
import type { TlsPair } from "../../http/server.ts";
import { usageError } from "../terminal/terminal.ts";

const CERTIFICATE = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:TRUSTED )?CERTIFICATE-----/g;
const KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs the server has to be able to read it",
  EISDIR: "it is a folder",
  [FOREIGN_PIPE]: FOREIGN_PIPE_REASON,
};
/** Longer than any chain: a device must not be read for ever. */
const MAX_PEM_BYTES = 1024 * 1024;
const UNKNOWN_REASON = "the reason is not known";

/** Reads the chain and key in the settings; undefined for none. Throws CommandError when they can't serve. */
export function readTls({ tlsCert, tlsKey }: Pick<Settings, "tlsCert" | "tlsKey">): TlsPair | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const cert = readPem("--tls-cert", tlsCert);
  const key = readPem("--tls-key", tlsKey);
  const chain = certificatesIn(cert);
  if (chain.length === 0 && KEY.test(cert) && CERTIFICATE.test(key)) {
    throw usageError(
      `--tls-cert and --tls-key are swapped: '${tlsCert}' holds a private key, and '${tlsKey}' a certificate`,
    );
  }
  checkPair(chain, tlsCert, readKey(key, tlsKey), tlsKey);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw usageError(
      `TLS cannot use the certificate in '${tlsCert}' with the key in '${tlsKey}' (${codeOf(error) ?? UNKNOWN_REASON}). A key of RSA with 2048 bits, or of the curve P-256, works everywhere`,
    );
  }
  return { cert, key };
}

/** The certificates in a PEM text, the server's own first. */
export function certificatesIn(pem: string): readonly string[] {
  return pem.match(CERTIFICATE) ?? [];
}

/** Throws CommandError unless the first certificate belongs to the key and all of them can be read. */
function checkPair(chain: readonly string[], certPath: string, key: KeyObject, keyPath: string): void {
  if (chain.length === 0) throw usageError(`--tls-cert: the file '${certPath}' holds no certificate`);
  const fits = chain.map((each, index) => {
    try {
      return new X509Certificate(each).checkPrivateKey(key);
    } catch {
      throw usageError(`--tls-cert: certificate ${index + 1} in the file '${certPath}' is damaged`);
    }
  });
  if (fits[0]) return;
  if (fits.includes(true)) {
    throw usageError(`--tls-cert: the server's own certificate has to be the first one in the file '${certPath}'`);
  }
  throw usageError(
    `the certificate in '${certPath}' (--tls-cert) and the private key in '${keyPath}' (--tls-key) do not belong together`,
  );
}

function readKey(pem: string, path: string): KeyObject {
  if (ENCRYPTED.test(pem)) {
    throw usageError(
      `--tls-key: the key in '${path}' is protected by a passphrase. Take the passphrase off: openssl pkey -in '${path}' -out NEWFILE`,
    );
  }
  if (!KEY.test(pem)) throw usageError(`--tls-key: the file '${path}' holds no private key`);
  try {
    return createPrivateKey(pem);
  } catch {
    throw usageError(`--tls-key: the private key in the file '${path}' is damaged`);
  }
}

function readPem(flag: string, path: string): string {
  let text: string;
  try {
    text = readBeginning(path, MAX_PEM_BYTES).toString();
  } catch (error) {
    const why = UNREADABLE[codeOf(error) ?? ""] ?? codeOf(error) ?? UNKNOWN_REASON;
    throw usageError(`${flag}: the file '${path}' cannot be read: ${why}`);
  }
  if (text.includes("-----BEGIN ")) return text;
  throw usageError(`${flag}: the file '${path}' is not PEM`);
}
