import { dirname, join, normalize } from "node:path";
import { findImports } from "./imports.ts";

/** The imports that the files of one room may have. All others are forbidden. */
export interface Room {
  readonly rooms: readonly string[];
  /** Rooms of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Single files of other rooms that may be imported. */
  readonly files?: readonly string[];
  /** Packages and built-in modules; a package covers its subpaths. */
  readonly packages: readonly string[];
  /** Files outside `src/` that are embedded, by the folder they are in. */
  readonly assets?: readonly string[];
}

/** The files of the contract without schemas: facts that the page may have too, without the library of the schemas. */
export const FACTS: readonly string[] = [
  "error-codes",
  "error-traces",
  "ids",
  "limits",
  "links",
  "operations",
  "patterns",
  "scopes",
  "states",
  "tokens",
  "user-errors",
].map((name) => `src/contract/${name}.ts`);

/** The table of `src/README.md`, with packages. `main` is the file `src/main.ts`. */
export const ROOMS: Readonly<Record<string, Room>> = {
  contract: { rooms: [], packages: ["@sinclair/typebox"] },
  crypto: { rooms: ["contract"], packages: ["age-encryption", "modern-tar", "@scure/bip39"] },
  // node:buffer for isUtf8 alone: it is pure, and a tenth of a creation faster than a TextDecoder that throws.
  domain: { rooms: ["contract"], packages: ["@scure/base", "@scure/bip39", "node:buffer", "node:net"] },
  store: {
    rooms: ["contract", "domain"],
    // bun:ffi for what neither Bun nor Node has: flock(2), _exit(2), the limit of core dumps and datagrams; node:util
    // for the names of what they fail with.
    packages: ["drizzle-orm", "bun", "bun:sqlite", "bun:ffi", "node:fs", "node:path", "node:util"],
    assets: ["drizzle/sqlite", "drizzle/postgres"],
  },
  http: {
    rooms: ["contract", "domain", "manual"],
    // node:zlib for Brotli, which Bun has no function of its own for.
    packages: [
      "elysia",
      "@elysiajs/swagger",
      "@sinclair/typebox",
      "swagger-ui-dist",
      "node:fs",
      "node:net",
      "node:zlib",
    ],
  },
  // The one room of the server half that signs, and that calls others.
  webhooks: {
    rooms: ["contract", "domain"],
    packages: ["standardwebhooks", "node:dgram", "node:dns", "node:http", "node:https", "node:net"],
  },
  // The other room of the server half that verifies signatures.
  "signing-in": { rooms: ["contract", "domain"], packages: ["@simplewebauthn/server", "jose", "openid-client"] },
  // Loaded by servers that send mails.
  mail: { rooms: ["contract", "domain"], packages: ["nodemailer"] },
  // Texts, which both halves show.
  manual: { rooms: [], packages: [] },
  client: { rooms: ["contract", "crypto"], packages: [] },
  web: {
    rooms: ["client", "crypto"],
    typesOf: ["contract"],
    files: [...FACTS, "src/manual/search.ts"],
    packages: ["preact", "qr", "idb-keyval", "client-zip", "@simplewebauthn/browser"],
  },
  mcp: {
    rooms: ["client", "contract"],
    packages: ["@modelcontextprotocol/server", "node:stream", "@sinclair/typebox"],
  },
  config: { rooms: ["contract"], packages: ["@sinclair/typebox", "node:fs", "node:os", "node:path"] },
  cli: {
    rooms: [
      "contract",
      "crypto",
      "domain",
      "store",
      "http",
      "signing-in",
      "mail",
      "webhooks",
      "client",
      "web",
      "mcp",
      "config",
      "manual",
    ],
    // node:crypto and node:tls to look at the certificate of the server before it is used; cryptography stays in
    // crypto.
    packages: [
      "acme-client",
      "commander",
      "prom-client",
      "qr",
      "node:crypto",
      "node:fs",
      "node:http",
      "node:https",
      "node:path",
      "node:os",
      "node:readline",
      "node:stream",
      "node:timers",
      "node:tls",
      "node:tty",
      "node:util",
    ],
    assets: ["."],
  },
  main: { rooms: ["cli"], packages: [] },
};

/**
 * The floors of each house, from the top down; each has rooms, or files of the house itself. What stands on a floor may
 * import what stands below it, and nothing above or beside it but its own room.
 */
