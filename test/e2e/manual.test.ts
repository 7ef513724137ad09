import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withSettingsList } from "../../scripts/settings-list.ts";
import { openWithPassphrase } from "../../src/crypto/envelopes.ts";
import { startAgent } from "../support/agents.ts";
import { startBrowser } from "../support/browsers.ts";
import { handoffCommand } from "../support/executable.ts";
import { openMailServer } from "../support/mail-servers.ts";
import { manualBlock, manualText } from "../support/manual.ts";
import { openPlace } from "../support/people.ts";
import { openReceiver } from "../support/receivers.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = join(import.meta.dir, "../..");

/** The output after pasting `lines` into bash, in a folder where `dist/handoff` is. */
async function paste(lines: string, folder: string): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", lines], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

/** A server whose data is in `.data` of `folder`. */
const serveIn = (folder: string) =>
  startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder, ".data")]);

/** Shell lines that make `handoff` and `dist/handoff` the executable. */
const withExecutable = (lines: string) => {
  const [executable = ""] = handoffCommand();
  return `mkdir dist; ln -s '${executable}' dist/handoff; PATH="$PWD/dist:$PATH"\n${lines}`;
};

for (const topic of ["README", "start"]) {
  test(`the first lines of '${topic}' send a secret and open it once`, async () => {
    using folder = temporaryFolder();
    await using server = await serveIn(folder.path);
    const lines = manualBlock(topic, "admin team create");
    expect(lines).toContain("http://127.0.0.1:8080");
    const withServer = withExecutable(lines.replace("http://127.0.0.1:8080", server.url));
    const { exitCode, stdout, stderr } = await paste(withServer, folder.path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: expect.stringMatching(/^my secret\n$/m) });
    expect(stderr).toContain("opened");
    // Pasted a second time, they send another one.
    const again = await paste(`set +e\n${withServer.replace("mkdir dist; ln", ": ln")}`, folder.path);
    expect(again).toEqual({
      exitCode: 4,
      stdout: "my secret\n",
      stderr: expect.stringContaining("a team 'hello'. Use it"),
    });
  });
}

test("the lines of 'api' do what they say, with curl, with age and in JavaScript", async () => {
  using folder = temporaryFolder();
  await using server = await serveIn(folder.path);
  const lines = [
    manualBlock("api", "admin team create").replace(/^URL=.*$/m, `URL=${server.url}`),
    manualBlock("api", "fake-local-test-only"),
    "printf 'a secret of this test' > secret.txt; age-keygen -o identity.txt 2> /dev/null",
    "PUBLIC=$(age-keygen -y identity.txt); echo",
    manualBlock("api", "age -d -i"),
    `export HANDOFF_URL=$URL HANDOFF_API_KEY=$SENDER; echo; ln -s '${join(ROOT, "node_modules")}'`,
    `'${process.execPath}' link.mjs | handoff open --yes`,
    // As README does it.
    "echo",
    manualBlock("README", "curl -sS -X POST"),
  ].join("\n");
  await Bun.write(join(folder.path, "link.mjs"), manualBlock("api", "age-encryption", "js"));
  const { exitCode, stdout, stderr } = await paste(withExecutable(lines), folder.path);
  expect({ exitCode, stderr: stderr.replace(/^(Created|Minted|It may|Keep|Text|Opened).*\n/gm, "") }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(stdout).toContain('"state":"available"');
  expect(stdout).toContain('"envelope":{"version":1,"ciphertext":"fake-local-test-only"}');
  expect(stdout).toContain('"code":"secret_claimed"');
  expect(stdout).toContain('"code":"insufficient_scope"');
  expect(stdout).toContain("\na secret of this test\nthe secret\n");
  expect(stdout).toMatch(/"claim_token":"hct_\w+"\}$/);
});

