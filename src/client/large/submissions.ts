import type { SubmittedSecret } from "../../contract/requests.ts";
import { sealStreamTo } from "../../crypto/sealed-streams.ts";
import { getCredential } from "../credentials.ts";
import type { HttpClient } from "../http-client.ts";
import { createIdempotencyKey } from "../secrets.ts";
import { parseReceipt } from "../shapes.ts";
import type { Progress } from "../transfers.ts";
import { readOutcome } from "../unknown-outcomes.ts";
import { lineOf } from "./lines.ts";
import { withCiphertext } from "./sends.ts";
import type { LargeSource } from "./sends.ts";
import { persist } from "./setbacks.ts";
import { withUpload } from "./uploads.ts";
import type { Proving } from "./uploads.ts";

export interface LargeSubmission extends LargeSource {
  readonly requestId: string;
  /** The recipient of the invitation. */
  readonly recipient: string;
  readonly onProgress?: Progress | undefined;
  readonly proving?: Proving | undefined;
}

/**
 * Encrypts content that is too large for one envelope to the recipient of an invitation, and hands it in. Throws
 * ClientError: `proof_required` where only chosen people may and `proving` has no token of a complete proof, and
 * `payload_too_large` when it is larger than the server's limit.
 */
export async function submitLargeSecret(client: HttpClient, submission: LargeSubmission): Promise<SubmittedSecret> {
  const { requestId, recipient, onProgress, proving } = submission;
  const idempotencyKey = createIdempotencyKey();
  const { limits } = await getCredential(client);
  const seal = (plaintext: ReadableStream<Uint8Array>) => sealStreamTo(plaintext, recipient);
  return withCiphertext(limits, submission, seal, (_, { ciphertext, bytes }) =>
    withUpload(client, { ciphertext, bytes, requestId, onProgress, proving }, async (id) => {
      const submit = () => client.call("submitLargeSecret", { id, idempotencyKey });
      const answer = await persist(lineOf(client), submit, true);
      return readOutcome("submitLargeSecret", () => parseReceipt(answer));
    }),
  );
}
