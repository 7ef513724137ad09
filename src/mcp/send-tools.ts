import { Type } from "@sinclair/typebox";
import { getCredential } from "../client/credentials.ts";
import { contentBytesOf } from "../client/limits.ts";
import { otherOriginOf } from "../client/link-bases.ts";
import { sendSecret } from "../client/sends.ts";
import { Closed } from "../contract/fields.ts";
import type { Approver } from "../contract/states.ts";
import { Approval, Count, ExpiresIn, For, OtherOrigin, Reference, SecretId, Time, Url } from "./schemas.ts";
import { defineTool, InputError } from "./tools.ts";
import type { ToolCall } from "./tools.ts";
import type { SentContent } from "./workspace.ts";

/** Far below the limit of a message. */
const MAX_TEXT_LENGTH = 1024 * 1024;

const Sent = Closed({ url: Url, id: SecretId, expires_at: Time, other_origin: OtherOrigin });
const terms = {
  expires_in: ExpiresIn,
  max_claims: Count(
    "Number of times it can be opened; the server's default if absent, which is once unless its admin changed it.",
  ),
  reference: Reference,
  for: For("open it"),
  approval: Approval,
};
const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

/** `send_secret` */
export const sendFileOrVariable = defineTool({
  name: "send_secret",
  title: "Send a secret",
  description:
    "Encrypts a file, or the value of an allowed environment variable, and returns a link that opens it. Give exactly " +
    "one of `file` and `env`, and never the secret itself.",
  input: Closed({
    file: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: "The path of a file in an allowed directory." }),
    ),
    env: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "The name of an environment variable that --allow-env names.",
      }),
    ),
    ...terms,
  }),
  output: Sent,
  annotations,
  scopes: ["secrets:create"],
  async run({ file, env, ...options }, call) {
    if (file !== undefined && env === undefined) {
      const { limits } = await getCredential(await call.workspace.connect(call.signal));
      const maxBytes = contentBytesOf(limits.max_ciphertext_bytes).least;
      return send(await call.workspace.readFile(file, maxBytes), options, call);
    }
    if (env !== undefined && file === undefined) return send(await call.workspace.readVariable(env), options, call);
    throw new InputError("Give exactly one of `file` and `env`.");
  },
});

/** `send_text`, which lets plaintext through the model. */
export const sendText = defineTool({
  name: "send_text",
  title: "Send text",
  description:
    "Encrypts text that is in this conversation already, and returns a link that opens it. " +
    "Use send_secret for anything that is in a file or an environment variable.",
  input: Closed({ text: Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }), ...terms }),
  output: Sent,
  annotations,
  scopes: ["secrets:create"],
  run: ({ text, ...options }, call) => send({ kind: "text", text }, options, call),
});

interface Terms {
  readonly expires_in?: number;
  readonly max_claims?: number;
  readonly reference?: string;
  readonly for?: readonly string[];
  readonly approval?: Approver;
}

async function send(
  content: SentContent,
  { expires_in: expiresIn, max_claims: maxClaims, reference, for: addressees, approval: approver }: Terms,
  { workspace, signal }: ToolCall,
) {
  const client = await workspace.connect(signal);
  if (approver === "sender" && !(await getCredential(client)).scopes.includes("secrets:approve")) {
    throw new InputError(
      "The API key can't approve: it lacks the scope secrets:approve. It wasn't sent. Use `team`, so that somebody else of the team approves.",
    );
  }
  const { link, secret } = await sendSecret(client, {
    content,
    passphrase: undefined,
    ttlSeconds: expiresIn,
    maxClaims,
    reference,
    addressees,
    approver,
  });
  const other = otherOriginOf(client, link);
  const origin = other === undefined ? {} : { other_origin: other };
  return { url: link, id: secret.id, expires_at: secret.expires_at, ...origin };
}
