import type { CreateSecretQuery, DecideAskBody, PatchSecretBody } from "../../src/contract/secrets.ts";
import type { Caller } from "../../src/domain/callers.ts";
import { acknowledgeClaim, claimSecret } from "../../src/domain/claims.ts";
import type { ClaimedSecret } from "../../src/domain/claims.ts";
import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import { createSecret, getSecret, revokeSecret, setSecretTerms } from "../../src/domain/secrets.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import type { Service } from "../../src/domain/service.ts";
import { askApproval, decideAsk } from "../../src/domain/signing-in/approvals.ts";
import { Refusal } from "../../src/domain/values/errors.ts";
import { createToken, hashToken } from "../../src/domain/values/tokens.ts";

interface Tokens {
  readonly proofToken?: string | undefined;
  readonly approvalToken?: string | undefined;
}

/** The rules of secrets, called as one identity of one team. */
export interface SecretCalls {
  readonly caller: Caller;
  /** `policy` is that of the server, unless another one is given for this call. */
  create(
    ciphertext: string,
    query?: CreateSecretQuery,
    idempotencyKey?: string,
    policy?: ServerPolicy,
  ): Promise<SecretRecord>;
  claim(id: string, idempotencyKey?: string, tokens?: Tokens): Promise<ClaimedSecret>;
  /** Asks for approval with the link of a secret. */
  ask(id: string, proofToken?: string): Promise<{ readonly id: string; readonly token: string }>;
  /** Decides an ask as this caller: the sender, or another one of the team. */
  decide(as: Caller, secretId: string, decision: DecideAskBody): Promise<unknown>;
  /** Stores the complete proof of an address for the secret `id`, and returns its token. */
  prove(id: string, address: string, expiresAt: number): Promise<string>;
  acknowledge(id: string, idempotencyKey: string): Promise<unknown>;
  setTerms(id: string, terms: PatchSecretBody): Promise<SecretRecord>;
  revoke(id: string): Promise<SecretRecord>;
  find(id: string): Promise<SecretRecord>;
  /** Sweeps until nothing is due. */
  sweep(): Promise<void>;
}

/** The calls of `caller`, to whichever service `backend` has at the time. */
export function secretCalls(backend: { readonly service: Service }, caller: Caller): SecretCalls {
  const claimPath = (id: string) => `/api/v1/secrets/${id}/claim`;
  return {
    caller,
    async create(ciphertext, query = {}, idempotencyKey, policy = backend.service.policy) {
      const { secret } = await createSecret({ ...backend.service, policy }, caller, {
        envelope: { version: 1, ciphertext },
        query,
        call: { idempotencyKey, path: "/api/v1/secrets" },
      });
      return secret;
    },
    async prove(subjectId, address, expiresAt) {
      const token = createToken("proof", backend.service.random);
      const proof = { purpose: "proven", challenge: "", address, subjectId, expiresAt } as const;
      await backend.service.store.createProof(proof, hashToken(token));
      return token;
    },
    async ask(id, proofToken) {
      const secret = await backend.service.store.findSecret(caller.teamId, id);
      if (!secret) throw new Refusal("not_found");
      const { teamId } = caller;
      const holder = { kind: "claim", credentialId: "hct:", token: "", teamId, secret } as const;
      const { ask, token } = await askApproval(backend.service, holder, { id, proofToken });
      return { id: ask.id, token };
    },
    decide: (as, secretId, decision) => decideAsk(backend.service, as, secretId, decision),
    claim: (id, idempotencyKey?, tokens?) =>
      claimSecret(backend.service, caller, {
        id,
        ...tokens,
        call: { idempotencyKey, path: claimPath(id) },
        takeRoom: () => undefined,
      }),
    acknowledge: (id, idempotencyKey) =>
      acknowledgeClaim(backend.service, caller, { id, idempotencyKey, claimPath: claimPath(id) }),
    setTerms: (id, terms) => setSecretTerms(backend.service, caller, id, terms),
    revoke: (id) => revokeSecret(backend.service, caller, id),
    find: (id) => getSecret(backend.service, caller, { id, waitSeconds: 0, signal: new AbortController().signal }),
    async sweep() {
      while (await backend.service.store.sweep(100));
    },
  };
}