test("the lines for stock tools get the age file of a link", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const block = manualBlock("send", "secret.age");
  const lines = `export ${Object.entries(ann.env)
    .map(([name, value]) => `${name}='${value}'`)
    .join(" ")}
    mkdir bin; ln -s '${handoffCommand()[0]}' bin/handoff; PATH="$PWD/bin:$PATH"
    ${block.replace("age -d secret.age", "part age_passphrase")}`;
  const { exitCode, stdout } = await paste(lines, ann.home);
  expect(exitCode).toBe(0);
  const file = readFileSync(join(ann.home, "secret.age"));
  const passphrase = stdout.trim().split("\n").at(-1) ?? "";
  const payload = await openWithPassphrase({ version: 1, ciphertext: file.toString("base64url") }, passphrase);
  expect(new TextDecoder().decode(payload)).toBe("for stock tools\n");
});

test("the lines for curl and age hand in, and refuse a recipient that the link does not name", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  const [ask, answer] = [manualBlock("ask", "--compat"), manualBlock("ask", "SUBMIT_TOKEN")];
  const link = (await ann.must(["request", "--compat", "--note", "x"])).trim();
  expect(ask).toContain("handoff request --compat --note");
  const parts = JSON.parse(await ann.must(["link", "--json", link]));
  using folder = temporaryFolder();
  await Bun.write(join(folder.path, "secret.txt"), "made with stock tools");
  const linesWith = (pin: string) =>
    answer.replace(
      /^SERVER=.*$/m,
      `SERVER='${parts.server}' ID='${parts.id}' SUBMIT_TOKEN='${parts.submit_token}' PIN='${pin}'`,
    );
  const refused = await paste(linesWith("AAAAAAAAAAAAAAAAAAAAAA"), folder.path);
  expect(refused.exitCode).not.toBe(0);
  expect(await ann.must(["status", parts.id])).toContain("0 of 1");
  const done = await paste(linesWith(parts.pin), folder.path);
  expect(done).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(done.stdout)).toMatchObject({ state: "available" });
  expect(await ann.must(["collect", parts.id])).toBe("made with stock tools");
}, 30_000);

test("the lines for fields ask for them, hand them in and take one of them", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  const environment = Object.entries(ann.env).map(([name, value]) => `export ${name}='${value}'\n`);
  const run = (lines: string) => paste(`${environment.join("")}PATH="$PWD/dist:$PATH"\n${lines}`, ann.home);
  const lineWith = (text: string) =>
    manualBlock("ask", text)
      .split("\n")
      .find((line) => line.includes(text)) ?? "";
  const link = () => readFileSync(join(ann.home, "link.txt"), "utf8");
  const filled = (line: string) => line.replaceAll("req_…", /req_\w+/.exec(link())?.[0] ?? "");
  const asking = manualBlock("ask", "--template login");
  const asked = await run(withExecutable(`${asking}\necho "$LINK" > link.txt`));
  expect({ exitCode: asked.exitCode, links: asked.stdout.match(/\/r\/req_/g)?.length }).toEqual({
    exitCode: 0,
    links: 2,
  });
  for (const [name, value] of Object.entries({ user: "app", password: "correct horse", host: "db.example" })) {
    await Bun.write(join(ann.home, `${name}.txt`), `${value}\n`);
  }
  const byFile = `${lineWith("--field-file")} --field-file host=host.txt`;
  expect(await run(byFile)).toMatchObject({ exitCode: 0 });
  const taken = `${filled(lineWith("collect req_… --field"))}\nprintf %s "$PASSWORD"`;
  expect(await run(taken)).toMatchObject({ exitCode: 0, stdout: "correct horse" });
  const byJson = `handoff request --template login > link.txt\n${lineWith('echo \'{"user"')}`;
  expect(await run(byJson)).toMatchObject({ exitCode: 0 });
  const command = filled(lineWith("#password")).replace("-- psql", `-- sh -c 'echo "$PGUSER $PGPASSWORD"'`);
  expect(await run(command)).toMatchObject({ exitCode: 0, stdout: "app correct horse\n" });
}, 30_000);