export const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  domain: [["transactions", "large", "webhooks", "mails", "signing-in"], ["*"], ["values"], ["ports"]],
  http: [["server.ts"], ["app.ts"], ["pages"], ["openapi"], ["resources"], ["gate"], ["options.ts"]],
  // What copies from one engine to the other stands on both, and administration is the same for both.
  store: [["copies"], ["blobs"], ["sqlite", "postgres"], ["administration"]],
  "store/sqlite": [["assembly"], ["*"], ["engine"], ["files", "schema.ts"], ["member-schema.ts"]],
  "store/postgres": [["store.ts"], ["*"], ["engine"], ["schema.ts"], ["member-schema.ts"], ["columns.ts"]],
  client: [["package", "page"], ["large", "signing-in", "audit"], ["*"]],
  cli: [
    ["run.ts"],
    ["commands"],
    ["agents", "checks", "completion"],
    ["handovers"],
    ["state", "acme"],
    ["files"],
    ["processes"],
    ["server"],
    ["metrics"],
    ["terminal", "deploy"],
  ],
  web: [
    ["entries"],
    ["main.tsx"],
    ["pages"],
    ["account", "asking", "collecting", "opening", "sending", "submitting", "activity", "auditing"],
    ["composing", "proving", "viewing"],
    ["service"],
    ["parts"],
    ["frame"],
    ["large"],
    ["browser"],
    ["contents"],
    ["texts"],
    ["languages"],
  ],
};

/**
 * Sentences about what is wrong with the imports of the file `path` (from the top of the repository, such as
 * `src/http/app.ts`); empty when nothing is.
 */
export function findViolations(path: string, source: string, rooms = ROOMS): string[] {
  const room = rooms[roomOf(path)];
  if (!room) return [`${path} is in no room`];
  return findImports(source)
    .filter(({ specifier, typeOnly }) => !isAllowed(path, room, specifier, typeOnly))
    .map(({ specifier }) => `${path} may not import ${specifier ?? "what is only known at run time"}`);
}

/**
 * The files that import themselves through others, of the imports of each file. Two circles also report the files on
 * the way from one to the other.
 */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const imported = new Set([...left.values()].flat());
    for (const [path, targets] of left) {
      if (!imported.has(path) || !targets.some((each) => left.has(each))) left.delete(path);
    }
  }
  return [...left.keys()];
}

function isAllowed(path: string, room: Room, specifier: string | undefined, typeOnly: boolean): boolean {
  if (specifier === undefined) return false;
  if (!specifier.startsWith(".")) {
    return room.packages.some((each) => specifier === each || specifier.startsWith(`${each}/`));
  }
  const target = normalize(join(dirname(path), specifier));
  if (!target.startsWith("src/")) return (room.assets ?? []).includes(dirname(target));
  const targetRoom = roomOf(target);
  if (targetRoom === roomOf(path)) return isBelow(path, target);
  if (room.files?.includes(target)) return true;
  return room.rooms.includes(targetRoom) || (typeOnly && (room.typesOf ?? []).includes(targetRoom));
}

/** True when the file `path` may import `target`, a file of the same house. */
function isBelow(path: string, target: string): boolean {
  // The smallest house that has both.
  const house = Object.keys(FLOORS)
    .filter((each) => path.startsWith(`src/${each}/`) && target.startsWith(`src/${each}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  if (house === undefined) return true;
  const [own, other] = [placeIn(house, path), placeIn(house, target)];
  return own.place === other.place || own.floor < other.floor;
}

/** The room or file of the house that `path` is in, and its floor, counted from the top. Throws when it has none. */
function placeIn(house: string, path: string): { readonly place: string; readonly floor: number } {
  const [place = "", ...rest] = path.slice(`src/${house}/`.length).split("/");
  const floors = FLOORS[house] ?? [];
  const named = floors.findIndex((floor) => floor.includes(place));
  // Files that no floor names share the floor of the star.
  const floor = named >= 0 || rest.length > 0 ? named : floors.findIndex((each) => each.includes("*"));
  if (floor < 0) throw new Error(`${path} is on no floor of ${house}`);
  return { place: named >= 0 ? place : "*", floor };
}

function roomOf(path: string): string {
  const [, room = "", ...rest] = path.split("/");
  if (rest.length > 0) return room;
  return room === "main.ts" ? "main" : room;
}
