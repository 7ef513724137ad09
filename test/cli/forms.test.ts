import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { createTestTerminal } from "../support/terminals.ts";
import type { TestTerminalOptions } from "../support/terminals.ts";

/** Somebody who asked for a secret with these arguments. */
async function openAsked(...args: readonly string[]) {
  const folder = temporaryFolder();
  const server = await startTestServer();
  const { token } = await server.backend.mint({ team: "ours" });
  const env = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token };
  const call = async (words: readonly string[], options: TestTerminalOptions = {}) => {
    const terminal = createTestTerminal({ ...options, env: { ...env, ...options.env, PATH: process.env["PATH"] } });
    const exitCode = await run(words, terminal);
    return { exitCode, stdout: terminal.output(), stderr: terminal.said.join("\n"), asked: terminal.asked };
  };
  const write = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  const { stdout } = await call(["request", "--json", ...args]);
  const { id, url, fields } = JSON.parse(stdout);
  return {
    id: id as string,
    url: url as string,
    fields: fields as unknown,
    call,
    write,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const LOGIN = ["--template", "login"];
const FILLED = JSON.stringify({ PASSWORD: 's3"\\cret', user: "me" });

test("a form is asked for field by field, hidden where it says so, and collected as lines", async () => {
  await using asked = await openAsked("--note", "For staging", ...LOGIN, "--field", "SSH key:multiline");
  expect(asked.fields).toEqual([
    { name: "user", kind: "text" },
    { name: "password", kind: "password" },
    { name: "SSH key", kind: "multiline" },
  ]);
  const key = asked.write("id", "-----BEGIN\nkey\n-----END\n");
  const isTerminal = { in: true, err: true };
  const answers = ["me", "", "s3cret", key];
  const submitted = await asked.call(["submit", asked.url], { isTerminal, answers });
  expect(submitted).toMatchObject({
    exitCode: 0,
    asked: ["user: ", "password (not shown): [hidden]", "password (not shown): [hidden]", "SSH key (path of a file): "],
  });
  expect(submitted.stderr).toContain("  | For staging");
  expect(submitted.stderr).toContain("The person who asked wants: 'user', 'password', 'SSH key' (several lines).");
  expect(submitted.stderr).not.toContain("handoff form");
  expect(await asked.call(["collect", asked.id])).toMatchObject({
    exitCode: 0,
    stdout: "user: me\npassword: s3cret\nSSH key:\n  -----BEGIN\n  key\n  -----END\n  \n",
    stderr: "",
  });
});

test("a script gives values as JSON or files, and takes one of them, exactly", async () => {
  await using asked = await openAsked(...LOGIN, "--submissions", "2");
  expect(await asked.call(["submit", asked.url], { stdin: FILLED })).toMatchObject({ exitCode: 0 });
  const [password, user] = [asked.write("password", "a: b\r\n"), asked.write("user", "other")];
  const files = ["--field-file", `user=${user}`, "--field-file", `Password=${password}`];
  expect(await asked.call(["submit", asked.url, ...files])).toMatchObject({ exitCode: 0 });
  mkdirSync(join(asked.folder, "out"));
  await asked.call(["collect", asked.id, "--field", "PassWord", "--output", join(asked.folder, "out")]);
  const found = new Bun.Glob("out/*/*").scanSync(asked.folder);
  expect([...found].map((path) => readFileSync(join(asked.folder, path), "utf8")).toSorted()).toEqual([
    "a: b",
    's3"\\cret',
  ]);
});

test("one field is printed alone, or written to a file, and all of them as JSON", async () => {
  for (const [args, stdout, file] of [
    [["--field", "password"], 's3"\\cret', undefined],
    [["--field", "password", "--json"], '{"kind":"text","text":"s3\\"\\\\cret"}\n', undefined],
    [["--json"], '{"kind":"fields","fields":{"user":"me","password":"s3\\"\\\\cret"}}\n', undefined],
    [["--field", "user", "--output", "FILE"], "", "me"],
    [["--output", "FILE"], "", 'user: me\npassword: s3"\\cret\n'],
  ] as const) {
    await using asked = await openAsked(...LOGIN);
    await asked.call(["submit", asked.url], { stdin: FILLED });
    const path = join(asked.folder, "file");
    const words = args.map((each) => (each === "FILE" ? path : each));
    expect(await asked.call(["collect", asked.id, ...words])).toMatchObject({ exitCode: 0, stdout });
    if (file !== undefined) expect(readFileSync(path, "utf8")).toBe(file);
  }
});

test("what is missing or wrong is named before anything is handed in, and no value is repeated", async () => {
  await using asked = await openAsked(...LOGIN, "--field", "SSH key:multiline");
  const [empty, lines] = [asked.write("empty", "\n"), asked.write("lines", "s3cret\ns3cret")];
  const submit = (args: readonly string[], stdin: string) => asked.call(["submit", asked.url, ...args], { stdin });
  for (const [args, stdin, said] of [
    [[], '{"user":"me"}', "Missing: 'password', 'SSH key'."],
    [["--field-file", `password=${empty}`], '{"user":"me","SSH key":"k"}', "Missing: 'password'."],
    [["--field-file", `password=${lines}`], '{"user":"me","SSH key":"k"}', "'password' takes one line only."],
    [[], '{"s3cret":"me"}', "The request asks only for these fields: 'user', 'password', 'SSH key'."],
    [[], '{"user":"me","USER":"s3cret"}', "The value of 'user' is given twice."],
    [[], '{"user":"s3cret","password":"one","user":"two","SSH key":"k"}', "has a name twice."],
    [[], '{"user":"me","password":"one","\\u0070assword":"s3cret","SSH key":"k"}', "has a name twice."],
    [[], '{"user":5,"user":"me"}', "has a name twice."],
    [[], '{"user":5}', "must be a JSON object with a text for each of: 'user', 'password', 'SSH key'."],
    [[], "s3cret", "must be a JSON object with a text for each of: 'user', 'password', 'SSH key'."],
    [[], '["s3cret"]', "must be a JSON object"],
    [["--field-file", "s3cret"], "", "expected NAME=FILE"],
    [[lines], "", "Give no file and no --env"],
    [["--env", "VALUE"], "", "Give no file and no --env"],
  ] as const) {
    const { exitCode, stdout, stderr } = await submit(args, stdin);
    expect({ exitCode, stdout, said, isSaid: stderr.includes(said) }).toEqual({
      exitCode: 2,
      stdout: "",
      said,
      isSaid: true,
    });
    expect(stderr).not.toContain("s3cret");
  }
  expect(await asked.call(["collect", asked.id])).toMatchObject({ exitCode: 7 });
  const plain = JSON.parse((await asked.call(["request", "--json"])).stdout);
  expect(await asked.call(["submit", plain.url, "--field-file", `a=${lines}`])).toMatchObject({ exitCode: 2 });
});

test("a field that isn't asked for, or isn't there, uses nothing up", async () => {
  await using asked = await openAsked(...LOGIN);
  const { url, id } = JSON.parse((await asked.call(["request", "--json"])).stdout);
  await asked.call(["submit", url], { stdin: "handoff fields 1\nuser: me\n" });
  await asked.call(["submit", asked.url], { stdin: FILLED });
  expect(await asked.call(["collect", asked.id, "--field", "host"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`${asked.id} asks for only these fields: 'user', 'password'`),
  });
  expect(await asked.call(["collect", id, "--field", "user"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("asks for no fields"),
  });
  // Text that happens to look like fields stays text where no fields were asked for.
  expect(await asked.call(["collect", id])).toMatchObject({ exitCode: 0, stdout: "handoff fields 1\nuser: me\n" });
  expect(await asked.call(["collect", asked.id])).toMatchObject({ exitCode: 0 });
});

test("what a stranger hands in instead of the form is told apart, and can still be had", async () => {
  for (const [handedIn, args, expected] of [
    ["bare password", [], { exitCode: 0, stdout: "bare password", said: "something else was handed in" }],
    ["bare password", ["--field", "password"], { exitCode: 1, stdout: "", said: "has no fields" }],
    [
      "handoff fields 1\nhost: x\npassword: y\n",
      [],
      { exitCode: 0, stdout: "password: y\nhost: x\n", said: "Nothing was handed in for 'user'." },
    ],
    ["handoff fields 1\nhost: x\n", [], { exitCode: 0, stdout: "host: x\n", said: "not asked for: 'host'." }],
    [
      "handoff fields 1\nhost: x\n",
      ["--field", "user"],
      { exitCode: 1, stdout: "", said: "has other fields: 'host'." },
    ],
    [
      "handoff fields 1\nuser: x\npassword:\n  y\n  z\n",
      [],
      {
        exitCode: 0,
        stdout: "user: x\npassword:\n  y\n  z\n",
        said: "Several lines were handed in for 'password', where one was asked for.",
      },
    ],
    [
      "handoff fields 1\nuser: x\npassword:\n  y\n  z\n",
      ["--field", "password"],
      { exitCode: 0, stdout: "y\nz", said: "Several lines were handed in for 'password', where one was asked for." },
    ],
    ["handoff fields 1\nuser: \u001b[2J\n", ["--field", "user"], { exitCode: 1, stdout: "", said: "has no fields" }],
  ] as const) {
    await using asked = await openAsked(...LOGIN);
    await handInText(asked, handedIn);
    const { exitCode, stdout, stderr } = await asked.call(["collect", asked.id, ...args]);
    expect({ exitCode, stdout, said: stderr.includes(expected.said) ? expected.said : stderr }).toEqual(expected);
    if (exitCode !== 0) expect(await asked.call(["collect", asked.id])).toMatchObject({ exitCode: 0 });
  }
});

test("a terminal shows where a value has characters that nobody sees, and a script gets them", async () => {
  const value = "a\u202eb\u2066c\u200bd\ufeff";
  for (const [args, isOnTerminal, stdout] of [
    [[], true, "user: a\ufffdb\ufffdc\ufffdd\ufffd\npassword: y\n"],
    [["--field", "user"], true, "a\ufffdb\ufffdc\ufffdd\ufffd"],
    [["--field", "user"], false, value],
  ] as const) {
    await using asked = await openAsked(...LOGIN);
    await handInText(asked, `handoff fields 1\nuser: ${value}\npassword: y\n`);
    const isTerminal = { out: isOnTerminal };
    expect(await asked.call(["collect", asked.id, ...args], { isTerminal })).toMatchObject({ exitCode: 0, stdout });
  }
});

test("a command gets one field of what was handed in in each variable, and claims it once", async () => {
  await using asked = await openAsked(...LOGIN);
  await asked.call(["submit", asked.url], { stdin: FILLED });
  const output = join(asked.folder, "printed");
  const variable = (name: string, field: string) => ["--env", `${name}=request:${asked.id}#${field}`];
  const command = ["sh", "-c", 'printf "%s %s" "$DB_USER" "$DB_PASSWORD" > "$0"', output];
  expect(
    await asked.call(["run", ...variable("DB_USER", "user"), ...variable("DB_PASSWORD", "host"), "--", ...command]),
  ).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("asks for only these fields: 'user', 'password'") });
  expect(
    await asked.call(["run", ...variable("DB_USER", "user"), ...variable("DB_PASSWORD", "password"), "--", ...command]),
  ).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readFileSync(output, "utf8")).toBe('me s3"\\cret');
});