test("the lines for chosen people send to them, and ask them", async () => {
  await using mailServer = await openMailServer();
  const smtp = ["--smtp-url", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "handoff@mail.test"];
  await using place = await openPlace(smtp);
  const ann = await place.member("ann", ["secrets:create", "requests:create"]);
  const environment = Object.entries(ann.env).map(([name, value]) => `export ${name}='${value}'\n`);
  const asking = manualBlock("ask", "--for").split("\n");
  const lines = [manualBlock("send", "--for"), ...asking.filter((line) => line.includes("--for"))].join("\n");
  const { exitCode, stdout, stderr } = await paste(`${environment.join("")}${withExecutable(lines)}`, ann.home);
  expect({ exitCode, links: stdout.match(/\/(s\/sec|r\/req)_/g) }).toEqual({
    exitCode: 0,
    links: ["/s/sec_", "/r/req_"],
  });
  expect(stderr).toContain("The secret can be opened once by ann@example.com, *@example.org until ");
  expect(stderr).toContain("One secret can be handed in by ann@example.com through this link until ");
});

test("the list of settings matches the program's", () => {
  expect(withSettingsList(manualText("settings"))).toBe(manualText("settings"));
});

test("the lines for webhooks create three, and test, list, pause and change one", async () => {
  using folder = temporaryFolder();
  await using receiver = openReceiver();
  const [executable = ""] = handoffCommand();
  const block = manualBlock("webhooks", "webhook create");
  const list = "handoff admin webhook list";
  expect(block).toContain(list);
  const lines = block
    .replace("https://hooks.example/handoff", `'${receiver.url}'`)
    .replace(list, `ID=$(handoff admin webhook list --json | grep -o 'whk_[0-9a-v]*' | head -n 1); ${list}`)
    .replaceAll("whk_…", '"$ID"');
  const { exitCode, stdout, stderr } = await paste(
    `export HANDOFF_DATA_DIR=.data; handoff() { '${executable}' "$@"; }
    handoff admin team create platform
    echo '${receiver.url}' | tee chat-url.txt > ntfy-url.txt
    ${lines}`,
    folder.path,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("Paused whk_") });
  expect(stdout).toMatch(/^127\.0\.0\.1:\d+ answered 200 /m);
  expect(receiver.calls.map(({ body }) => JSON.parse(body).type)).toEqual(["webhook.test"]);
  const secret = join(folder.path, "whsec.txt");
  expect(readFileSync(secret, "utf8")).toMatch(/^whsec_\S+\n$/);
  expect(statSync(secret).mode & 0o777).toBe(0o600);
});

test("an agent set up as the manual says asks, a person answers on the page, and a command runs", async () => {
  await using place = await openPlace();
  await using browser = await startBrowser();
  const ann = place.person("ann");
  const data = { HANDOFF_DATA_DIR: join(place.folder, "data") };
  await ann.must(["admin", "team", "create", "platform"], { env: data });
  const mint = manualBlock("agents", "admin key create");
  const [executable = ""] = handoffCommand();
  const minted = await paste(
    `export HANDOFF_DATA_DIR=${data.HANDOFF_DATA_DIR}; handoff() { '${executable}' "$@"; }\n${mint}`,
    ann.home,
  );
  expect(minted.exitCode).toBe(0);
  const config = manualBlock("agents", "mcpServers", "json");
  const { command, args, env } = JSON.parse(config.replaceAll("/home/ann", ann.home)).mcpServers.handoff;
  expect(command).toEndWith("/handoff");
  mkdirSync(join(ann.home, "project"));
  await using agent = await startAgent(ann, args.slice(1), { ...env, HANDOFF_URL: place.server.url });
  expect((await agent.client.listTools()).tools).toHaveLength(9);
  const { url, id } = await agent.must("request_secret", { note: "the staging password" });
  const { page } = await browser.open();
  await page.goto(url);
  await page.getByText("the staging password").waitFor();
  await page.getByLabel("What you hand in").fill("typed-by-a-person");
  await page.getByRole("button", { name: "Hand in" }).click();
  await page.getByText("Handed in").first().waitFor();
  await agent.must("wait_for_submission", { request_id: id });
  const deploy = { env: { PASSWORD: `request:${id}` }, command: ["sh", "-c", 'printf %s "$PASSWORD" > deployed'] };
  expect(await agent.must("run_with_secret", deploy)).toMatchObject({ exit_code: 0 });
  expect(readFileSync(join(ann.home, "project/deployed"), "utf8")).toBe("typed-by-a-person");
  expect(agent.traffic()).not.toContain("typed-by-a-person");
}, 240_000);
