import { prepareRequest } from "../../client/asks.ts";
import { openEnvelope } from "../../client/opened-secrets.ts";
import { sealSecret } from "../../client/sends.ts";
import type { Envelope } from "../../contract/envelopes.ts";
import { findRecipient } from "../../crypto/age-identities.ts";
import { encodeContent } from "../../crypto/contents.ts";
import { sealToRecipient } from "../../crypto/envelopes.ts";
import { hintOf } from "../../crypto/link-hints.ts";
import { answerJobs, openLenient } from "./worker-jobs.ts";

// The worker of a person who is signed in.
answerJobs({
  open: ({ envelope, key }) => openLenient(envelope, key),
  send: async ({ content, passphrase }) => sealSecret(await encodeContent(content), passphrase, hintOf(content)),
  notes: ({ items }) => Promise.all(items.map(readNote)),
  ask: ({ note }) => prepareRequest(note, "hybrid"),
  recipient: ({ ageIdentity }) => findRecipient(ageIdentity),
  seal: async ({ content, recipient }) => sealToRecipient(await encodeContent(content), recipient),
});

async function readNote({
  ageIdentity,
  note,
}: {
  readonly ageIdentity: string;
  readonly note: Envelope;
}): Promise<string> {
  const key = { kind: "ageIdentities", ageIdentities: [ageIdentity] } as const;
  const content = await openEnvelope(note, key).catch(() => undefined);
  return content?.kind === "text" ? content.text : "";
}
