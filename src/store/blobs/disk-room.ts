import { statfs } from "node:fs/promises";
import type { StorageTrouble } from "../../domain/ports/health.ts";
import { blobUnavailable } from "../../domain/storage-refusals.ts";

const MIB = 1024 * 1024;
/** The bytes that stay free on the disk, for the database. */
export const KEPT_FREE_BYTES = 256 * MIB;
/** A file is flushed after so many bytes, so that the database's own flushes don't wait for gigabytes. */
export const FLUSH_BYTES = 32 * MIB;
/** The free bytes below which no piece is taken. */
export const LITTLE_FOR_LARGE_BYTES = KEPT_FREE_BYTES + FLUSH_BYTES;

const TROUBLE: StorageTrouble = {
  code: "no_room_for_large",
  message: `The disk is too full for pieces of large secrets, which are refused. Everything else goes on. Make room: ${KEPT_FREE_BYTES / MIB} MiB stay free, and each upload that is written needs ${FLUSH_BYTES / MIB} MiB more.`,
  isSerious: false,
};

/** The room on a disk for pieces of large secrets. */
export interface DiskRoom {
  /**
   * Rejects with a Refusal `storage_unavailable` when one more piece would leave too little, and with the error of the
   * file system.
   */
  check(): Promise<void>;
  /** The trouble since a piece was refused, until there is enough room again. Never rejects. */
  findTroubles(): Promise<readonly StorageTrouble[]>;
}

/** The room on the disk of `folder`, of which `keptFreeBytes` stay free. `countWriting` counts the uploads at work. */
export function watchRoom(folder: string, keptFreeBytes: number, countWriting: () => number): DiskRoom {
  let isLittle = false;
  const look = async () => {
    const { bavail, bsize } = await statfs(folder);
    // Each that is written may take as much before it looks again.
    isLittle = bavail * bsize < keptFreeBytes + FLUSH_BYTES * Math.max(1, countWriting());
  };
  return {
    async check() {
      await look();
      if (isLittle) throw blobUnavailable("ENOSPC");
    },
    async findTroubles() {
      if (isLittle) await look().catch(() => undefined);
      return isLittle ? [TROUBLE] : [];
    },
  };
}
