import { expect, spyOn, test } from "bun:test";
import { statSync, utimesSync } from "node:fs";
import { askOnce, openApproved } from "../../src/cli/agents/asks.ts";
import { approvalWaitOf } from "../../src/cli/handovers/approvals.ts";
import { askForApproval } from "../../src/cli/handovers/claims.ts";
import { handoverOfLink, openSecret } from "../../src/cli/handovers/handovers.ts";
import { run } from "../../src/cli/run.ts";
import { openPendingClaim } from "../../src/cli/state/pending-claims.ts";
import type { HttpClient } from "../../src/client/http-client.ts";
import { exampleId } from "../../src/contract/ids.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import { setTeamRules } from "../../src/domain/teams.ts";
import { errorOf } from "../support/clients.ts";
import { manualBlocks } from "../support/manual.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";
import type { TestTerminalOptions } from "../support/terminals.ts";

const PATH = process.env["PATH"] ?? "";

/** A sender, somebody else of the team, and a recipient with nothing but links, each with a home of their own. */
async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({ policy: { waitingCalls: 100, ...policy } });
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()] as const;
  const keyed = async (home: string) => ({
    HOME: home,
    PATH,
    HANDOFF_URL: server.url,
    HANDOFF_API_KEY: (await server.backend.mint()).token,
  });
  const [sender, other] = [await keyed(folders[0].path), await keyed(folders[1].path)];
  const recipient = { HOME: folders[2].path, PATH };
  const json = async (env: Readonly<Record<string, string>>, args: readonly string[], stdin = "") => {
    const { stdout, stderr } = await runHere([...args, "--json"], env, stdin);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const at = async (args: readonly string[], options: TestTerminalOptions) => {
    const terminal = createTestTerminal({ isTerminal: { in: true, out: true, err: true }, ...options });
    return { exitCode: await run(args, terminal), ...terminal };
  };
  return {
    server,
    sender,
    other,
    recipient,
    json,
    at,
    send: (...args: readonly string[]) => json(sender, ["send", ...args], "precious"),
    open: (url: string, ...args: readonly string[]) => runHere(["open", "--yes", ...args], recipient, url),
    /** Begins a command of the recipient, and resolves once it has shown its words. */
    begin: async (...args: readonly string[]) => {
      const terminal = createTestTerminal({ env: recipient });
      const exitCode = run(args, terminal);
      const words = () => /Your words: (.*)/.exec(terminal.said.join("\n"))?.[1];
      while (words() === undefined && (await Promise.race([exitCode, Bun.sleep(1)])) === undefined);
      return { terminal, exitCode, words: words() };
    },
    /** The first ask that waits for somebody. */
    asked: async (env = sender) => (await json(env, ["approve", "--wait"]))[0],
    approve: (id: string, ...args: readonly string[]) => runHere(["approve", id, ...args], sender),
    claimsOf: async (id: string) => (await json(sender, ["status", id])).claims,
    claims: () => [...new Bun.Glob("**/claims/*").scanSync({ cwd: folders[2].path, dot: true })],
    /** The files of kept asks. */
    keptAsks: () => [...new Bun.Glob("**/asks/*").scanSync({ cwd: folders[2].path, dot: true, absolute: true })],
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const folder of folders) folder[Symbol.dispose]();
    },
  };
}

async function linkFile(folder: string, url: string): Promise<string> {
  const path = `${folder}/link.txt`;
  await Bun.write(path, url);
  return path;
}

test("what is sent says what opening it takes, in lists too", async () => {
  await using place = await setUp();
  const sent = await runHere(["send", "--approval", "sender"], place.sender, "precious");
  expect(sent.stderr).toContain(
    "A recipient who opens it waits until you decide, with: handoff approve --wait\n" +
      "Both see the same three words, which they can compare on the phone.\n",
  );
  const { id, approval } = await place.send("--approval", "team");
  expect(approval).toBe("team");
  expect((await place.send()).approval).toBeNull();
  expect((await runHere(["status", id], place.sender)).stdout).toContain(
    "\nApproval: by somebody else of the sender's team\n",
  );
  expect((await runHere(["list"], place.sender)).stdout).toMatch(/ENDS +APPROVAL\n.*\n.* team\n.* sender\n/);
  expect(await runHere(["send", "--approval", "me"], place.sender, "precious")).toMatchObject({ exitCode: 2 });
});

