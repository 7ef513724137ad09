import { Type } from "@sinclair/typebox";
import { askForSecret, toForm } from "../client/asks.ts";
import { otherOriginOf } from "../client/link-bases.ts";
import { waitForSubmission } from "../client/requests.ts";
import { Closed } from "../contract/fields.ts";
import { DEFAULT_SUBMISSIONS } from "../contract/limits.ts";
import type { RequestMetadata } from "../contract/requests.ts";
import { REQUEST_STATES, SECRET_STATES } from "../contract/states.ts";
import { Count, ExpiresIn, For, OtherOrigin, Reference, RequestId, SecretId, State, Time, Url } from "./schemas.ts";
import { defineTool } from "./tools.ts";

/** Less than the minute that hosts wait for a tool by default. */
const DEFAULT_WAIT_SECONDS = 45;
const MAX_WAIT_SECONDS = 3600;
/** The length of one waiting call. Between calls, the host gets a progress report. */
const STEP_SECONDS = 5;

/** `request_secret` */
export const requestSecret = defineTool({
  name: "request_secret",
  title: "Ask a person for a secret",
  description:
    "Makes a request link, through which a person without an account hands in a secret, encrypted so that only this " +
    "machine can open it. Give the person the link, call wait_for_submission, then collect_to_file or run_with_secret.",
  input: Closed({
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: "What you need and why. The person reads it. No secret.",
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
        minItems: 1,
        maxItems: 20,
        description:
          "Asks for each of these fields instead of one secret: NAME, such as user or password, or NAME:KIND. Kinds: text, " +
          "password (hidden while it is typed; the default for names such as password, token and key), multiline (such as an " +
          "SSH key). run_with_secret and collect_to_file then take a field by its name.",
      }),
    ),
    expires_in: ExpiresIn,
    max_submissions: Count("How many secrets can be handed in; one if absent."),
    reference: Reference,
    for: For("hand in"),
  }),
  output: Closed({ url: Url, id: RequestId, expires_at: Time, other_origin: OtherOrigin }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  scopes: ["requests:create"],
  async run({ note, fields: texts, max_submissions: most, ...terms }, { workspace, signal }) {
    const { expires_in: ttlSeconds, reference, for: addressees } = terms;
    const fields = toForm(texts);
    const client = await workspace.connect(signal);
    const { baseUrl } = client;
    const facts = { baseUrl, note: note ?? null, fields, maxSubmissions: most ?? DEFAULT_SUBMISSIONS };
    const keep = (ageIdentity: string) => workspace.keepAgeIdentity({ ...facts, ageIdentity });
    const asked = await askForSecret(
      client,
      { note, fields, ttlSeconds, maxSubmissions: most, reference, addressees, identityKind: "hybrid" },
      keep,
    );
    const { id, expires_at: expiresAt } = asked.request;
    const other = otherOriginOf(client, asked.link);
    return { url: asked.link, id, expires_at: expiresAt, ...(other === undefined ? {} : { other_origin: other }) };
  },
});

/** `wait_for_submission` */
export const waitForAnswer = defineTool({
  name: "wait_for_submission",
  title: "Wait until something is handed in",
  description:
    "Waits until something is handed in for a request, or nothing more can be. Returns at once if something can be " +
    "collected. Call it again while the state is `open` or `paused` and no submission is `available`.",
  input: Closed({
    request_id: RequestId,
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: `How long to wait; ${DEFAULT_WAIT_SECONDS} by default.`,
      }),
    ),
  }),
  output: Closed({
    state: State(REQUEST_STATES),
    submissions: Type.Array(Closed({ secret_id: SecretId, state: State(SECRET_STATES), created_at: Time })),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scopes: ["requests:read"],
  // Waits by calls for this request, not by the event stream: they are answered as soon, and don't need the scope for
  // the team's events, which an agent's key shouldn't have.
  async run({ request_id: id, timeout_seconds: seconds = DEFAULT_WAIT_SECONDS }, { workspace, signal, report }) {
    const client = await workspace.connect(signal);
    let reported = -1;
    const { state, submissions } = await waitForSubmission(client, id, {
      seconds,
      stepSeconds: STEP_SECONDS,
      signal,
      async onStep(passed) {
        // Progress must increase with every report.
        if (passed > reported) await report((reported = passed), seconds, "Nothing has been handed in yet.");
      },
    });
    return toRequestStatus({ state, submissions });
  },
});

/** A request as an agent sees it. */
export function toRequestStatus({ state, submissions }: Pick<RequestMetadata, "state" | "submissions">) {
  return {
    state,
    submissions: submissions.map((each) => ({
      secret_id: each.secret_id,
      state: each.state,
      created_at: each.created_at,
    })),
  };
}
