import { expect, test } from "bun:test";
import { join } from "node:path";
import { exampleId } from "../../src/contract/ids.ts";
import { startAgent } from "../support/agents.ts";
import { PROSE_PATTERN, startHostileServer } from "../support/hostile-servers.ts";
import type { Mood } from "../support/hostile-servers.ts";
import { openPerson } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

const SEED = "A".repeat(22);
const CALLS = [
  ["list_secrets", {}],
  ["secret_status", { id: exampleId("secret") }],
  ["revoke_secret", { id: exampleId("secret") }],
  ["revoke_secret", { id: exampleId("request") }],
  ["wait_for_submission", { request_id: exampleId("request"), timeout_seconds: 0 }],
  ["request_secret", { note: "x" }],
  ["send_secret", { file: "a.txt" }],
  ["open_to_file", { path: "b.key" }],
] as const;

test.each(["decorated", "failing", "time", "state", "url"] satisfies Mood[])(
  "no sentence of a server that is %s gets into the conversation of an agent",
  async (mood) => {
    using folder = temporaryFolder();
    using server = startHostileServer(mood);
    const person = openPerson(folder.path, {
      HANDOFF_URL: server.url.origin,
      HANDOFF_API_KEY: "hak_lFA6LboL2xx0ldQH2K1TdSrwuqMMiME345JaEG",
    });
    await Bun.write(join(folder.path, "a.txt"), "content");
    await using agent = await startAgent(person);
    // Not everything fails, which would prove nothing.
    if (mood === "decorated") expect((await agent.must("list_secrets", {})).secrets).toHaveLength(1);
    for (const [name, input] of CALLS) {
      const url = `${server.url.origin}/s/${exampleId("secret")}#1.${SEED}`;
      await agent.client.callTool({ name, arguments: name === "open_to_file" ? { ...input, url } : input });
    }
    const { resources } = await agent.client.listResources();
    for (const { uri } of resources) await agent.client.readResource({ uri });
    expect(
      PROSE_PATTERN.exec(agent.traffic().replaceAll(/"instructions":/g, "") + agent.stderr())?.[0],
    ).toBeUndefined();
  },
  60_000,
);
