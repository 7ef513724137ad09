import { Type } from "@sinclair/typebox";
import { Closed } from "./schemas.ts";
import { defineTool, InputError } from "./tools.ts";
import type { FoundSecret, SecretSource, TakenSecret } from "./workspace.ts";

const DEFAULT_TIMEOUT_SECONDS = 600;

/** `run_with_secret` */
export const runWithSecret = defineTool({
  name: "run_with_secret",
  title: "Run a command with secrets",
  description:
    "Runs a command with secrets in its environment and nowhere else, and returns its exit code and the end of its output, " +
    "in which the values are masked against accidents. It runs in the first of the allowed folders. `env` maps the name of a variable to a link, or to `request:` and the id of a " +
    "request that was answered. Each secret is used up.",
  input: Closed({
    env: Type.Object(
      {},
      {
        minProperties: 1,
        additionalProperties: Type.String({ minLength: 1, maxLength: 2048 }),
        description: "From the name of a variable to a link to a secret, or to `request:` and the id of a request.",
      },
    ),
    command: Type.Array(Type.String({ maxLength: 131_071 }), {
      maxItems: 1000,
      minItems: 1,
      description: "The program and its arguments; no shell is used.",
    }),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: `After how long it is ended; ${DEFAULT_TIMEOUT_SECONDS} without it.`,
      }),
    ),
  }),
  output: Closed({
    exit_code: Type.Integer(),
    stdout: Type.String(),
    stderr: Type.String(),
    truncated: Type.Boolean({ description: "Whether only the end of the output is here." }),
    timed_out: Type.Boolean(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  scopes: [],
  async run({ env, command, timeout_seconds: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }, { workspace, signal }) {
    workspace.checkCommand(command);
    const sources = Object.entries<string>(env).map(([name, source]) => [name, parseSource(name, source)] as const);
    using all = new DisposableStack();
    // All are found before the first one is used up: what is claimed should not be lost to what could have been known.
    const found: (readonly [string, FoundSecret])[] = [];
    for (const [name, source] of sources) found.push([name, all.use(await workspace.find(source, signal))]);
    const taken: (readonly [string, TakenSecret])[] = [];
    for (const [name, secret] of found) taken.push([name, await secret.take()]);
    const secrets = Object.fromEntries(taken.map(([name, secret]) => [name, toValue(name, secret)]));
    signal.throwIfAborted();
    const running = workspace.start(command, secrets, { timeoutSeconds, signal });
    // Not before the command has them: if it cannot be started, the same call can be made again.
    for (const [, secret] of taken) await secret.finish();
    return running.ended;
  },
});

function parseSource(name: string, source: string): SecretSource {
  // The name is not repeated: it may be the link, where the two were swapped.
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(name)) {
    throw new InputError("`env` goes from the names of variables to links or request ids: one of the names is none.");
  }
  if (/^(HANDOFF_|LD_|DYLD_|__proto__$)/.test(name)) throw new InputError(`The variable ${name} is not to be set.`);
  const id = /^request:(req_[0-9a-v]{26})$/.exec(source)?.[1];
  if (id !== undefined) return { kind: "request", id };
  if (/^https?:\/\//i.test(source)) return { kind: "link", url: source };
  // What is neither may be the secret itself, and is not repeated.
  throw new InputError(
    `The value for ${name} has to be a link, or request: and the id of a request. Never the secret.`,
  );
}

function toValue(name: string, { text }: TakenSecret): string {
  if (text === undefined || text.includes("\0")) {
    throw new InputError(
      `The secret for ${name} is not text, and an environment variable holds nothing else. Within a few minutes it can be had with open_to_file or collect_to_file.`,
    );
  }
  return text.replace(/\r?\n$/, "");
}
