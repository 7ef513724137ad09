import { afterEach, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { run } from "../../src/cli/run.ts";
import { openReceiver } from "../support/receivers.ts";
import { openTestService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

/** `handoff admin webhook …` over the database of `service`. */
const webhooksOf = (service: TestService) => {
  const env = { ...service.storage.env, HOME: "/nonexistent" };
  const webhook = (...args: string[]) => runHere(["admin", "webhook", ...args], env);
  const json = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await webhook(...args, "--json");
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const create = (url: string, ...flags: string[]) => json("create", "--team", "team", "--url", url, ...flags);
  const log = async () => {
    const { stdout } = await runHere(["admin", "log", "--json"], env);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  return { env, webhook, json, create, log };
};

/** A database with a team. */
async function openTeam() {
  const service = await openTestService();
  await service.mint();
  return service;
}

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("a webhook is created with a secret that is shown once, and neither it nor the path is shown where many look", async () => {
  await using service = await openTeam();
  const { webhook, json, log } = webhooksOf(service);
  const url = "https://chat.example/hooks/SECRETPATH?key=SECRETKEY";
  const { exitCode, stdout, stderr } = await webhook("create", "--team", "team", "--url", url);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect(Buffer.from(stdout.trim().replace("whsec_", ""), "base64")).toHaveLength(32);
  expect(stderr).toContain("all events of 'team' are told to chat.example");
  const [{ id }] = await json("list");
  const shown = await json("show", id);
  expect(shown).toMatchObject({ id, url, host: "chat.example", state: "active", events: null, behind_since: null });
  const others = [
    (await webhook("list")).stdout,
    JSON.stringify(await json("list")),
    (await webhook("deliveries", id)).stdout,
    JSON.stringify(await log()),
    stderr,
  ].join("\n");
  for (const word of [stdout.trim(), "SECRETPATH", "SECRETKEY"]) expect(others).not.toContain(word);
  expect(JSON.stringify(shown)).not.toContain("whsec_");
});

test("a URL that others are not to see comes on standard input", async () => {
  await using service = await openTeam();
  const { env, json } = webhooksOf(service);
  const args = ["admin", "webhook", "create", "--team", "team", "--format", "chat", "--url", "-"];
  const made = await runHere(args, env, "https://chat.example/hooks/SECRETPATH\n");
  expect(made).toMatchObject({ exitCode: 0, stdout: "" });
  const [{ id }] = await json("list");
  expect((await json("show", id)).url).toBe("https://chat.example/hooks/SECRETPATH");
  const empty = await runHere(args, env, "\n");
  expect(empty).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("not a URL") });
});

test("a webhook whose secret nobody could see is gone again, and a rotation is undone", async () => {
  await using service = await openTeam();
  const { env, json, create } = webhooksOf(service);
  const closed = async (...args: string[]) => {
    // Closed once something is to be written.
    const terminal = createTestTerminal({ env });
    const out = () => {
      throw new Error("the disk is full");
    };
    const exitCode = await run(["admin", "webhook", ...args], { ...terminal, out });
    return { exitCode, said: terminal.said.join("\n") };
  };
  const made = await closed("create", "--team", "team", "--url", "https://hooks.example/");
  expect(made).toMatchObject({ exitCode: 1, said: expect.stringContaining("was deleted") });
  expect(await json("list")).toEqual([]);
  await using receiver = openReceiver();
  const { id, signing_secret: secret } = await create(receiver.url);
  const rotated = await closed("rotate-secret", id);
  expect(rotated).toMatchObject({ exitCode: 1, said: expect.stringContaining("The old secret is back") });
  await json("test", id);
  const [call] = receiver.calls;
  expect(() => new Webhook(secret).verify(call?.body ?? "", Object.fromEntries(call?.headers ?? []))).not.toThrow();
  expect(call?.headers.get("webhook-signature")).not.toContain(" ");
});

test("what can't be called is refused before anything is stored", async () => {
  await using service = await openTeam();
  const { webhook, json } = webhooksOf(service);
  const refusals: readonly (readonly [string[], string])[] = [
    [["--team", "team", "--url", "hooks.example"], "not a URL"],
    [["--team", "team", "--url", "http://hooks.example/"], "--allow-http"],
    [["--team", "team", "--url", "https://a:b@hooks.example/"], "no user"],
    [["--team", "team", "--url", "https://169.254.169.254/"], "never called"],
    [["--team", "nobody", "--url", "https://hooks.example/"], "no team 'nobody'"],
    [["--team", "team", "--url", "https://hooks.example/", "--event", "secret.stolen"], "--event must be one of"],
    [
      ["--team", "team", "--url", "https://hooks.example/", "--format", "fax"],
      "--format must be one of: standard, chat, ntfy.",
    ],
  ];
  for (const [args, message] of refusals) {
    const { exitCode, stdout, stderr } = await webhook("create", ...args);
    expect({ args, stderr, stdout }).toEqual({ args, stderr: expect.stringContaining(message), stdout: "" });
    expect({ args, exitCode }).toEqual({ args, exitCode: message.startsWith("no team") ? 1 : 2 });
  }
  expect(await json("list")).toEqual([]);
  for (const command of ["show", "pause", "resume", "test", "rotate-secret", "deliveries"]) {
    const { exitCode, stderr } = await webhook(command, "whk_nothing");
    expect({ command, exitCode, stderr }).toEqual({
      command,
      exitCode: 1,
      stderr: expect.stringContaining("there is no webhook 'whk_nothing'"),
    });
  }
});

test("a test calls at once, with an event of no log, and says what was answered", async () => {
  await using service = await openTeam();
  const { webhook, json, create } = webhooksOf(service);
  let answer = () => new Response("thank\u001B[31m you\nvery much");
  await using receiver = openReceiver(() => answer());
  const { id, signing_secret: secret } = await create(receiver.url);
  const fine = await webhook("test", id);
  expect(fine).toMatchObject({ exitCode: 0, stderr: "" });
  expect(fine.stdout).toMatch(/^127\.0\.0\.1:\d+ answered 200 in \d+ ms and said: thank\uFFFD\[31m you very much\n$/);
  const [call] = receiver.calls;
  const told = new Webhook(secret).verify(call?.body ?? "", Object.fromEntries(call?.headers ?? []));
  expect(told).toMatchObject({ type: "webhook.test", data: { type: "webhook.test", secret_id: null, actor: null } });
  answer = () => new Response("no such channel", { status: 404 });
  const wrong = await webhook("test", id);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stdout).toMatch(/ answered 404 in \d+ ms and said: no such channel\n$/);
  expect(await json("deliveries", id)).toEqual([]);
  const odd = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.end("SSH-2.0\r\n") },
  });
  for (const host of ["localhost:9", `127.0.0.1:${odd.port}`]) {
    const { id: silent } = await create(`http://${host}/`);
    expect(await webhook("test", silent)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`Can't tell ${host}: it can't be reached, or its answer isn't HTTP.`),
    });
  }
  odd.stop(true);
});

