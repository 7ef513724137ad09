// Writes src/crypto/vectors.json, by which clients in other languages are checked, from the code that the page and the
// command line use. Encryption is random, so every run makes other envelopes: run it when a kind of vector is added.
import { join } from "node:path";
import { exampleId } from "../src/contract/ids.ts";
import { ENVELOPE_VERSION } from "../src/contract/states.ts";
import { encodeToken } from "../src/contract/tokens.ts";
import { createAgeIdentity } from "../src/crypto/age-identities.ts";
import { formatBackupLink } from "../src/crypto/backup-links.ts";
import { encodeContent } from "../src/crypto/contents.ts";
import type { Content } from "../src/crypto/contents.ts";
import {
  LINK_WORK_FACTOR,
  PASSPHRASE_WORK_FACTOR,
  sealToRecipient,
  sealWithPassphrase,
} from "../src/crypto/envelopes.ts";
import { formatHint, hintOf } from "../src/crypto/link-hints.ts";
import type { LinkHint } from "../src/crypto/link-hints.ts";
import { decodeSeed } from "../src/crypto/links.ts";
import { deriveRequestKeys, formatRequestLink, pinOf } from "../src/crypto/request-links.ts";
import { deriveSecretLinkKeys, formatSecretLink, secretPassphrase } from "../src/crypto/secret-links.ts";

const BASE_URL = "https://handoff.example";
const [SECRET, REQUEST] = [exampleId("secret"), exampleId("request")];
const SEED = "jxTkX87qFnpaNt7dS-olQw";
const OTHER_SEED = "AAECAwQFBgcICQoLDA0ODw";
const SEEDS = [SEED, OTHER_SEED, "AAAAAAAAAAAAAAAAAAAAAA", "_____________________w"];
// Full-width letters, which NFKC makes plain.
const PASSPHRASE = "ｃｏｒｒｅｃｔ horse";
const TEXT = "fake-local-test-only: pä55wörd ✓\n";
const FILES: Content = {
  kind: "files",
  files: [
    {
      name: "keys/id_test",
      bytes: new TextEncoder().encode("fake-local-test-only"),
      isExecutable: false,
      isFolder: false,
    },
    { name: "empty", bytes: new Uint8Array(), isExecutable: false, isFolder: true },
  ],
};
const BOTH: Content = { ...FILES, kind: "both", text: TEXT };
const BINARY: Content = { kind: "binary", bytes: Uint8Array.of(0, 255, 1) };

const hybrid = await createAgeIdentity("hybrid");
const classic = await createAgeIdentity("x25519");

const tokens = ["00".repeat(24), "ff".repeat(24), "000102030405060708090a0b0c0d0e0f1011121314151617"].map((hex) => ({
  bytes: hex,
  claimToken: encodeToken("claim", Uint8Array.fromHex(hex)),
}));
const derivations = await Promise.all(
  SEEDS.map(async (seed) => {
    const bytes = decodeSeed(seed);
    return { seed, ...(await deriveSecretLinkKeys(bytes)), ...(await deriveRequestKeys(bytes)) };
  }),
);

const secretLinkOf = (needsPassphrase: boolean, hint?: LinkHint) => ({
  link: formatSecretLink({ baseUrl: BASE_URL, id: SECRET, seed: decodeSeed(SEED), needsPassphrase, hint }),
  baseUrl: BASE_URL,
  id: SECRET,
  seed: SEED,
  needsPassphrase,
  hint: hint ? formatHint(hint).slice(1) : null,
});
const plain = secretLinkOf(false).link;
const links = {
  secrets: [
    secretLinkOf(false),
    secretLinkOf(true),
    secretLinkOf(false, hintOf(BOTH)),
    secretLinkOf(true, hintOf(FILES)),
  ],
  requests: await Promise.all(
    [hybrid, classic].map(async ({ recipient }) => {
      const pin = await pinOf(recipient);
      const link = formatRequestLink({ baseUrl: BASE_URL, id: REQUEST, seed: decodeSeed(SEED), pin });
      return { link, baseUrl: BASE_URL, id: REQUEST, seed: SEED, recipient, pin };
    }),
  ),
  backups: [hybrid, classic].map(({ ageIdentity, recipient }) => ({
    link: formatBackupLink({ baseUrl: BASE_URL, id: REQUEST, ageIdentity }),
    baseUrl: BASE_URL,
    id: REQUEST,
    ageIdentity,
    recipient,
  })),
  // The links to secrets that every client refuses, with the fault that it names.
  faulty: [
    { link: plain.slice(0, -1), fault: "incomplete" },
    { link: `${plain}A`, fault: "extra" },
    { link: plain.replace("#1.j", "#1.!"), fault: "mistyped" },
    { link: `${plain.slice(0, -1)}x`, fault: "mistyped" },
    { link: plain.split("#")[0] ?? "", fault: "no_key" },
    { link: plain.replace("#", "%23"), fault: "encoded" },
    { link: plain.replace("#", "\u200B#"), fault: "hidden" },
    { link: plain.replace("#1.", "#2."), fault: "newer_version" },
    { link: plain.replace("https://", "https://ann@"), fault: "other" },
    { link: plain.replace("/s/sec_", "/r/req_"), fault: "other" },
  ],
};