test("opening waits, and goes on by itself once the sender lets it in, who sees the same words", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  const opening = place.open(url);
  const ask = await place.asked();
  expect(ask).toMatchObject({ secret_id: id, address: null, identity: null, label: null });
  const listed = await runHere(["approve"], place.sender);
  expect(listed.stdout).toMatch(
    new RegExp(
      `^ID +WHO +WORDS +ENDS +SENDER +SECRET\n${ask.id.slice(-6)} +Somebody with the link +${ask.words.join(", ")} .* ${id}\n$`,
    ),
  );
  expect(listed.stderr).toBe("To let somebody in: handoff approve ID. To refuse: handoff approve ID --refuse\n");
  expect((await runHere(["approve"], place.other)).stderr).toBe("Nobody waits for you.\n");
  expect(await place.claimsOf(id)).toBe(0);
  const approved = await place.approve(ask.id.slice(-6));
  expect(approved).toMatchObject({ exitCode: 0, stdout: "" });
  expect(approved.stderr).toStartWith(
    `Approved: ${id} can be opened once, with the words ${ask.words.join(", ")}, until `,
  );
  const { exitCode, stdout, stderr } = await opening;
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "precious" });
  expect(stderr).toStartWith(`The sender has to let you in. Your words: ${ask.words.join(", ")}\nThey see the same`);
  const history = (await runHere(["status", id], place.sender)).stdout;
  const words = ask.words.join(", ");
  expect(history).toContain(`  asked to be let in with the link: ${words}\n`);
  expect(history).toMatch(new RegExp(`  let in with an API key \\(idn_\\w+\\): ${words}\n`));
  expect(place.claims()).toEqual([]);
});

test("what is refused isn't opened, uses nothing up, and can be asked for anew", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  const opening = place.open(url, "--json");
  const ask = await place.asked();
  const refused = await place.approve(ask.id, "--refuse");
  expect(refused).toEqual({ exitCode: 0, stdout: "", stderr: `Refused: ${id} wasn't opened.\n` });
  const { exitCode, stdout, stderr } = await opening;
  const [shown = "", failed = ""] = stderr.split("\n");
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(JSON.parse(shown)).toEqual({ ask: { id: ask.id, words: ask.words, expires_at: ask.expires_at } });
  expect(JSON.parse(failed).error).toMatchObject({
    code: "approval_refused",
    message: "Opening this secret was refused. It wasn't opened. Ask the sender about it.",
    exit_code: 1,
  });
  expect([await place.claimsOf(id), place.claims()]).toEqual([0, []]);
  const again = place.open(url);
  const second = await place.asked();
  expect(second.id).not.toBe(ask.id);
  await place.approve(second.id);
  expect(await again).toMatchObject({ exitCode: 0, stdout: "precious" });
});

test("what was approved can be refused by its secret until it is opened, with all who wait for it", async () => {
  await using place = await setUp();
  const { id, claim_token: token } = (
    await place.server.call("POST", "/api/v1/secrets?approval=sender", {
      token: place.sender.HANDOFF_API_KEY,
      body: { envelope: { version: 1, ciphertext: "fake-local-test-only" } },
    })
  ).json;
  const ask = () => place.server.call("POST", `/api/v1/secrets/${id}/asks`, { token });
  const asks = [(await ask()).json, (await ask()).json];
  const approved = await place.approve(asks[0].id);
  expect(approved.stderr).toEndWith(` To take it back before that: handoff approve ${id} --refuse\n`);
  expect((await place.approve(asks[0].id, "--refuse")).stderr).toContain("give the ID of the secret.");
  expect(await place.approve(id)).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await runHere(["approve", id, "--refuse"], place.other)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Somebody else has to decide this."),
  });
  const said = asks.map(({ words }) => `Refused: ${id} wasn't opened with the words ${words.join(", ")}.\n`);
  expect(await place.approve(id, "--refuse")).toEqual({ exitCode: 0, stdout: "", stderr: said.join("") });
  expect(await place.approve(id, "--refuse")).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining("nobody who was let in can still open it"),
  });
  const third = (await ask()).json;
  await place.approve(third.id);
  expect(await place.json(place.sender, ["approve", id, "--refuse"])).toMatchObject([
    { id: third.id, secret_id: id, words: third.words, state: "refused", label: null },
  ]);
  const claim = () =>
    place.server.call("POST", `/api/v1/secrets/${id}/claim`, {
      token,
      headers: { "handoff-approval": third.approval_token },
    });
  expect((await claim()).json.code).toBe("approval_required");
});

