import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { withSettingsTable } from "../../scripts/settings-table.ts";
import { openWithPassphrase } from "../../src/crypto/envelopes.ts";
import { startAgent } from "../support/agents.ts";
import { startBrowser } from "../support/browsers.ts";
import { handoffCommand } from "../support/executable.ts";
import { openPlace } from "../support/people.ts";
import { blocksUnder } from "../support/readme-blocks.ts";
import { openReceiver } from "../support/receivers.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = join(import.meta.dir, "../..");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

/** The shell lines of the README under `heading`, one text for each block. */
function shellBlocks(heading: string): string[] {
  const section = readme.split(/^## /m).find((each) => each.startsWith(heading)) ?? "";
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map((match) => match[1] ?? "");
}

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

test("the lines of 'The first minute' send a secret and open it once", async () => {
  using folder = temporaryFolder();
  const [executable = ""] = handoffCommand();
  await using server = await startProgram([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data-dir",
    join(folder.path, ".data"),
  ]);
  const [lines = ""] = shellBlocks("The first minute");
  expect(lines).toContain("http://127.0.0.1:8080");
  const { exitCode, stdout, stderr } = await paste(
    [`mkdir dist; ln -s '${executable}' dist/handoff`, lines.replace("http://127.0.0.1:8080", server.url)].join("\n"),
    folder.path,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: expect.stringMatching(/^my secret\n$/m) });
  expect(stderr).toContain("opened");
});

test("the lines of 'Try it' do what they say, with curl and with age", async () => {
  using folder = temporaryFolder();
  const [executable = ""] = handoffCommand();
  await using server = await startProgram([
    "serve",
    "--listen",
    "127.0.0.1:0",
    "--data-dir",
    join(folder.path, ".data"),
  ]);
  const [first = "", second = ""] = shellBlocks("Try it");
  const lines = [
    `mkdir dist; ln -s '${executable}' dist/handoff`,
    first.replace(/^scripts\/build .*$/m, "").replace(/^URL=.*$/m, `URL=${server.url}`),
    "printf 'a secret of this test' > secret.txt; age-keygen -o identity.txt 2> /dev/null",
    "PUBLIC=$(age-keygen -y identity.txt); echo",
    second,
  ].join("\n");
  const { exitCode, stdout, stderr } = await paste(lines, folder.path);
  expect({ exitCode, stderr: stderr.replace(/^(Created|Minted|It may|Keep).*\n/gm, "") }).toEqual({
    exitCode: 0,
    stderr: "",
  });
  expect(stdout).toContain('"state":"available"');
  expect(stdout).toContain('"envelope":{"version":1,"ciphertext":"fake-local-test-only"}');
  expect(stdout).toContain('"code":"secret_claimed"');
  expect(stdout).toContain('"code":"insufficient_scope"');
  expect(stdout).toEndWith("a secret of this test");
});

test("the lines of 'With stock tools' get the age file of a link", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const [block = ""] = shellBlocks("On the command line").filter((each) => each.includes("secret.age"));
  const lines = `export ${Object.entries(ann.env)
    .map(([name, value]) => `${name}='${value}'`)
    .join(" ")}
    mkdir bin; ln -s '${handoffCommand()[0]}' bin/handoff; PATH="$PWD/bin:$PATH"
    ${block.replace(/^age -d .*$/m, "part age_passphrase")}`;
  const { exitCode, stdout } = await paste(lines, ann.home);
  expect(exitCode).toBe(0);
  const file = readFileSync(join(ann.home, "secret.age"));
  const passphrase = stdout.trim().split("\n").at(-1) ?? "";
  const payload = await openWithPassphrase({ version: 1, ciphertext: file.toString("base64url") }, passphrase);
  expect(new TextDecoder().decode(payload)).toBe("for stock tools\n");
});

test("the lines of 'With curl and age' hand in, and refuse a recipient that the link does not name", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["requests:create", "requests:read", "secrets:claim"]);
  const [ask = "", answer = ""] = shellBlocks("Asking for a secret").filter((each) =>
    /--compat|SUBMIT_TOKEN/.test(each),
  );
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

test("the table of settings matches the program's", () => {
  expect(unpadded(withSettingsTable(readme))).toBe(unpadded(readme));
});

// The formatter pads the columns of tables.
function unpadded(text: string): string {
  return text.replace(/ +\|/g, " |").replace(/-{3,}/g, "---");
}

test("the lines of 'Webhooks' create three, and test, list, pause and change one", async () => {
  using folder = temporaryFolder();
  await using receiver = openReceiver();
  const [executable = ""] = handoffCommand();
  const [block = ""] = blocksUnder("Webhooks");
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

test("an agent set up as under 'For agents' asks, a person answers on the page, and a command runs", async () => {
  await using place = await openPlace();
  await using browser = await startBrowser();
  const ann = place.person("ann");
  const data = { HANDOFF_DATA_DIR: join(place.folder, "data") };
  await ann.must(["admin", "team", "create", "platform"], { env: data });
  const [mint = ""] = shellBlocks("For agents");
  const [executable = ""] = handoffCommand();
  const minted = await paste(
    `export HANDOFF_DATA_DIR=${data.HANDOFF_DATA_DIR}; handoff() { '${executable}' "$@"; }\n${mint}`,
    ann.home,
  );
  expect(minted.exitCode).toBe(0);
  const [config = ""] = /^\{\n {2}"mcpServers".*?^\}/ms.exec(readme) ?? [];
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
