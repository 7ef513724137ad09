import { linkPath } from "../../contract/links.ts";
import { API_PREFIX, ciphertextPath } from "../../contract/operations.ts";
import { toIsoTime } from "../../contract/times.ts";
import { claimLargeSecret, createLargeSecret, submitLargeSecret } from "../../domain/large/large-secrets.ts";
import { findSender } from "../../domain/senders.ts";
import type { Service } from "../../domain/service.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import type { RouteOptions } from "../options.ts";
import { basePath } from "./base-paths.ts";
import type { Handlers } from "./calls.ts";
import { readApproval, readProof } from "./proofs.ts";
import { presentSubmitted, submitter } from "./requests.ts";
import { presentCreated, presentSecret } from "./secrets.ts";

/** Answers calls about large secrets, contract section 19. */
export function largeSecretHandlers(
  service: Service,
  options: RouteOptions,
): Handlers<"createLargeSecret" | "submitLargeSecret" | "claimLargeSecret"> {
  return {
    async createLargeSecret({ caller, id, query, request, prefix, headers }) {
      const call = toRepeatableCall(request);
      const created = await createLargeSecret(service, caller, { uploadId: id, query, call });
      markReplay(headers, created);
      headers["location"] = `${basePath(options.baseUrl())}${prefix}/secrets/${created.secret.id}`;
      return presentCreated(created, caller, options.baseUrl() + linkPath("secret", created.secret.id));
    },
    async submitLargeSecret({ caller, id, request, headers }) {
      const call = toRepeatableCall(request);
      const submitted = await submitLargeSecret(service, submitter(caller), { uploadId: id, call });
      return presentSubmitted(submitted, headers);
    },
    async claimLargeSecret({ caller, id, request, headers }) {
      const { idempotencyKey, path } = toRepeatableCall(request);
      const call = { idempotencyKey, path: path.replace(/large-claim$/, "claim") };
      const sender = await findSender(service, caller);
      const [proofToken, approvalToken] = [readProof(request.headers), readApproval(request.headers)];
      const { signal } = request;
      const claimed = await claimLargeSecret(service, caller, { id, call, proofToken, approvalToken, signal });
      markReplay(headers, claimed);
      return {
        secret: presentSecret(claimed.secret, caller, sender),
        bytes: claimed.secret.ciphertextBytes,
        href: options.baseUrl() + API_PREFIX + ciphertextPath(id),
        replay_until: toIsoTime(claimed.replayUntil),
      };
    },
  };
}
