import { OPERATIONS } from "../../contract/operations.ts";
import type { Ask, PendingAsk } from "../../contract/secrets.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { AskRecord } from "../../domain/ports/secrets.ts";
import type { Service } from "../../domain/service.ts";
import { reauthenticate } from "../../domain/sessions.ts";
import { askApproval, decideAsk, getAsk, listAsks } from "../../domain/signing-in/approvals.ts";
import type { PendingAsk as Pending } from "../../domain/signing-in/approvals.ts";
import type { Handlers } from "./calls.ts";
import { readApproval, readProof } from "./proofs.ts";

type ApprovalOperations = "askApproval" | "getAsk" | "decideAsk" | "listAsks";

/** Answers calls about approvals, contract section 17. */
export function approvalHandlers(service: Service): Handlers<ApprovalOperations> {
  return {
    async askApproval({ caller, id, request }) {
      const { ask, token } = await askApproval(service, caller, { id, proofToken: readProof(request.headers) });
      return { ...present(ask), approval_token: token };
    },
    async getAsk({ caller, id, query, request }) {
      const token = readApproval(request.headers);
      const ask = await getAsk(service, caller, { id, token, waitSeconds: query.wait ?? 0, signal: request.signal });
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.getAsk, id);
      return present(ask);
    },
    decideAsk: async ({ caller, id, body }) => presentPending(await decideAsk(service, caller, id, body)),
    async listAsks({ caller, query, request }) {
      const asks = await listAsks(service, caller, { waitSeconds: query.wait ?? 0, signal: request.signal });
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.listAsks, undefined);
      return { data: asks.map(presentPending) };
    },
  };
}

function present({ id, words, state, until }: AskRecord): Ask {
  return { id, words: words.split(" "), expires_at: toIsoTime(until), state };
}

function presentPending({ secret, ask }: Pending): PendingAsk {
  const { state: _state, ...rest } = present(ask);
  return {
    ...rest,
    secret_id: secret.id,
    reference: secret.reference,
    address: ask.address,
    identity: ask.askerId,
    asked_at: toIsoTime(ask.askedAt),
  };
}
