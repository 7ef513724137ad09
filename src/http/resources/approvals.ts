import { OPERATIONS } from "../../contract/operations.ts";
import type { Person } from "../../contract/persons.ts";
import type { Ask, PendingAsk } from "../../contract/secrets.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { AskRecord } from "../../domain/ports/secrets.ts";
import { toPerson } from "../../domain/senders.ts";
import type { Service } from "../../domain/service.ts";
import { reauthenticate } from "../../domain/sessions.ts";
import { askApproval, decideAsk, getAsk, listAsks } from "../../domain/signing-in/approvals.ts";
import type { PendingAsk as Pending } from "../../domain/signing-in/approvals.ts";
import type { ResponseHeaders } from "../options.ts";
import type { Handlers } from "./calls.ts";
import { readApproval, readProof } from "./proofs.ts";

export interface ApprovalOptions {
  /** Counts an ask for the approval of a secret. Throws a Refusal `rate_limited`. */
  readonly countAsk: (request: Request, secretId: string, headers: ResponseHeaders) => void;
}

type ApprovalOperations = "askApproval" | "getAsk" | "decideAsk" | "listAsks";

/** Answers calls about approvals, contract section 17. */
export function approvalHandlers(service: Service, options: ApprovalOptions): Handlers<ApprovalOperations> {
  return {
    async askApproval({ caller, id, request, headers }) {
      // Elsewhere somebody is known by their identity or their address, and goes on with one ask.
      if (caller.kind === "claim" && caller.secret.addressees === null) options.countAsk(request, id, headers);
      const { ask, token } = await askApproval(service, caller, { id, proofToken: readProof(request.headers) });
      return { ...present(ask), approval_token: token };
    },
    async getAsk({ caller, id, query, request }) {
      const token = readApproval(request.headers);
      const ask = await getAsk(service, caller, { id, token, waitSeconds: query.wait ?? 0, signal: request.signal });
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.getAsk, id);
      return present(ask);
    },
    async decideAsk({ caller, id, body }) {
      const pending = await decideAsk(service, caller, id, body);
      return presentPending(pending, await findSenders(service, [pending]));
    },
    async listAsks({ caller, query, request }) {
      const asks = await listAsks(service, caller, { waitSeconds: query.wait ?? 0, signal: request.signal });
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.listAsks, undefined);
      const senders = await findSenders(service, asks);
      return { data: asks.map((ask) => presentPending(ask, senders)) };
    },
  };
}

function present({ id, words, state, until }: AskRecord): Ask {
  return { id, words: words.split(" "), expires_at: toIsoTime(until), state };
}

/** The people who have sent the secrets of these asks, by their ids. */
async function findSenders({ store }: Service, asks: readonly Pending[]): Promise<ReadonlyMap<string, Person>> {
  const ids = new Set(asks.flatMap(({ secret }) => secret.createdBy ?? []));
  const found = await Promise.all([...ids].map((id) => store.findPerson(id)));
  return new Map(found.flatMap((person) => (person ? [[person.id, toPerson(person)] as const] : [])));
}

function presentPending({ secret, ask }: Pending, senders: ReadonlyMap<string, Person>): PendingAsk {
  const { state: _state, ...rest } = present(ask);
  return {
    ...rest,
    secret_id: secret.id,
    created_at: toIsoTime(secret.createdAt),
    sender: senders.get(secret.createdBy ?? "") ?? null,
    reference: secret.reference,
    address: ask.address,
    identity: ask.askerId,
    asked_at: toIsoTime(ask.askedAt),
  };
}