test("a variable takes no whole form: the error names its fields, and nothing is lost", async () => {
  await using asked = await openAsked(...LOGIN);
  await asked.call(["submit", asked.url], { stdin: FILLED });
  const output = join(asked.folder, "printed");
  const runWith = (source: string) =>
    asked.call(["run", "--env", `SECRET=${source}`, "--", "sh", "-c", 'printf %s "$SECRET" > "$0"', output]);
  expect(await runWith(`request:${asked.id}`)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      `asks for these fields: 'user', 'password'. Name the one for SECRET, as in --env 'SECRET=request:${asked.id}#user'.`,
    ),
  });
  expect((await asked.call(["collect"])).stdout).toMatch(/ 1 /);
  // Of a backup link it isn't known what was asked for.
  const [kept = ""] = [...new Bun.Glob("handoff/requests/req_*").scanSync(asked.folder)];
  const { form, ...rest } = JSON.parse(readFileSync(join(asked.folder, kept), "utf8"));
  expect(form).toStartWith("handoff form 1");
  writeFileSync(join(asked.folder, kept), JSON.stringify(rest));
  expect(await runWith(`request:${asked.id}`)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      "What was handed in has these fields: 'user', 'password'. Run the same command with one of them, within a day",
    ),
  });
  expect(existsSync(output)).toBe(false);
  expect(await runWith(`request:${asked.id}#password`)).toMatchObject({ exitCode: 0 });
  expect(readFileSync(output, "utf8")).toBe('s3"\\cret');
});