test("who decides nothing here reads so", async () => {
  await using place = await setUp();
  const { url } = await place.send("--approval", "team");
  const opening = place.open(url);
  const ask = await place.asked(place.other);
  const unknown = {
    exitCode: 4,
    stdout: "",
    stderr: expect.stringMatching(
      /^handoff: Nobody with the ID '\w+' waits for you. It was decided, its time is over, or somebody else has to/,
    ),
  };
  // The sender doesn't approve for the team.
  expect(await place.approve(ask.id)).toEqual(unknown);
  expect(await place.approve("zzzzzz")).toMatchObject({ exitCode: 2 });
  expect(await place.approve("abcdef")).toEqual(unknown);
  expect(await place.approve(`sec_${ask.id.slice(4)}`)).toMatchObject({ exitCode: 2 });
  expect(await runHere(["approve", "--refuse"], place.other)).toMatchObject({ exitCode: 2 });
  expect(await runHere(["approve", ask.id, "--wait"], place.other)).toMatchObject({ exitCode: 2 });
  expect(await runHere(["approve", "--all"], place.other)).toMatchObject({ exitCode: 2 });
  const { token } = await place.server.backend.mint({ scopes: ["secrets:read"] });
  expect(await runHere(["approve"], { ...place.other, HANDOFF_API_KEY: token })).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("It lacks the scope secrets:approve."),
  });
  expect(await place.json(place.other, ["approve", ask.id])).toEqual({
    ...ask,
    expires_at: expect.any(String),
    state: "approved",
  });
  expect(await opening).toMatchObject({ exitCode: 0, stdout: "precious" });
  expect(await place.approve(ask.id)).toEqual(unknown);
});

test("the person at the terminal is asked about each, and decides nothing by Enter alone", async () => {
  await using place = await setUp();
  const { url, id } = await place.send(
    "--approval",
    "sender",
    "--claims",
    "3",
    "--reference",
    "OPS-4711",
    "--label",
    "for Ann",
  );
  const openings = [];
  for (const count of [1, 2, 3]) {
    // Each has a home of their own: the same command would go on with the same ask.
    const env = { ...place.recipient, XDG_STATE_HOME: `${place.recipient.HOME}/${count}` };
    openings.push(runHere(["open", "--yes"], env, url));
    while ((await place.json(place.sender, ["approve"])).length < count) await Bun.sleep(1);
  }
  const asks = await place.json(place.sender, ["approve"]);
  const deciding = await place.at(["approve"], { env: place.sender, answers: ["y", "n", ""] });
  const question = "Let them in? [y/n, or Enter to decide later] ";
  expect(deciding).toMatchObject({ exitCode: 0, asked: [question, question, question] });
  expect(deciding.output()).toBe("");
  expect(deciding.said[0]).toBe(`Somebody with the link asks to open ${id} (OPS-4711, "for Ann").`);
  expect(deciding.said[1]).toStartWith("An automation sent it at ");
  expect(deciding.said[2]).toStartWith(`Words: ${asks[0].words.join(", ")}. Until `);
  expect(deciding.said.filter((line) => /^(Approved|Refused|Not decided)/.test(line))).toEqual([
    expect.stringContaining(`with the words ${asks[0].words.join(", ")}, until`),
    `Refused: ${id} wasn't opened.`,
    "Not decided. They go on waiting.",
  ]);
  expect(await place.json(place.sender, ["approve"])).toEqual([asks[2]]);
  // Somebody types what isn't an answer, and then leaves the terminal.
  const unclear = await place.at(["approve", "--wait"], { env: place.sender, answers: ["maybe"] });
  expect(unclear.said.at(-1)).toBe("Not decided. They go on waiting.");
  await place.approve(asks[2].id, "--refuse");
  const outcomes = await Promise.all(openings);
  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 1, 1]);
  expect(await place.claimsOf(id)).toBe(1);
});

