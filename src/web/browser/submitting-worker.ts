import { openNote } from "../../client/submissions.ts";
import { encodeContent } from "../../crypto/contents.ts";
import { sealToRecipient } from "../../crypto/envelopes.ts";
import { answerJobs } from "./worker-jobs.ts";

// The worker of a person who hands in: it reads the note of a request, and seals for the person who asked.
answerJobs({
  note: ({ envelope, passphrase }) => openNote(envelope, passphrase),
  seal: async ({ content, recipient }) => sealToRecipient(await encodeContent(content), recipient),
});
