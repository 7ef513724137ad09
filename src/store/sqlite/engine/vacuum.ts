import type { Database } from "bun:sqlite";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { Operations } from "./operations.ts";

/** 4 MiB: a step moves that much at most, and should not hold requests up. */
const STEP_PAGES = 1024;

/** Gives pages of the database file that nothing uses any more back to the disk. */
export interface Vacuum {
  /** How much there is to give back. */
  freeBytes(): number;
  /** Resolves true when a step was made. */
  step(): Promise<boolean>;
}

/** The vacuum of `database`; a step that failed is told to `report`. */
export function createVacuum(database: Database, operations: Operations, report: BackgroundReport): Vacuum {
  const freePages = database.query<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const vacuum = database.query(`PRAGMA incremental_vacuum(${STEP_PAGES})`);
  const freeBytes = () => (freePages.get()?.freelist_count ?? 0) * PAGE_BYTES;
  // `all`, because every page is a step of the statement.
  const run = operations.add({ vacuum: { kind: "essential", run: () => void vacuum.all() } });
  return {
    freeBytes,
    async step() {
      if (freeBytes() === 0) return false;
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
