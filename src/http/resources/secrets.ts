import { LARGE_CIPHERTEXT_BYTES, textOf } from "../../contract/ciphertexts.ts";
import { linkPath } from "../../contract/links.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import type { Person } from "../../contract/persons.ts";
import type { Secret } from "../../contract/secrets.ts";
import { toIsoTime } from "../../contract/times.ts";
import { listAddressees, maskAddressees } from "../../domain/addressees.ts";
import type { Caller } from "../../domain/callers.ts";
import { acknowledgeClaim, claimSecret } from "../../domain/claims.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import { createSecret, getSecret, listSecrets, revokeSecret, setSecretTerms } from "../../domain/secrets.ts";
import type { CreatedSecret } from "../../domain/secrets.ts";
import { findSender } from "../../domain/senders.ts";
import type { Service } from "../../domain/service.ts";
import { reauthenticate } from "../../domain/sessions.ts";
import { approverOf } from "../../domain/values/approvals.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import type { RouteOptions } from "../options.ts";
import { basePath } from "./base-paths.ts";
import type { Handlers } from "./calls.ts";
import type { LargeAnswers } from "./large-answers.ts";
import { nextPoll } from "./polls.ts";
import { readApproval, readProof } from "./proofs.ts";

type SecretOperations =
  "createSecret" | "listSecrets" | "getSecret" | "claimSecret" | "acknowledgeClaim" | "patchSecret" | "revokeSecret";

export type SecretOptions = RouteOptions & { readonly largeAnswers: LargeAnswers };

/** Answers calls about secrets, contract section 5. */
export function secretHandlers(service: Service, options: SecretOptions): Handlers<SecretOperations> {
  const { largeAnswers } = options;
  return {
    async createSecret({ caller, body, query, request, prefix, headers }) {
      const call = toRepeatableCall(request);
      const created = await createSecret(service, caller, { envelope: body.envelope, query, call });
      const { id } = created.secret;
      markReplay(headers, created);
      headers["location"] = `${basePath(options.baseUrl())}${prefix}/secrets/${id}`;
      return presentCreated(created, caller, options.baseUrl() + linkPath("secret", id));
    },
    async listSecrets({ caller, query }) {
      const page = await listSecrets(service, caller, query);
      return { data: page.items.map((secret) => presentSecret(secret, caller)), next_cursor: page.nextCursor };
    },
    async getSecret({ caller, id, query, request }) {
      const input = { id, waitSeconds: query.wait ?? 0, signal: request.signal };
      const secret = await getSecret(service, caller, input);
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.getSecret, id);
      return presentSecret(secret, caller, await findSender(service, caller));
    },
    async claimSecret({ caller, id, request, headers }) {
      const call = toRepeatableCall(request);
      // Created later, it would miss a caller that has already disconnected.
      const { signal } = request;
      // Read before the claim, so that a failed read uses up nothing.
      const sender = await findSender(service, caller);
      if (call.idempotencyKey === undefined) await nextPoll();
      const takeRoom = (bytes: number) => largeAnswers.takeRoom(request, bytes);
      const [proofToken, approvalToken] = [readProof(request.headers), readApproval(request.headers)];
      const claimed = await claimSecret(service, caller, { id, call, proofToken, approvalToken, signal, takeRoom });
      markReplay(headers, claimed);
      const secret = presentSecret(claimed.secret, caller, sender);
      const replayUntil = toIsoTime(claimed.replayUntil);
      const { version, ciphertext } = claimed.envelope;
      if (ciphertext.length < LARGE_CIPHERTEXT_BYTES) {
        return { secret, envelope: { version, ciphertext: textOf(ciphertext) }, replay_until: replayUntil };
      }
      const json = JSON.stringify;
      // No character of a ciphertext is escaped in JSON.
      return largeAnswers.answer(request, [
        `{"secret":${json(secret)},"envelope":{"version":${json(version)},"ciphertext":"`,
        ciphertext,
        `"},"replay_until":${json(replayUntil)}}`,
      ]);
    },
    async acknowledgeClaim({ caller, id, request, headers }) {
      const { idempotencyKey, path } = toRepeatableCall(request);
      const claimPath = path.replace(/acknowledgement$/, "claim");
      markReplay(headers, await acknowledgeClaim(service, caller, { id, idempotencyKey, claimPath }));
      return undefined;
    },
    async patchSecret({ caller, id, body }) {
      return presentSecret(await setSecretTerms(service, caller, id, body), caller);
    },
    async revokeSecret({ caller, id }) {
      return presentSecret(await revokeSecret(service, caller, id), caller);
    },
  };
}

/** A new secret on the wire, with its link. */
export function presentCreated({ secret, claimToken }: CreatedSecret, caller: Caller, url: string) {
  return {
    ...presentSecret(secret, caller),
    url,
    ...(claimToken === undefined ? {} : { claim_token: claimToken }),
  };
}

/**
 * A secret on the wire. Only its team learns which identity created it, and for which request or ticket. `sender` is
 * for the holder of the claim token.
 */
export function presentSecret(secret: SecretRecord, caller: Caller, sender: Person | null = null): Secret {
  const isTeam = caller.kind === "apiKey" || caller.kind === "person";
  return {
    id: secret.id,
    state: secret.state,
    envelope_version: secret.envelopeVersion,
    ciphertext_bytes: secret.ciphertextBytes,
    ciphertext_format: secret.ciphertextFormat,
    created_at: toIsoTime(secret.createdAt),
    expires_at: toIsoTime(secret.expiresAt),
    max_claims: secret.maxClaims,
    claims: secret.claims,
    ended_at: toIsoTime(secret.endedAt),
    created_by: isTeam ? secret.createdBy : null,
    request_id: isTeam ? secret.requestId : null,
    reference: isTeam ? secret.reference : null,
    sender,
    for: (isTeam ? listAddressees : maskAddressees)(secret.addressees),
    approval: approverOf(secret),
  };
}
