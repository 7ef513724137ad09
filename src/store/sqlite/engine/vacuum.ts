import type { Database } from "bun:sqlite";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import { SPARE_PAGES } from "../files/database-room.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { Operations } from "./operations.ts";

/** The pages of a step, 4 MiB: it moves that much at most, and should not hold requests up. */
const STEP_PAGES = 1024;
/** A step is made of these: of each text SQLite keeps a statement. */
const PART_PAGES = 64;

/** Gives pages of the database file that nothing uses any more back to the disk. */
export interface Vacuum {
  /** The bytes that there are to give back: the spare pages are not among them. */
  freeBytes(): number;
  /** Resolves true when a step was made. */
  step(): Promise<boolean>;
}

/** The vacuum of `database`; a step that failed is told to `report`. */
export function createVacuum(database: Database, operations: Operations, report: BackgroundReport): Vacuum {
  const freePages = database.query<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const vacuum = database.query(`PRAGMA incremental_vacuum(${PART_PAGES})`);
  const idlePages = () => Math.max(0, (freePages.get()?.freelist_count ?? 0) - SPARE_PAGES);
  const runStep = () => {
    const parts = Math.floor(Math.min(STEP_PAGES, idlePages()) / PART_PAGES);
    // `all`, because every page is a step of the statement.
    for (let part = 0; part < parts; part++) vacuum.all();
  };
  const run = operations.add({ vacuum: { kind: "essential", run: runStep } });
  return {
    freeBytes: () => idlePages() * PAGE_BYTES,
    async step() {
      if (idlePages() < PART_PAGES) return false;
      try {
        await run("vacuum", undefined);
        return true;
      } catch (error) {
        // Maybe not even room for this: there will be when something has been claimed or has expired.
        report("vacuum", error);
        return false;
      }
    },
  };
}
