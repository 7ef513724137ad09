import type { Database } from "bun:sqlite";
import { PAGE_BYTES } from "../files/ciphertext-pages.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { Operations } from "./operations.ts";

/** The pages of a step, 4 MiB: it moves no more than that, so that no request waits for long. */
const STEP_PAGES = 1024;
/**
 * The pages of one statement, of which a step runs several: a statement for each number would have to be prepared anew.
 */
const PART_PAGES = 64;

/** Gives unused pages of the database file back to the disk. */
export interface Vacuum {
  /** The bytes of unused pages. */
  freeBytes(): number;
  /** Gives back 4 MiB at most. Resolves true when it did. */
  step(): Promise<boolean>;
}

/** The vacuum of `database`. A step that fails is reported. */
export function createVacuum(database: Database, operations: Operations, report: BackgroundReport): Vacuum {
  const freePages = database.query<{ freelist_count: number }, []>("PRAGMA freelist_count");
  const vacuum = database.query(`PRAGMA incremental_vacuum(${PART_PAGES})`);
  const unusedPages = () => freePages.get()?.freelist_count ?? 0;
  const runStep = () => {
    const parts = Math.floor(Math.min(STEP_PAGES, unusedPages()) / PART_PAGES);
    // `all`, because every page is a step of the statement.
    for (let part = 0; part < parts; part++) vacuum.all();
  };
  const run = operations.add({ vacuum: { kind: "essential", run: runStep } });
  return {
    freeBytes: () => unusedPages() * PAGE_BYTES,
    async step() {
      if (unusedPages() < PART_PAGES) return false;
      try {
        await run("vacuum", undefined);
        return true;
      } catch (error) {
        // Maybe there is no room even for this. There will be once something has been claimed or has expired.
        report("vacuum", error);
        return false;
      }
    },
  };
}
