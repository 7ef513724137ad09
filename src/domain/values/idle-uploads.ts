import { IDLE_UPLOAD_SECONDS, UPLOAD_SECONDS } from "../../contract/limits.ts";
import type { UploadRecord } from "../ports/uploads.ts";

/** From when on an upload gives way to another of its sender, unless it gets something before (contract section 19). */
export function idleFrom({ expiresAt }: Pick<UploadRecord, "expiresAt">): number {
  return expiresAt - (UPLOAD_SECONDS - IDLE_UPLOAD_SECONDS) * 1000;
}
