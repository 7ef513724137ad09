import { APPROVAL_HEADER, PROOF_HEADER } from "../../contract/operations.ts";
import type { ProofBody, ProofCodeBody } from "../../contract/persons.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { Caller } from "../../domain/callers.ts";
import type { Service } from "../../domain/service.ts";
import { beginProof, completeProof, proveOwnAddress } from "../../domain/signing-in/proofs.ts";
import { describeBrowser } from "../gate/sessions.ts";
import type { HttpOptions, ResponseHeaders } from "../options.ts";
import type { Handlers } from "./calls.ts";

type ProofOperations =
  "beginSecretProof" | "completeSecretProof" | "beginRequestProof" | "completeRequestProof" | "createProof";

export type ProofOptions = Pick<HttpOptions, "wakeMails"> & {
  /** Counts a mail that a call asks for, for a link. Throws a Refusal `rate_limited`. */
  readonly countMail: (
    request: Request,
    mail: { readonly address: string; readonly subjectId: string | undefined },
    headers: ResponseHeaders,
  ) => void;
};

/** Answers calls about proofs of addresses, contract section 16. */
export function proofHandlers(service: Service, options: ProofOptions): Handlers<ProofOperations> {
  const begin = async (call: {
    readonly caller: Caller;
    readonly id: string;
    readonly body: ProofBody;
    readonly request: Request;
    readonly headers: ResponseHeaders;
  }) => {
    const { caller, id, body, request, headers } = call;
    options.countMail(request, { address: body.address, subjectId: id }, headers);
    const { token, expiresAt } = await beginProof(service, caller, { ...body, ...describeBrowser(request.headers) });
    options.wakeMails?.();
    return { proof_token: token, expires_at: toIsoTime(expiresAt) };
  };
  const complete = async ({ caller, body }: { readonly caller: Caller; readonly body: ProofCodeBody }) =>
    present(await completeProof(service, caller, { token: body.proof_token, code: body.code }));
  return {
    beginSecretProof: begin,
    completeSecretProof: complete,
    beginRequestProof: begin,
    completeRequestProof: complete,
    createProof: async ({ caller, body }) => present(await proveOwnAddress(service, caller, body.subject_id)),
  };
}

/** The token of the proof that comes with a call; undefined for none. */
export function readProof(headers: Headers): string | undefined {
  return headers.get(PROOF_HEADER) ?? undefined;
}

/** The token of the approval that comes with a call; undefined for none. */
export function readApproval(headers: Headers): string | undefined {
  return headers.get(APPROVAL_HEADER) ?? undefined;
}

function present({ token, address, expiresAt }: Awaited<ReturnType<typeof completeProof>>) {
  return { proof_token: token, address, expires_at: toIsoTime(expiresAt) };
}
