import { join } from "node:path";
import { BIN, runTool } from "./openapi.ts";

/** The output of a generated client: what it was answered, step by step. */
interface Handover {
  readonly id: string;
  readonly state: string;
  readonly ciphertext: string;
  readonly claimed: string;
  readonly acknowledged: number;
  readonly problem: string;
  readonly status: number;
}

/** A generator of clients, and a program that hands a secret over with what it makes. */
export interface Generator {
  /** Makes the client of `openapi.json` in `folder`, with the program beside it. Throws an Error when that fails. */
  generate(folder: string): Promise<void>;
  /** Runs the program against the server at `url`. Throws an Error when it fails. */
  run(folder: string, url: string, token: string): Promise<Handover>;
}

const ROOT = join(import.meta.dir, "../..");
// Some generators ask for a newer Node than the scripts do; Bun is one.
const BUN = [process.execPath, "--bun"];
const PYTHON = join(ROOT, ".tools/python-clients/bin/python");
const TSC = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "--target", "esnext"];

async function must(command: readonly string[], folder: string, environment?: Record<string, string>): Promise<string> {
  const { exitCode, stdout, output } = await runTool(command, folder, environment);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${output}`);
  return stdout;
}

/** Type-checks a program in TypeScript and the client that it uses. */
async function compile(folder: string): Promise<void> {
  await must([join(BIN, "tsc"), ...TSC, "--lib", "esnext,dom,dom.iterable", "--types", "bun", "program.ts"], folder);
}

const inTypeScript = (folder: string, url: string, token: string) =>
  must([process.execPath, "program.ts", url], folder, { TOKEN: token }).then((text): Handover => JSON.parse(text));

/** openapi-typescript makes the types, and openapi-fetch calls by them. */
const openapiTypescript: Generator = {
  async generate(folder) {
    await must([join(BIN, "openapi-typescript"), "openapi.json", "-o", "api.ts"], folder);
    await Bun.write(
      join(folder, "program.ts"),
      `import createClient from "openapi-fetch";
import type { components, paths } from "./api";

const client = createClient<paths>({
  baseUrl: process.argv[2] ?? "",
  headers: { authorization: \`Bearer \${process.env.TOKEN}\` },
});
const header = { "Idempotency-Key": crypto.randomUUID() };
const made = await client.POST("/api/v1/secrets", {
  params: { query: { max_claims: 1 } },
  body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } },
});
if (made.error) throw new Error(made.error.code);
const { id } = made.data;
const params = { path: { id }, header };
const seen = await client.GET("/api/v1/secrets/{id}", { params: { path: { id } } });
const claim = await client.POST("/api/v1/secrets/{id}/claim", { params });
const kept = await client.POST("/api/v1/secrets/{id}/acknowledgement", { params });
const late = await client.POST("/api/v1/secrets/{id}/claim", { params: { path: { id } } });
const happened = await client.GET("/api/v1/events");
const types: string[] = happened.data?.data.map(({ type }) => type) ?? [];
if (types.length === 0) throw new Error("no event");
const version: number | undefined = claim.data?.envelope.version;
const envelope: components["schemas"]["Envelope"] = { version: 1, ciphertext: "fake-local-test-only" };
// @ts-expect-error: a version that there is none of yet
envelope.version = 2;
// @ts-expect-error: a state that there is none of
await client.GET("/api/v1/secrets", { params: { query: { state: "nonsense", limit: version ?? 1 } } });
console.log(
  JSON.stringify({
    id,
    state: seen.data?.state,
    ciphertext: claim.data?.envelope.ciphertext,
    claimed: claim.data?.secret.state,
    acknowledged: kept.response.status,
    problem: late.error?.code,
    status: late.response.status,
  }),
);
`,
    );
    await compile(folder);
  },
  run: inTypeScript,
};

const heyApi: Generator = {
  async generate(folder) {
    const options = ["-i", "openapi.json", "-o", "api", "-c", "@hey-api/client-fetch", "--no-log-file"];
    await must([...BUN, join(BIN, "openapi-ts"), ...options], folder);
    await Bun.write(
      join(folder, "program.ts"),
      `import { acknowledgeClaim, claimSecret, createSecret, getSecret } from "./api";
import { client } from "./api/client.gen";

client.setConfig({ baseUrl: process.argv[2] ?? "", auth: () => process.env.TOKEN });
const headers = { "Idempotency-Key": crypto.randomUUID() };
const made = await createSecret({ body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } } });
if (!made.data) throw new Error(made.error.code);
const path = { id: made.data.id };
const seen = await getSecret({ path });
const claim = await claimSecret({ path, headers });
const kept = await acknowledgeClaim({ path, headers });
const late = await claimSecret({ path });
console.log(
  JSON.stringify({
    id: path.id,
    state: seen.data?.state,
    ciphertext: claim.data?.envelope.ciphertext,
    claimed: claim.data?.secret.state,
    acknowledged: kept.response?.status,
    problem: late.error?.code,
    status: late.response?.status,
  }),
);
`,
    );
    await compile(folder);
  },
  run: inTypeScript,
};

const openapiPythonClient: Generator = {
  async generate(folder) {
    // Installs nothing when scripts/test has done it.
    await must([join(ROOT, "scripts/python-packages"), "python-clients"], ROOT);
    // It knows the media type of pieces (tus) by no other name.
    const mediaTypes = "content_type_overrides:\n  application/offset+octet-stream: application/octet-stream\n";
    await Bun.write(join(folder, "config.yaml"), `post_hooks: []\n${mediaTypes}`);
    const options = ["--path", "openapi.json", "--meta", "none", "--output-path", "handoff_api"];
    await must(
      [PYTHON, "-m", "openapi_python_client", "generate", ...options, "--config", "config.yaml", "--fail-on-warning"],
      folder,
    );
    await Bun.write(
      join(folder, "program.py"),
      `import json, os, sys, uuid
from handoff_api import AuthenticatedClient
from handoff_api.api.secrets import acknowledge_claim, claim_secret, create_secret, get_secret
from handoff_api.models import CreateSecretBody, Envelope, EnvelopeVersion

client = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["TOKEN"], raise_on_unexpected_status=True)
key = str(uuid.uuid4())
envelope = Envelope(version=EnvelopeVersion(1), ciphertext="fake-local-test-only")
made = create_secret.sync(client=client, body=CreateSecretBody(envelope=envelope))
seen = get_secret.sync(made.id, client=client)
claim = claim_secret.sync(made.id, client=client, idempotency_key=key)
assert type(claim.envelope.version) is int and claim.secret.created_at.tzinfo
kept = acknowledge_claim.sync_detailed(made.id, client=client, idempotency_key=key)
late = claim_secret.sync_detailed(made.id, client=client)
print(json.dumps({
    "id": made.id,
    "state": seen.state,
    "ciphertext": claim.envelope.ciphertext,
    "claimed": claim.secret.state,
    "acknowledged": kept.status_code,
    "problem": late.parsed.code,
    "status": late.status_code,
}))
`,
    );
  },
  run: async (folder, url, token) =>
    JSON.parse(await must([PYTHON, "program.py", url], folder, { TOKEN: token, PYTHONDONTWRITEBYTECODE: "1" })),
};

export const GENERATORS: Readonly<Record<string, Generator>> = {
  "openapi-typescript": openapiTypescript,
  "@hey-api/openapi-ts": heyApi,
  "openapi-python-client": openapiPythonClient,
};
