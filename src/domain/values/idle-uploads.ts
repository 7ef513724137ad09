import { isId } from "../../contract/ids.ts";
import { IDLE_UPLOAD_SECONDS, UPLOAD_SECONDS } from "../../contract/limits.ts";
import type { UploadRecord } from "../ports/uploads.ts";

/** True for an upload that is handed in for a request. What it announces counts only as it comes. */
export function isHandedIn({ createdBy }: Pick<UploadRecord, "createdBy">): boolean {
  return isId(createdBy, "request");
}

/** From when on an upload gives way to another of its sender, unless it gets something before (contract section 19). */
export function idleFrom({ expiresAt }: Pick<UploadRecord, "expiresAt">): number {
  return expiresAt - (UPLOAD_SECONDS - IDLE_UPLOAD_SECONDS) * 1000;
}