test("a wait ends with its time, and with the secret", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  expect(await place.open(url, "--timeout", "1s")).toMatchObject({
    exitCode: 7,
    stdout: "",
    stderr: expect.stringMatching(/ It waits for 1s, and not beyond \S+ \S+\.\n/),
  });
  expect(await place.open(url, "--timeout", "1s")).toMatchObject({
    exitCode: 7,
    stdout: "",
    stderr: expect.stringContaining(
      "\nhandoff: The time to wait is over, and nobody has decided. It wasn't opened. Run the same command to go on with the same words, until ",
    ),
  });
  const opening = await place.begin("open", "--yes", url);
  place.server.backend.clock.advance(3_600_000);
  // The server's timer doesn't follow this clock: a change of the secret has it look.
  await runHere(["extend", id, "--claims", "2"], place.sender);
  expect(await opening.exitCode).toBe(7);
  expect(opening.terminal.said.at(-1)).toBe(
    "handoff: Nobody has let you in, and your ask no longer counts: its time is over, or others have asked since. It wasn't opened. Try again to ask anew.",
  );
  expect(place.keptAsks()).toEqual([]);
  expect(await runHere(["approve", "--wait", "--timeout", "1s"], place.sender)).toEqual({
    exitCode: 7,
    stdout: "",
    stderr: "handoff: Nobody has asked. The time to wait is over.\n",
  });
  const last = place.open(url);
  await place.asked();
  await runHere(["revoke", id], place.sender);
  expect(await last).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("This secret was revoked.") });
});

test("the same command goes on with its ask, and opens at once what was approved meanwhile", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  const first = await place.begin("open", "--yes", url);
  first.terminal.interrupt();
  expect(await first.exitCode).toBe(130);
  const [path = ""] = place.keptAsks();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const second = await place.open(url, "--timeout", "1s");
  expect(second.exitCode).toBe(7);
  expect(second.stderr).toContain(`Your words: ${first.words}\n`);
  const third = await place.begin("run", "--env", `A=@${await linkFile(place.recipient.HOME, url)}`, "--", "true");
  expect(third.words).toBe(first.words);
  third.terminal.interrupt();
  await third.exitCode;
  const asks = await place.json(place.sender, ["approve"]);
  expect(asks.map(({ words }: { words: string[] }) => words.join(", "))).toEqual([first.words]);
  await place.approve(asks[0].id);
  expect(await place.open(url)).toEqual({ exitCode: 0, stdout: "precious", stderr: "" });
  expect([await place.claimsOf(id), place.keptAsks(), place.claims()]).toEqual([1, [], []]);
});

test("an interrupted command says once that it was refused, and then asks anew, also after the ask's time", async () => {
  await using place = await setUp();
  const { url } = await place.send("--approval", "sender");
  const interrupted = async () => {
    const { terminal, exitCode, words } = await place.begin("open", "--yes", url);
    terminal.interrupt();
    await exitCode;
    return words;
  };
  const first = await interrupted();
  await place.approve((await place.asked()).id, "--refuse");
  expect(await place.open(url)).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "handoff: Opening this secret was refused. It wasn't opened. Ask the sender about it.\n",
  });
  expect(place.keptAsks()).toEqual([]);
  const second = await interrupted();
  expect(second).not.toBe(first);
  place.server.backend.clock.advance(3_600_000);
  const third = await interrupted();
  expect(third).not.toBe(second);
  expect(await place.json(place.sender, ["approve"])).toMatchObject([{ words: third?.split(", ") }]);
});

test("an approval that ended before the same command was run is asked for anew", async () => {
  await using place = await setUp();
  const { url } = await place.send("--approval", "sender");
  const first = await place.begin("open", "--yes", url);
  first.terminal.interrupt();
  await first.exitCode;
  await place.approve((await place.asked()).id);
  place.server.backend.clock.advance(600_000);
  const second = await place.begin("open", "--yes", url);
  expect(second.words).not.toBe(first.words);
  await place.approve((await place.asked()).id);
  expect(await second.exitCode).toBe(0);
});

test("an ask is forgotten when its secret has ended, and what others left behind after a day", async () => {
  await using place = await setUp();
  const secrets = [await place.send("--approval", "sender"), await place.send("--approval", "sender")];
  for (const { url } of secrets) {
    const { terminal, exitCode } = await place.begin("open", "--yes", url);
    terminal.interrupt();
    await exitCode;
  }
  const [ended, left] = secrets;
  const pathOf = (id: string) => place.keptAsks().find((path) => path.includes(id)) ?? "";
  await runHere(["revoke", ended.id], place.sender);
  expect(await place.open(ended.url)).toMatchObject({ exitCode: 4 });
  expect(place.keptAsks()).toEqual([pathOf(left.id)]);
  const longAgo = Date.now() / 1000 - 25 * 60 * 60;
  utimesSync(pathOf(left.id), longAgo, longAgo);
  expect(await place.open((await place.send()).url)).toMatchObject({ exitCode: 0 });
  expect(place.keptAsks()).toEqual([]);
});

