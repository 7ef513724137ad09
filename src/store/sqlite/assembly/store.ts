import { openDatabase } from "../engine/database.ts";
import { measureFiles } from "../files/storage-sizes.ts";
import { createFeed } from "./feed.ts";
import { openForWriting } from "./opening.ts";
import type { StoreOptions } from "./options.ts";
import { createParts } from "./parts.ts";
import type { SqliteStore } from "./parts.ts";
import { startWriting } from "./writing.ts";

/**
 * Opens the store for a command, all in this thread; a server uses `openThreadedStore`. Raises `clock` to the latest
 * time that the database has seen. Throws DatabaseError, with nothing left open, when the database can't be used.
 */
export function openStore(options: StoreOptions): SqliteStore {
  return openForWriting(options, openDatabase, (opened) => {
    const feed = createFeed();
    const { context, reads, findTroubles, measure, close } = startWriting(options, opened, { onEvent: feed.announce });
    return reads.guard({
      ...createParts(context),
      subscribe: feed.subscribe,
      findTroubles: async () => findTroubles(),
      measureStorage: async () => ({ ...measureFiles(options.folder), ...measure() }),
      close,
    });
  });
}
