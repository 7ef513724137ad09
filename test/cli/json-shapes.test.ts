import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { runHere } from "../support/terminals.ts";

const readme = readFileSync(join(import.meta.dir, "../../README.md"), "utf8");

/** The members that the README promises of each command, in the order of their names. */
function promisedShapes(): Map<string, { readonly isList: boolean; readonly members: string[] }> {
  const section = readme.split(/^### /m).find((each) => each.startsWith("What --json prints\n")) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.flatMap((row) => {
      const [, commands = "", kind = "", members = ""] = row.split("|").map((cell) => cell.trim());
      const shape = { isList: kind === "array", members: namesIn(members) };
      return namesIn(commands).map((command) => [command, shape] as const);
    }),
  );
}

const namesIn = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name).toSorted();

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("what each command prints with --json has the members that the README says, and no others", async () => {
  using folder = temporaryFolder();
  await using server = await startTestServer();
  const data = server.backend.folder;
  const base = { HOME: folder.path, XDG_STATE_HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_DATA_DIR: data };
  const promised = promisedShapes();
  const seen = new Set<string>();
  let token = "";
  const json = async (command: string, args = "", { stdin = "", env = {} } = {}) => {
    const line = `${command} ${args}`.trim();
    const { exitCode, stdout, stderr } = await runHere(
      [...line.split(" "), "--json"],
      { ...base, ...(token && { HANDOFF_API_KEY: token }), ...env },
      stdin,
    );
    // It says with its exit code whether something needs a look.
    const isFine = exitCode === 0 || (command === "admin check" && exitCode === 1);
    expect({ line, isFine, stderr: isFine ? "" : stderr }).toEqual({ line, isFine: true, stderr: "" });
    const parsed = JSON.parse(stdout.split("\n")[0] ?? "");
    const shape = promised.get(command);
    const [first] = shape?.isList ? parsed : [parsed];
    expect({ command, members: Object.keys(first ?? {}).toSorted() }).toEqual({
      command,
      members: shape?.members ?? [],
    });
    seen.add(command);
    return parsed;
  };
  await json("admin team create", "ops");
  await json("admin team rename", "ops web");
  await json("admin team quota", "web 20GiB");
  await json("admin team list");
  await json("admin team show", "web");
  const minted = await json("admin key create", "--team web --identity ci --scope all");
  ({ token } = minted);
  const rotated = await json("admin key rotate", minted.id);
  ({ token } = rotated);
  await json("admin key list");
  await json("admin key show", minted.id);
  await json("admin key revoke", minted.id);
  await json("admin identity list");
  await json("admin identity rename", "ci deploy");
  await json("admin identity scopes", "deploy --scope all");
  await json("admin person add", "ann@example.com --team web");
  await json("admin person list");
  await json("admin person sign-out", "ann@example.com");
  await json("admin person remove", "ann@example.com");
  const sent = await json("send", "", { stdin: "fake-local-test-only" });
  await json("status", sent.id);
  await json("list");
  await json("revoke", sent.id);
  const asked = await json("request");
  await json("link", "", { stdin: sent.url });
  await json("submit", (await json("request")).url, { stdin: "handed in" });
  await json("config");
  await json("admin check");
  await json("collect");
  await json("whoami");
  await json("login", `--url ${server.url}`, { stdin: token });
  await json("version");
  await json("admin secret list");
  await json("admin secret revoke", (await json("send", "", { stdin: "another" })).id);
  await json("admin request list");
  await json("admin request revoke", asked.id);
  await json("admin stats");
  await json("admin log");
  await json("admin backup", join(folder.path, "one.backup"));
  const env = { HANDOFF_DATA_DIR: join(folder.path, "back") };
  await json("admin restore", join(folder.path, "one.backup"), { env });
  await json("admin identity disable", "deploy");
  await json("admin identity enable", "deploy");
  await json("admin identity delete", "deploy --yes");
  await json("admin team delete", "web --force --yes");
  expect([...seen].toSorted()).toEqual([...promised.keys()].toSorted());
}, 60_000);