/** Content as JSON: bytes are base64. */
function describeContent(content: Content) {
  return {
    kind: content.kind,
    ...("text" in content ? { text: content.text } : {}),
    ...("bytes" in content ? { bytes: content.bytes.toBase64() } : {}),
    ...("files" in content ? { files: content.files.map((file) => ({ ...file, bytes: file.bytes.toBase64() })) } : {}),
  };
}

async function sealByLink(name: string, content: Content, passphrase: string | null = null) {
  const { agePassphrase } = await deriveSecretLinkKeys(decodeSeed(SEED));
  const workFactor = passphrase === null ? LINK_WORK_FACTOR : PASSPHRASE_WORK_FACTOR;
  const bytes = await encodeContent(content);
  const envelope = await sealWithPassphrase(
    bytes,
    secretPassphrase(agePassphrase, passphrase ?? undefined),
    workFactor,
  );
  return { name, seed: SEED, passphrase, envelope, content: describeContent(content) };
}

const byLink = await sealByLink("text by link", { kind: "text", text: TEXT });
const envelopes = [
  byLink,
  await sealByLink("text by link and passphrase", { kind: "text", text: TEXT }, PASSPHRASE),
  await sealByLink("bytes without a name by link", BINARY),
  await sealByLink("files by link", FILES),
  await sealByLink("text and files by link", BOTH),
  ...(await Promise.all(
    Object.entries({ hybrid, X25519: classic }).map(async ([kind, { ageIdentity, recipient }]) => ({
      name: `text to a request's ${kind} recipient`,
      ageIdentity,
      recipient,
      envelope: await sealToRecipient(new TextEncoder().encode(TEXT), recipient),
      content: describeContent({ kind: "text", text: TEXT }),
    })),
  )),
];

const { ciphertext } = byLink.envelope;
const stretched = Buffer.from(ciphertext, "base64url")
  .toString("latin1")
  .replace(/(-> scrypt \S+) \d+\n/, "$1 18\n");
const refusedBy = (code: string, name: string, envelope: object, seed = SEED) => ({ name, seed, envelope, code });
// What every client refuses, with the code that it names.
const refused = [
  refusedBy("decryption_failed", "the key of another link", byLink.envelope, OTHER_SEED),
  refusedBy("decryption_failed", "a passphrase that is missing", envelopes[1]?.envelope ?? {}),
  refusedBy("decryption_failed", "a changed ciphertext", {
    version: ENVELOPE_VERSION,
    ciphertext: `${ciphertext.slice(0, -8)}AAAAAAAA`,
  }),
  refusedBy("decryption_failed", "a ciphertext that is cut off", {
    version: ENVELOPE_VERSION,
    ciphertext: ciphertext.slice(0, -8),
  }),
  refusedBy("settings_refused", "a work factor above 17", {
    version: ENVELOPE_VERSION,
    ciphertext: Buffer.from(stretched, "latin1").toString("base64url"),
  }),
  refusedBy(
    "encrypted_otherwise",
    "a file that no link opens",
    await sealToRecipient(new Uint8Array(1), classic.recipient),
  ),
  refusedBy("version_unknown", "a later version", { version: 2, ciphertext }),
];

const vectors = { tokens, derivations, links, envelopes, refused };
await Bun.write(join(import.meta.dir, "../src/crypto/vectors.json"), `${JSON.stringify(vectors, undefined, 2)}\n`);
