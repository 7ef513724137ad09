/** A submission: a secret with one claim. */
interface ModelSubmission {
  readonly id: string;
  readonly ciphertext: string;
  readonly expiresAt: number;
  state: "available" | "claimed" | "expired";
}

/** A request as the contract says it must be; `holdsNote` while its note must still be stored. */
export interface ModelRequest {
  readonly id: string;
  readonly submitToken: string;
  readonly note: string;
  readonly maxSubmissions: number;
  readonly expiresAt: number;
  readonly submissions: ModelSubmission[];
  state: "open" | "paused" | "fulfilled" | "expired" | "revoked";
  holdsNote: boolean;
  /** By Idempotency-Key: what was handed in with it. */
  readonly calls: Map<string, ModelSubmission>;
}

const SUBMISSION_MS = 7 * 24 * 60 * 60_000;

/** The requests of the contract in the simplest form that there is. A refusal is its code. */
export function createRequestModel() {
  const requests: ModelRequest[] = [];
  const events: string[] = [];

  const isLive = ({ state }: ModelRequest) => state === "open" || state === "paused";

  const end = (request: ModelRequest, state: "fulfilled" | "expired" | "revoked") => {
    request.state = state;
    request.holdsNote = false;
    events.push(`request.${state} ${request.id}`);
  };

  /** The state that everybody is told at `now`, whether or not it has been written down. */
  const stateAt = (request: ModelRequest, now: number) =>
    isLive(request) && request.expiresAt <= now ? "expired" : request.state;

  const expireIfDue = (request: ModelRequest, now: number) => {
    if (stateAt(request, now) !== request.state) end(request, "expired");
  };

  const view = ({ state, submissions }: ModelRequest, now: number) => ({
    state,
    submissions: submissions.map(({ id, state: its, expiresAt }) => ({
      id,
      state: its === "available" && expiresAt <= now ? "expired" : its,
    })),
  });

  return {
    requests,
    events,
    ask(asked: { id: string; submitToken: string }, note: string, maxSubmissions: number, expiresAt: number) {
      const fresh = { submissions: [], state: "open", holdsNote: true, calls: new Map() } as const;
      requests.push({ ...fresh, ...asked, submissions: [], note, maxSubmissions, expiresAt });
      events.push(`request.created ${asked.id}`);
    },
    invitation(request: ModelRequest, now: number) {
      const state = stateAt(request, now);
      if (state !== "open") return `request_${state}`;
      return { note: request.note, left: request.maxSubmissions - request.submissions.length };
    },
    /**
     * The outcome that handing `ciphertext` in must have: a refusal, what was handed in before, or undefined for
     * something new.
     */
    submit(request: ModelRequest, ciphertext: string, key: string | undefined, now: number) {
      const known = key === undefined ? undefined : request.calls.get(key);
      if (known) return known.ciphertext === ciphertext ? known : "idempotency_conflict";
      expireIfDue(request, now);
      return request.state === "open" ? undefined : `request_${request.state}`;
    },
    submitted(request: ModelRequest, id: string, ciphertext: string, key: string | undefined, now: number) {
      const submission: ModelSubmission = { id, ciphertext, expiresAt: now + SUBMISSION_MS, state: "available" };
      request.submissions.push(submission);
      if (key !== undefined) request.calls.set(key, submission);
      events.push(`secret.created ${id}`);
      if (request.submissions.length === request.maxSubmissions) end(request, "fulfilled");
    },
    turn(request: ModelRequest, state: "open" | "paused", now: number) {
      expireIfDue(request, now);
      if (!isLive(request)) return `request_${request.state}`;
      if (request.state !== state) events.push(`request.${state === "open" ? "opened" : "paused"} ${request.id}`);
      request.state = state;
      return view(request, now);
    },
    revoke(request: ModelRequest, now: number) {
      expireIfDue(request, now);
      if (isLive(request)) end(request, "revoked");
      return view(request, now);
    },
    find(request: ModelRequest, now: number) {
      expireIfDue(request, now);
      return view(request, now);
    },
    /** Claims what was handed in last. */
    claim(request: ModelRequest, now: number) {
      const submission = request.submissions.at(-1);
      if (!submission) return undefined;
      if (submission.state === "available" && submission.expiresAt <= now) return "secret_expired";
      if (submission.state !== "available") return `secret_${submission.state}`;
      submission.state = "claimed";
      events.push(`secret.claimed ${submission.id}`);
      return submission.ciphertext;
    },
    sweep(now: number) {
      const due = requests.filter((request) => stateAt(request, now) !== request.state);
      for (const request of due.toSorted((a, b) => a.expiresAt - b.expiresAt)) expireIfDue(request, now);
    },
  };
}

export type RequestModel = ReturnType<typeof createRequestModel>;
