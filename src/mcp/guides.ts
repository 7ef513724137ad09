import type { Credential } from "../contract/credentials.ts";
import { CIPHERTEXT_BYTES, MAX_CLAIMS, SECRET_TTL_SECONDS } from "../contract/limits.ts";

/** What a host tells the model of this server. */
export const INSTRUCTIONS = `Hands secrets over without your reading them: you handle links, ids and states, and the plaintext goes from a local file or variable to a local file or command.
Never ask a person to paste a credential into the conversation: make a link with request_secret and give them that. Never put a secret into an argument of a tool.
A link opens what it stands for: show it only to whoever it is meant for.`;

/** The content of `handoff://contract`. */
export const CONTRACT_TEXT = `# How handoff works

- A secret is encrypted on this machine (age) before it is uploaded. The server keeps the ciphertext, hands it over once, and forgets it.
- A link to a secret holds its key behind the \`#\`. Whoever has the whole link can open it, as often as it was made for, once by default.
- States of a secret: \`available\`, then \`claimed\`, \`expired\` or \`revoked\`. An ended state is never left.
- A request link lets a person without an account hand a secret in; only this machine can open the answer. States: \`open\` or \`paused\`, then \`fulfilled\`, \`expired\` or \`revoked\`.
- What was opened is gone from the server after a while, five minutes unless it is set otherwise. Until then an interrupted call can be repeated.
- Files are only read and written in the allowed folders. Nothing is overwritten.

## Which tool

- To hand something over: send_secret, then give the link to whoever it is for. secret_status says whether it was opened.
- To get a credential from a person: request_secret, give them the link, wait_for_submission, then run_with_secret (if it is there) or collect_to_file.
- To use a link that somebody gave you: run_with_secret (if it is there) or open_to_file.
- To take something back: revoke_secret.
`;

/** What holds for calls, beside what the server says of the key. */
export interface LocalBounds {
  readonly allowed_folders: readonly string[];
  readonly run_with_secret: boolean;
  readonly plaintext_tools: boolean;
}

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export const CONTRACT_RESOURCE: Resource = {
  uri: "handoff://contract",
  name: "contract",
  title: "How handoff works",
  description: "States, links, and which tool is for what.",
  mimeType: "text/markdown",
};

export const LIMITS_RESOURCE: Resource = {
  uri: "handoff://limits",
  name: "limits",
  title: "Limits",
  description: "What the server takes, what the key may do, and which folders are allowed.",
  mimeType: "application/json",
};

/** The content of `handoff://limits`; `ofServer` is what the server says of the key, or null when it cannot be asked. */
export function limitsText(ofServer: Pick<Credential, "scopes" | "limits"> | null, local: LocalBounds): string {
  const ranges = { ciphertext_bytes: CIPHERTEXT_BYTES, expires_in: SECRET_TTL_SECONDS, max_claims: MAX_CLAIMS };
  return JSON.stringify({ key: ofServer, local, ranges }, null, 2);
}

/** The prompt that explains the safe way to get a credential from a person. */
export const ASK_PROMPT = {
  name: "ask_for_credential",
  title: "Ask a person for a credential",
  description: "The safe way to get a credential from a person, and to use it without reading it.",
  arguments: [
    { name: "what", description: "What is needed, such as: the staging database password", required: true },
    { name: "purpose", description: "What it is for, such as: to run ./deploy.sh staging", required: false },
  ],
};

/** What the prompt says. */
export function askText(what: string, purpose: string | undefined): string {
  const why = purpose === undefined ? "" : ` It is for this: ${purpose}`;
  return `I need this credential from a person: ${what}.${why}

Get it without anybody pasting it here:
1. Call request_secret with a note that says what is needed and why.
2. Show me the link, and say that it is to be opened in a browser, by the person who knows the credential. It needs no account, and only this machine can open the answer.
3. Call wait_for_submission until something was handed in. If it takes long, say so and go on later.
4. If run_with_secret is there, run the command with the credential in its environment: { "env": { "NAME": "request:ID" } }. If not, use collect_to_file and pass the path on.
5. Never print, read or repeat the content. If something fails, say which step, and the id of the request.`;
}
