import { ClientError } from "../../client/errors.ts";
import { PAGE } from "../texts/page.ts";

/** Loads a part of the page that is a file of its own. Rejects with a ClientError `stale_page` when it can't. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    throw new ClientError("stale_page", "failure", PAGE.failed.stale);
  }
}