test("agents and the command line don't use each other's asks", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  const terminal = createTestTerminal({ env: place.recipient });
  // The handover of an agent, which asks in its own way.
  const { approval: _approval, ...handover } = await handoverOfLink(terminal, {}, url, new AbortController().signal);
  const asked = await askOnce(terminal, handover, new Map());
  expect(place.keptAsks()).toEqual([]);
  const opening = await place.begin("open", "--yes", url);
  expect(opening.words).not.toBe(asked.words.join(", "));
  opening.terminal.interrupt();
  await opening.exitCode;
  const asks: { id: string; words: string[] }[] = await place.json(place.sender, ["approve"]);
  const kept = asks.find(({ words }) => words.join(", ") === opening.words);
  await place.approve(kept?.id ?? "");
  expect(await errorOf(openApproved(terminal, handover, new Map(), "Call again"))).toMatchObject({
    code: "approval_required",
  });
  expect([await place.claimsOf(id), place.keptAsks()]).toEqual([0, [expect.any(String)]]);
  expect(await place.open(url)).toMatchObject({ exitCode: 0, stdout: "precious" });
});

test("where nothing can be kept, the same command asks anew, and says so", async () => {
  await using place = await setUp();
  const { url } = await place.send("--approval", "sender");
  await Bun.write(`${place.recipient.HOME}/file`, "");
  const env = { ...place.recipient, XDG_STATE_HOME: `${place.recipient.HOME}/file` };
  const opened = await runHere(["open", "--yes", "--timeout", "1s"], env, url);
  expect(opened).toMatchObject({ exitCode: 7, stderr: expect.stringContaining("Run the same command to ask anew.") });
});

test("Ctrl-C ends a wait, with nothing used up", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  for (const [args, env] of [
    [["open", "--yes", url], place.recipient],
    [["approve", "--wait"], place.other],
  ] as const) {
    const terminal = createTestTerminal({ env });
    const running = run(args, terminal);
    if (args[0] === "open") await place.asked();
    terminal.interrupt();
    expect(await running).toBe(130);
  }
  expect([await place.claimsOf(id), place.claims()]).toEqual([0, []]);
});

test("a command gets its secrets only when all of them are approved, and nothing is used up before", async () => {
  await using place = await setUp();
  const plain = await place.send();
  const [one, two] = [await place.send("--approval", "sender"), await place.send("--approval", "team")];
  const links = await Promise.all(
    [plain, one, two].map(async ({ url }, at) => {
      const path = `${place.recipient.HOME}/${at}.link`;
      await Bun.write(path, url);
      return `V${at}=@${path}`;
    }),
  );
  const args = [
    "run",
    ...links.flatMap((each) => ["--env", each]),
    "--",
    "sh",
    "-c",
    'test "$V0$V1$V2" = preciouspreciousprecious',
  ];
  const refused = runHere(args, place.recipient);
  // Both are asked for before either is decided.
  const [first, second] = [await place.asked(), await place.asked(place.other)];
  await place.approve(first.id);
  await runHere(["approve", second.id, "--refuse"], place.other);
  expect(await refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("was refused") });
  for (const { id } of [plain, one, two]) expect(await place.claimsOf(id)).toBe(0);
  // The first one is still approved.
  const running = runHere(args, place.recipient);
  await runHere(["approve", (await place.asked(place.other)).id], place.other);
  const { exitCode, stderr } = await running;
  expect({ exitCode, words: stderr.match(/Your words/g) }).toEqual({ exitCode: 0, words: ["Your words"] });
  expect(place.keptAsks()).toEqual([]);
  for (const { id } of [plain, one, two]) expect(await place.claimsOf(id)).toBe(1);
});

test("a claim that was approved is repeated without an approval", async () => {
  await using place = await setUp();
  const { url, id } = await place.json(place.sender, ["send", "--approval", "sender"], "no\0variable");
  const running = runHere(["run", "--env", "SECRET=@-", "--", "true"], place.recipient, url);
  await place.approve((await place.asked()).id);
  expect(await running).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("isn't text") });
  expect(await place.open(url)).toEqual({ exitCode: 0, stdout: "no\0variable", stderr: "" });
  expect(await place.claimsOf(id)).toBe(1);
});

test("a claim that never reached the server needs an approval, and isn't kept without one", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  openPendingClaim(createTestTerminal({ env: place.recipient }), place.server.url, id);
  expect(place.claims()).toHaveLength(1);
  const opening = place.open(url);
  await place.approve((await place.asked()).id, "--refuse");
  expect(await opening).toMatchObject({ exitCode: 1 });
  expect(place.claims()).toEqual([]);
});