test("a command is given what was handed in without fields only where none were asked for", async () => {
  await using asked = await openAsked(...LOGIN);
  await handInText(asked, "bare password");
  const runWith = (source: string) => asked.call(["run", "--env", `SECRET=${source}`, "--", "true"]);
  expect(await runWith(`request:${asked.id}#password`)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/has no fields\. Collect it with 'handoff collect', within a day/),
  });
  expect(await asked.call(["collect", asked.id])).toMatchObject({ exitCode: 0, stdout: "bare password" });
  const { url, id } = JSON.parse((await asked.call(["request", "--json"])).stdout);
  await asked.call(["submit", url], { stdin: "handoff fields 1\nuser: me\n" });
  expect(await runWith(`request:${id}`)).toMatchObject({ exitCode: 0 });
});

test("a form that can't be one makes no request", async () => {
  await using asked = await openAsked();
  for (const args of [
    ["--field", "a:b"],
    ["--field", "user", "--field", "User"],
    ["--field", "password", ...LOGIN],
    ["--template", "passport"],
    Array.from({ length: 21 }, (_, n) => ["--field", `f${n}`]).flat(),
  ]) {
    expect(await asked.call(["request", ...args])).toMatchObject({ exitCode: 2, stdout: "" });
  }
});

/** Hands a text in as a client of before does, which knows no forms. */
async function handInText(asked: Awaited<ReturnType<typeof openAsked>>, text: string): Promise<void> {
  const { submit } = await import("../../src/client/package/handoff-client.ts");
  await submit(asked.url, text);
}