test("after a rotation both secrets verify for a day", async () => {
  await using service = await openTeam();
  const { json, create } = webhooksOf(service);
  await using receiver = openReceiver();
  const { id, signing_secret: first } = await create(receiver.url);
  const { signing_secret: second, former_secret_until: until } = await json("rotate-secret", id);
  expect(Date.parse(until) - Date.now()).toBeWithin(86_300_000, 86_500_000);
  expect((await json("show", id)).former_secret_until).toBe(until);
  await json("test", id);
  const [call] = receiver.calls;
  for (const secret of [first, second]) {
    expect(() => new Webhook(secret).verify(call?.body ?? "", Object.fromEntries(call?.headers ?? []))).not.toThrow();
  }
  const { id: chat } = await create(receiver.url, "--format", "chat");
  const { webhook } = webhooksOf(service);
  const refused = await webhook("rotate-secret", chat);
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("are not signed") });
});

test("what admins do with webhooks is in the log, and a team that is deleted takes its webhooks along", async () => {
  await using service = await openTeam();
  const { env, json, create, log, webhook } = webhooksOf(service);
  const { id } = await create("https://hooks.example/", "--event", "secret.claimed", "secret.expired");
  await json("pause", id);
  expect((await json("list"))[0]).toMatchObject({
    state: "paused",
    paused_by: "admin",
    events: ["secret.claimed", "secret.expired"],
  });
  await json("pause", id);
  await json("resume", id);
  await json("rotate-secret", id);
  const asked = createTestTerminal({ env, isTerminal: { in: true }, answers: ["n"] });
  expect(await run(["admin", "webhook", "delete", id], asked)).toBe(1);
  expect(asked.asked).toEqual([expect.stringContaining(`Delete ${id}, which tells hooks.example of 'team'?`)]);
  await json("delete", id, "--yes");
  expect(await webhook("show", id)).toMatchObject({ exitCode: 1 });
  const entries = (await log()).filter((each) => each.action.startsWith("webhook."));
  const details = { format: "standard", host: "hooks.example", events: ["secret.claimed", "secret.expired"] };
  expect(entries.map(({ action, subject, team }) => ({ action, id: subject.id, team: team.name }))).toEqual(
    ["created", "paused", "resumed", "secret_rotated", "deleted"].map((each) => ({
      action: `webhook.${each}`,
      id,
      team: "team",
    })),
  );
  expect(entries[0]?.details).toEqual(details);
  await create("https://hooks.example/");
  await runHere(["admin", "team", "delete", "team", "--yes", "--force"], env);
  expect(await json("list")).toEqual([]);
});

test("there may be a hundred webhooks", async () => {
  await using service = await openTeam();
  const { webhook, create } = webhooksOf(service);
  const { store, ids, clock } = service.service;
  const [team] = await store.listTeams();
  const rest = {
    url: "https://hooks.example/",
    format: "chat",
    eventTypes: null,
    allowHttp: false,
    secret: null,
  } as const;
  for (let made = 0; made < 99; made += 1) {
    await store.createWebhook({ id: ids.next("webhook"), teamId: team?.id ?? "", createdAt: clock.now(), ...rest });
  }
  await create("https://hooks.example/");
  const refused = await webhook("create", "--team", "team", "--url", "https://hooks.example/");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringContaining("there are 100 webhooks") });
});
