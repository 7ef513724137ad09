import { decodeText, encodeContent, isBlank } from "../../crypto/contents.ts";
import type { Content, DecodedContent } from "../../crypto/contents.ts";
import type { OpenedContent } from "../../mcp/workspace.ts";
import { withDistinctNames } from "../files/destinations.ts";
import { findDifferences, findValue } from "../handovers/filled-forms.ts";
import type { KeptRequest } from "../state/kept-requests.ts";

type Payload = Omit<OpenedContent, "differences" | "fieldOf" | "finish" | "sender">;

/** How what was handed in differs from the fields that were asked for; null when it doesn't. */
export function differencesOf(kept: KeptRequest, content: DecodedContent): OpenedContent["differences"] {
  const { missing = [], unasked = [] } = findDifferences(kept, content) ?? {};
  if (missing.length + unasked.length === 0) return null;
  return { missing: missing.map(({ name }) => name), unasked: unasked.length };
}

/** The value of a field of what was handed in; undefined when there is none. */
export function fieldOf(content: DecodedContent, name: string): Payload | undefined {
  const value = findValue(content, name);
  return value === undefined ? undefined : toOpened(new TextEncoder().encode(value), value);
}

/** Content as an agent gets it: one file, or an archive. */
export async function toPayload(content: DecodedContent): Promise<Payload> {
  switch (content.kind) {
    case "text":
      return toOpened(new TextEncoder().encode(content.text), content.text);
    case "binary":
    case "damaged":
      return toOpened(content.bytes, undefined);
    case "files": {
      const [only, ...others] = content.files;
      if (!only || only.isFolder || others.length > 0) {
        return toArchive(content);
      }
      return toOpened(only.bytes, decodeText(only.bytes));
    }
    case "both":
      return toArchive(content);
  }
}

/** An archive in which no two files have the same name, as none do in a folder. */
async function toArchive(content: Extract<Content, { readonly kind: "files" | "both" }>): Promise<Payload> {
  const bytes = await encodeContent({ ...content, files: withDistinctNames(content.files) });
  return { ...toOpened(bytes, undefined), format: "tar" };
}

function toOpened(bytes: Uint8Array, text: string | undefined): Payload {
  return { bytes, text, format: "file", isBlank: text !== undefined && isBlank(text) };
}
