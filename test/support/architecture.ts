import { dirname, join, normalize } from "node:path";
import { findImports } from "./imports.ts";

/** What the files of one room may import. Whatever is not here, they may not. */
export interface Room {
  readonly rooms: readonly string[];
  /** Rooms of which only types may be imported. */
  readonly typesOf?: readonly string[];
  /** Packages and built-in modules; a package covers its subpaths. */
  readonly packages: readonly string[];
  /** Files outside `src/` that are embedded, by the folder they are in. */
  readonly assets?: readonly string[];
}

/** The table of ARCHITECTURE.md. `main` is the file `src/main.ts`. */
export const ROOMS: Readonly<Record<string, Room>> = {
  contract: { rooms: [], packages: ["@sinclair/typebox"] },
  crypto: { rooms: ["contract"], packages: ["age-encryption", "modern-tar", "@scure/base"] },
  // node:buffer for isUtf8 alone: it is pure, and a tenth of a creation faster than a TextDecoder that throws.
  domain: { rooms: ["contract"], packages: ["@scure/base", "node:buffer"] },
  store: {
    rooms: ["contract", "domain"],
    // bun:ffi for flock(2) alone, which neither Bun nor Node has.
    packages: ["drizzle-orm", "bun:sqlite", "bun:ffi", "node:fs", "node:path"],
    assets: ["drizzle/sqlite"],
  },
  http: {
    rooms: ["contract", "domain"],
    packages: ["elysia", "@elysiajs/swagger", "@sinclair/typebox", "swagger-ui-dist", "node:fs", "node:net"],
  },
  client: { rooms: ["contract", "crypto"], packages: [] },
  web: { rooms: ["client", "crypto"], typesOf: ["contract"], packages: ["preact", "qr", "idb-keyval"] },
  mcp: {
    rooms: ["client", "contract"],
    packages: ["@modelcontextprotocol/server", "node:stream", "@sinclair/typebox"],
  },
  config: { rooms: ["contract"], packages: ["@sinclair/typebox", "node:os", "node:path"] },
  cli: {
    rooms: ["contract", "crypto", "domain", "store", "http", "client", "web", "mcp", "config"],
    // node:crypto and node:tls to look at the certificate of the server before it is used; cryptography stays in crypto.
    packages: [
      "commander",
      "pino",
      "qr",
      "node:crypto",
      "node:fs",
      "node:path",
      "node:os",
      "node:readline",
      "node:stream",
      "node:tls",
      "node:tty",
    ],
    assets: ["."],
  },
  main: { rooms: ["cli"], packages: [] },
};

/** What is wrong with the imports of the file `path` (from the top of the repository, such as `src/http/app.ts`). */
export function findViolations(path: string, source: string, rooms = ROOMS): string[] {
  const room = rooms[roomOf(path)];
  if (!room) return [`${path} is in no room`];
  return findImports(source)
    .filter(({ specifier, typeOnly }) => !isAllowed(path, room, specifier, typeOnly))
    .map(({ specifier }) => `${path} may not import ${specifier ?? "what is only known at run time"}`);
}

function isAllowed(path: string, room: Room, specifier: string | undefined, typeOnly: boolean): boolean {
  if (specifier === undefined) return false;
  if (!specifier.startsWith(".")) {
    return room.packages.some((each) => specifier === each || specifier.startsWith(`${each}/`));
  }
  const target = normalize(join(dirname(path), specifier));
  if (!target.startsWith("src/")) return (room.assets ?? []).includes(dirname(target));
  const targetRoom = roomOf(target);
  if (targetRoom === roomOf(path)) return true;
  return room.rooms.includes(targetRoom) || (typeOnly && (room.typesOf ?? []).includes(targetRoom));
}

function roomOf(path: string): string {
  const [, room = "", ...rest] = path.split("/");
  if (rest.length > 0) return room;
  return room === "main.ts" ? "main" : room;
}