test("an approval that has ended when it is used opens nothing", async () => {
  await using place = await setUp();
  const { url, id } = await place.send("--approval", "sender");
  const terminal = createTestTerminal({ env: place.recipient });
  const handover = await handoverOfLink(terminal, {}, url, new AbortController().signal);
  expect(await errorOf(openSecret(terminal, handover, `hat_${"0".repeat(38)}`))).toMatchObject({
    code: "approval_required",
    message: "The approval has ended, and it wasn't opened. Run the same command to ask anew.",
  });
  expect([await place.claimsOf(id), place.claims()]).toEqual([0, []]);
});

test("a team's rule asks for an approval before anything is sent", async () => {
  await using place = await setUp();
  await setTeamRules(place.server.backend.service, "team", { approval: "team" });
  for (const args of [[], ["--approval", "sender"]]) {
    const refused = await runHere(["send", ...args], place.sender, "precious");
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toStartWith(
      "handoff: Your team's rules ask for an approval of each opening. Add --approval team.",
    );
  }
  expect((await place.send("--approval", "team")).approval).toBe("team");
  expect((await runHere(["whoami"], place.sender)).stdout).toMatch(/team rules +approval team\n/);
  const { token } = await place.server.backend.mint({ scopes: ["secrets:create"] });
  await setTeamRules(place.server.backend.service, "team", { approval: "sender" });
  expect(
    await runHere(["send", "--approval", "sender"], { ...place.sender, HANDOFF_API_KEY: token }, "x"),
  ).toMatchObject({
    exitCode: 3,
  });
});

test("the commands of the manual do what they say", async () => {
  await using place = await setUp();
  const lines = manualBlocks("approvals").flatMap((block) => block.match(/(?<=^|\| )handoff [^<>\n]+/gm) ?? []);
  const [send = [], wait = [], open = [], ...decisions] = lines.map((line) => line.trim().split(" ").slice(1));
  expect(decisions).toHaveLength(4);
  const asking = async () => {
    const { stdout } = await runHere(send, place.sender, "the secret");
    const opening = runHere(open, place.recipient, stdout.trim());
    return { opening, ask: await place.asked() };
  };
  const first = await asking();
  expect(await place.at(wait, { env: place.sender, answers: ["y"] })).toMatchObject({ exitCode: 0 });
  expect(await first.opening).toMatchObject({ exitCode: 0, stdout: "the secret" });
  for (const [at, exitCode] of [0, 1, 1].entries()) {
    const { opening, ask } = await asking();
    const [list = [], ...deciding] = decisions.map((args) =>
      args.map((each) => (each.startsWith("sec_") ? ask.secret_id : each.replace("e6g8io", ask.id.slice(-6)))),
    );
    expect((await runHere(list, place.sender)).stdout).toContain(ask.words.join(", "));
    expect(await runHere(deciding[at] ?? [], place.sender)).toMatchObject({ exitCode: 0 });
    expect((await opening).exitCode).toBe(exitCode);
  }
});

test("the time to wait begins with the ask: several are waited for one after the other", async () => {
  using folder = temporaryFolder();
  const id = exampleId("secret");
  const ask = { id: exampleId("ask"), words: ["maple", "river", "nine"], expires_at: "2026-11-21T10:30:00.000Z" };
  const answers = [
    { ...ask, state: "waiting", approval_token: `hat_${"0".repeat(38)}` },
    { ...ask, state: "waiting" },
  ];
  const call = async () => answers.shift() ?? Promise.reject(new Error("it waits on"));
  const baseUrl = "https://handoff.example";
  const client = { baseUrl, call, options: { baseUrl, fetch: () => Promise.reject(new Error("no stream")) } };
  const asked = await askForApproval(
    createTestTerminal({ env: { XDG_STATE_HOME: folder.path } }),
    {
      client: client as unknown as HttpClient,
      id,
      key: { kind: "link", agePassphrase: "", passphrase: undefined },
      passphrase: undefined,
      isSubmission: false,
      approval: approvalWaitOf({ timeout: "30m" }),
      nameStyle: "safe",
    },
    "sender",
  );
  const { now } = performance;
  using late = spyOn(performance, "now").mockImplementation(() => now.call(performance) + 1_800_000);
  expect(await asked.untilApproved().catch((error: unknown) => error)).toMatchObject({
    code: "approval_required",
    message: expect.stringContaining("The time to wait is over"),
  });
  expect(late).toHaveBeenCalled();
});
