import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSqliteVersion } from "../../../store/sqlite/files/sqlite-version.ts";

const MODULES = join(import.meta.dir, "../../../../node_modules");
const LICENSE_FILE = /^(licen[cs]e|notice|copying)\b|\.LICENSE\.txt$/i;

/**
 * The packages of npm that are inside the executable, in whole or in part, by their paths below `node_modules`. A test
 * compares them with the bundle.
 */
export const PACKAGES: readonly string[] = [
  "@borewit/text-codec",
  "@elysiajs/swagger",
  "@hexagon/base64",
  "@levischuck/tiny-cbor",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/server/node_modules/@modelcontextprotocol/core",
  "@noble/ciphers",
  "@noble/curves",
  "@noble/curves/node_modules/@noble/hashes",
  "@noble/post-quantum",
  "@noble/post-quantum/node_modules/@noble/hashes",
  "@opentelemetry/api",
  "@peculiar/asn1-android",
  "@peculiar/asn1-asym-key",
  "@peculiar/asn1-cms",
  "@peculiar/asn1-csr",
  "@peculiar/asn1-ecc",
  "@peculiar/asn1-pfx",
  "@peculiar/asn1-pkcs8",
  "@peculiar/asn1-pkcs9",
  "@peculiar/asn1-rsa",
  "@peculiar/asn1-schema",
  "@peculiar/asn1-x509",
  "@peculiar/asn1-x509-attr",
  "@peculiar/asn1-x509-post-quantum",
  "@peculiar/utils",
  "@peculiar/x509",
  "@scalar/themes",
  "@scalar/themes/node_modules/@scalar/types",
  "@scalar/themes/node_modules/@scalar/types/node_modules/zod",
  "@scure/base",
  "@scure/bip39",
  "@simplewebauthn/browser",
  "@simplewebauthn/server",
  "@sinclair/typebox",
  "@stablelib/base64",
  "@tokenizer/inflate",
  "acme-client",
  "acme-client/node_modules/@peculiar/x509",
  "age-encryption",
  "age-encryption/node_modules/@noble/hashes",
  "asn1js",
  "async-function",
  "async-generator-function",
  "asynckit",
  "axios",
  "axios/node_modules/https-proxy-agent",
  "axios/node_modules/https-proxy-agent/node_modules/agent-base",
  "bintrees",
  "call-bind-apply-helpers",
  "client-zip",
  "combined-stream",
  "commander",
  "cookie",
  "debug",
  "delayed-stream",
  "drizzle-orm",
  "dunder-proto",
  "elysia",
  "es-define-property",
  "es-errors",
  "es-object-atoms",
  "es-set-tostringtag",
  "exact-mirror",
  "fast-decode-uri-component",
  "fast-sha256",
  "file-type",
  "follow-redirects",
  "form-data",
  "form-data/node_modules/mime-types",
  "form-data/node_modules/mime-types/node_modules/mime-db",
  "function-bind",
  "generator-function",
  "get-intrinsic",
  "get-proto",
  "gopd",
  "has-symbols",
  "has-tostringtag",
  "hasown",
  "idb-keyval",
  "ieee754",
  "jose",
  "math-intrinsics",
  "memoirist",
  "modern-tar",
  "ms",
  "node-forge",
  "nodemailer",
  "oauth4webapi",
  "openid-client",
  "preact",
  "prom-client",
  "pvtsutils",
  "pvutils",
  "qr",
  "reflect-metadata",
  "standardwebhooks",
  "strtok3",
  "supports-color",
  "swagger-ui-dist",
  "tdigest",
  "token-types",
  "tslib",
  "tsyringe",
  "tsyringe/node_modules/tslib",
  "uint8array-extras",
  "zod",
];

/** A part of the executable that others have written. */
export interface Component {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** The texts that have to come with it. */
  readonly texts: readonly string[];
  /** Its package URL; undefined for what is in no registry. */
  readonly purl?: string;
}

/** Reads the components from `node_modules`. Throws when one is missing, or has no license text. */
export function readComponents(): readonly Component[] {
  const components = [...PACKAGES.map(readPackage), ...readRuntime()];
  // Several packages may each have the same version of another.
  return [...new Map(components.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

/** The licenses of all components: a list, then every text once. */
export function describeLicenses(): string {
  const components = readComponents();
  const list = components.map(({ name, version, license }) => `  ${name} ${version}: ${license}\n`).join("");
  const users = Map.groupBy(
    components.flatMap(({ name, texts }) => texts.map((text) => ({ name, text }))),
    ({ text }) => text,
  );
  const texts = [...users].map(
    ([text, parts]) => `${"-".repeat(80)}\n${parts.map(({ name }) => name).join(", ")}:\n\n${text}\n\n`,
  );
  return `Others have written these parts of handoff:\n\n${list}\n${texts.join("")}`;
}

function readPackage(path: string): Component {
  const folder = join(MODULES, path);
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Component;
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file) && !isOfOtherBundle(file));
  const texts = files.toSorted().map((file) => readText(join(folder, file)));
  return {
    name,
    version,
    license: license.replace(/^\((.*)\)$/, "$1"),
    texts: texts.length > 0 ? texts : [ownText(license)],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
}

/** Bun, what it has linked in, and SQLite. */
function readRuntime(): readonly Component[] {
  const linked = readText(join(MODULES, "bun-types/docs/project/license.mdx")).replace(/^---\n[^]*?\n---\n/, "");
  return [
    {
      name: "bun",
      version: Bun.version,
      license: "MIT AND LGPL-2.1-or-later",
      texts: [linked.trim(), ownText("MIT"), ownText("LGPL-2.1")],
      purl: `pkg:npm/bun@${Bun.version}`,
    },
    {
      name: "sqlite",
      version: findSqliteVersion(),
      license: "blessing",
      texts: ["The authors of SQLite have dedicated its code to the public domain: https://sqlite.org/copyright.html"],
    },
  ];
}

/** Swagger UI has several bundles in its package, each with the licenses of its own parts. */
function isOfOtherBundle(file: string): boolean {
  return file.endsWith(".js.LICENSE.txt") && file !== "swagger-ui-bundle.js.LICENSE.txt";
}

/** The text of a license whose package comes without one. */
function ownText(license: string): string {
  const path = join(import.meta.dir, `${license}.txt`);
  if (!existsSync(path)) throw new Error(`there is no text of the license '${license}'`);
  return readText(path);
}

function readText(path: string): string {
  return readFileSync(path, "utf8")
    .replaceAll("\r\n", "\n")
    .replaceAll(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
}
