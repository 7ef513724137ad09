import { expect, test } from "bun:test";
import { withProof } from "../../../src/cli/handovers/proofs.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { BegunProof, Proof } from "../../../src/contract/persons.ts";
import { createTestClient, errorOf, exampleOf, refuse } from "../../support/clients.ts";
import type { TestAnswers } from "../../support/clients.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const ANN = "ann@example.com";
const [CODE, ADDRESS] = ["Code (Enter alone to change the address): ", "Your address: "];
const answers: TestAnswers = {
  beginSecretProof: () => exampleOf(BegunProof),
  completeSecretProof: () => exampleOf(Proof),
};

/** Proves an address where these answers are typed, and uses it as `use` does. */
async function prove(
  typed: readonly string[],
  more: TestAnswers = {},
  { env = {}, use = async () => "used" }: { env?: Record<string, string>; use?: () => Promise<string> } = {},
) {
  using folder = temporaryFolder();
  const client = createTestClient({ ...answers, ...more });
  const terminal = createTestTerminal({
    env: { HOME: folder.path, ...env },
    answers: typed,
    isTerminal: { err: true },
  });
  const subject = { client, kind: "secret", id: exampleId("secret"), addressees: ["a…@example.com"] } as const;
  const ended = withProof(terminal, subject, use);
  const error = await errorOf(ended);
  return { error, client, terminal, outcome: error === undefined ? await ended : undefined };
}

test("the mail is in the language of the environment, or in English", async () => {
  for (const [env, language] of [
    [{ LANG: "de_AT.UTF-8" }, "de-AT"],
    [{ LANG: "pt_BR", LC_MESSAGES: "nl" }, "nl"],
    [{ LANG: "de_DE", LC_ALL: "ja_JP@x" }, "ja-JP"],
    [{ LANG: "C.UTF-8" }, "en"],
    [{}, "en"],
  ] as const) {
    const { client, outcome } = await prove([ANN, "1234-5678"], {}, { env });
    expect(outcome).toBe("used");
    expect(client.calls.map(({ body }) => body)).toEqual([
      { address: ANN, language },
      { proof_token: exampleOf(BegunProof).proof_token, code: "12345678" },
    ]);
  }
});

test("a code that is over is mailed anew, or to another address", async () => {
  let tries = 0;
  const completeSecretProof = () => ((tries += 1) < 3 ? refuse("code_expired", "gone") : exampleOf(Proof));
  const { client, terminal, outcome } = await prove(
    [ANN, "00000000", "", "00000000", "n", "bob@example.com", "12345678"],
    { completeSecretProof },
  );
  expect(outcome).toBe("used");
  const again = `Send a new code to ${ANN}? [Y/n] `;
  expect(terminal.asked).toEqual([ADDRESS, CODE, again, CODE, again, ADDRESS, CODE]);
  const mailed = client.calls.filter(({ operation }) => operation === "beginSecretProof");
  expect(mailed.map(({ body }) => (body as { address: string }).address)).toEqual([ANN, ANN, "bob@example.com"]);
});

test("a proof that has ended before it was used is made again", async () => {
  let uses = 0;
  const use = async () => ((uses += 1) === 1 ? refuse("proof_required") : "used");
  const { terminal, outcome } = await prove([ANN, "12345678", ANN, "12345678"], {}, { use });
  expect(outcome).toBe("used");
  expect(terminal.said).toContain("The proof has ended. A code that comes by mail proves who you are.");
});

test("what else fails ends it", async () => {
  const limited = await prove([ANN], { beginSecretProof: () => refuse("rate_limited", "network") });
  expect(limited.error).toMatchObject({ code: "rate_limited" });
  const busy = await prove([ANN, "12345678"], { completeSecretProof: () => refuse("server_busy", "network") });
  expect(busy.error).toMatchObject({ code: "server_busy" });
  const gone = await prove([ANN, "12345678"], {}, { use: async () => refuse("secret_claimed", "gone") });
  expect(gone.error).toMatchObject({ code: "secret_claimed" });
  // Nobody is at the terminal, or not any more.
  for (const typed of [[], [ANN], [ANN, "12"]]) {
    expect((await prove(typed)).error).toMatchObject({ code: "proof_required", kind: "failure" });
  }
});
