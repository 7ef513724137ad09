import { afterEach, expect, test } from "bun:test";
import { run } from "../../src/cli/run.ts";
import { CommandError } from "../../src/cli/terminal/terminal.ts";
import { SCOPES } from "../../src/contract/scopes.ts";
import { keepPasskey } from "../support/kept-passkeys.ts";
import { openStorage } from "../support/open-storage.ts";
import type { TestStorage } from "../support/storages.ts";
import { createTestTerminal, runHere } from "../support/terminals.ts";

const URL_OPTION = ["--team", "ops", "--base-url", "https://handoff.example"];

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

async function adminWithTeam(storage: TestStorage) {
  const env = { ...storage.env, HOME: "/nonexistent" };
  const admin = (...args: string[]) => runHere(["admin", ...args], env);
  await admin("team", "create", "ops");
  return { admin, env };
}

test("several people are added at once with their names, and each line has an address and its link", async () => {
  await using storage = await openStorage();
  const { admin } = await adminWithTeam(storage);
  const guests = ["Ann Lee <ann@example.com>", "山田 太郎 <taro@example.com>", "bob@example.com"];
  const { exitCode, stdout, stderr } = await admin("person", "add", ...guests, ...URL_OPTION);
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split("\t")[0])).toEqual(["ann@example.com", "taro@example.com", "bob@example.com"]);
  for (const line of lines) expect(line).toMatch(/\thttps:\/\/handoff\.example\/sign-in#hut_\w{38}$/);
  expect(new Set(lines.map((line) => line.split("#")[1])).size).toBe(3);
  expect(stderr).toContain("Give each person their link");
  const people = JSON.parse((await admin("person", "list", "--json")).stdout);
  expect(people.map(({ name }: { name: string }) => name)).toEqual(["Ann Lee", "山田 太郎", null]);
  const again = await admin("person", "add", ...guests, ...URL_OPTION, "--json");
  expect(JSON.parse(again.stdout)).toHaveLength(3);
  const one = await admin("person", "add", "Ann M. Lee <ann@example.com>", ...URL_OPTION);
  expect(one.stdout).toMatch(/^https:\/\/handoff\.example\/sign-in#hut_\w{38}\n$/);
  expect((await admin("person", "list")).stdout).toContain("Ann M. Lee");
});

test("a person may do what '--scope' says, from the first link on, and otherwise after another", async () => {
  await using storage = await openStorage();
  const { admin } = await adminWithTeam(storage);
  const show = async () => JSON.parse((await admin("person", "show", "ann@example.com", "--json")).stdout);
  await admin("person", "add", "ann@example.com", ...URL_OPTION);
  expect((await show()).scopes).toEqual([...SCOPES]);
  await admin("person", "add", "ann@example.com", ...URL_OPTION, "--scope", "secrets:create,secrets:read");
  expect((await show()).scopes).toEqual(["secrets:create", "secrets:read"]);
  // A link alone takes nothing away.
  await admin("person", "add", "ann@example.com", ...URL_OPTION);
  expect((await show()).scopes).toEqual(["secrets:create", "secrets:read"]);
  const { stdout } = await admin("person", "show", "ann@example.com");
  expect(stdout).toMatch(/\naddress +ann@example\.com\n/);
  expect(stdout).toMatch(/\nmay +secrets:create secrets:read\n/);
  expect(stdout).toEndWith("\nSigned in nowhere.\n\nNo passkeys.\n");
  const log = (await admin("log", "--json")).stdout;
  expect(log).toContain('"identity.scopes_changed"');
  const wrong = await admin("person", "add", "bob@example.com", ...URL_OPTION, "--scope", "everything");
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  const unknown = await admin("person", "passkey", "remove", "ann@example.com", "psk_069q6gv7k1rqf8a0c2m4e6g8io");
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain(
    "has no passkey 'psk_069q6gv7k1rqf8a0c2m4e6g8io'; 'handoff admin person show' lists them",
  );
});

test("an address is the same person in upper and lower case, as where they sign in", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  await admin("person", "add", "Dot@Example.com", ...URL_OPTION);
  await admin("person", "add", "dot@example.com", ...URL_OPTION, "--name", "Dot");
  const people = async () =>
    JSON.parse((await admin("person", "list", "--json")).stdout).map(
      (each: { address: string; name: string; removed_at: string | null }) =>
        `${each.address} ${each.name} ${each.removed_at === null ? "active" : "removed"}`,
    );
  expect(await people()).toEqual(["Dot@Example.com Dot active"]);
  const list = JSON.stringify([{ address: "DOT@example.com" }]);
  const { stdout } = await runHere(
    ["admin", "person", "import", "-", "--team", "ops", "--remove-others", "--json"],
    env,
    list,
  );
  expect(JSON.parse(stdout)).toMatchObject([{ address: "Dot@Example.com", change: "unchanged" }]);
  expect((await admin("person", "remove", "dot@example.COM")).stderr).toBe("Removed Dot@Example.com.\n");
  expect(await people()).toEqual(["Dot@Example.com Dot removed"]);
});

test("signing a person out says which passkeys still let them in", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  await admin("person", "add", "ann@example.com", ...URL_OPTION);
  const signOut = async () => (await admin("person", "sign-out", "ann@example.com")).stderr;
  expect(await signOut()).toBe("Signed ann@example.com out everywhere.\n");
  await keepPasskey({ env }, "ann@example.com");
  expect(await signOut()).toMatch(
    /^Signed ann@example\.com out everywhere\.\nA passkey still signs them in: 'handoff admin person show idn_\w+' lists them\.\n$/,
  );
});

test("when one of them is wrong, nobody is added", async () => {
  await using storage = await openStorage();
  const { admin } = await adminWithTeam(storage);
  const wrong = [
    ["ann@example.com", "\u202Ebob@example.com"],
    ["ann@example.com", "\u202EBob <bob@example.com>"],
    ["ann@example.com", "<>"],
    ["ann@example.com", "Ann <ann@example.com>"],
    ["ann@example.com", "bob@example.com", "--name", "Ann"],
  ];
  for (const args of wrong) {
    const { exitCode, stdout } = await admin("person", "add", ...args, ...URL_OPTION);
    expect({ args, failed: exitCode > 0, stdout }).toEqual({ args, failed: true, stdout: "" });
  }
  expect(JSON.parse((await admin("person", "list", "--json")).stdout)).toEqual([]);
  const { stderr } = await admin("person", "add", "ann@example.com", "Cy <cy@>", "bob@example.com", ...URL_OPTION);
  expect(stderr).toStartWith("handoff: 'Cy <cy@>' is not an address for a person: ");
});

test("a link that can't be printed is ended, and who comes after it isn't added", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  const terminal = createTestTerminal({ env });
  let printed = 0;
  const out = () => {
    if (++printed === 2) throw new CommandError("standard output is full");
  };
  const args = ["admin", "person", "add", "ann@example.com", "bob@example.com", "cy@example.com", ...URL_OPTION];
  expect(await run(args, { ...terminal, out })).toBe(1);
  expect(terminal.said.join("\n")).toContain("earlier links for bob@example.com with it");
  printed = 1;
  const asJson = createTestTerminal({ env });
  expect(await run([...args, "--json"], { ...asJson, out })).toBe(1);
  expect(asJson.said.join("\n")).toContain(
    "earlier links for ann@example.com, bob@example.com, cy@example.com with them",
  );
  const { stdout } = await admin("log", "--after", "1", "--limit", "9");
  expect(stdout.match(/person\.\w+ +\w+/g)?.map((text) => text.replace(/ +/, " "))).toEqual([
    ..."person.invited ann,person.invited bob,person.invitation_withdrawn bob".split(","),
    ...["ann", "bob", "cy"].map((name) => `person.invited ${name}`),
    ...["ann", "bob", "cy"].map((name) => `person.invitation_withdrawn ${name}`),
  ]);
});

test("where the settings name no host, nobody is added with a link that leads nowhere", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  const add = ["admin", "person", "add", "ann@example.com", "--team", "ops"];
  for (const listen of ["unix:/run/handoff/socket", ":8080"]) {
    const { exitCode, stdout, stderr } = await runHere(add, { ...env, HANDOFF_LISTEN: listen });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`HANDOFF_LISTEN, which is '${listen}', names no host. Give --base-url.`);
  }
  expect(JSON.parse((await admin("person", "list", "--json")).stdout)).toEqual([]);
  const added = await runHere(add, { ...env, HANDOFF_LISTEN: "[::1]:8080" });
  expect(added.stdout).toStartWith("http://[::1]:8080/sign-in#");
});

test("a list adds, restores and changes people, and removes the others only when asked", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  await admin("person", "add", "gone@example.com", ...URL_OPTION);
  await admin("person", "remove", "gone@example.com");
  const importing = async (list: unknown, ...more: string[]) => {
    const args = ["admin", "person", "import", "-", "--team", "ops", "--json", ...more];
    const { exitCode, stdout, stderr } = await runHere(args, env, JSON.stringify(list));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    return (JSON.parse(stdout) as { change: string; address: string }[]).map(
      (each) => `${each.change} ${each.address}`,
    );
  };
  const list = [
    { address: "ann@example.com", name: "Ann Lee" },
    { address: "gone@example.com", name: null, scopes: ["secrets:create"] },
  ];
  expect(await importing(list)).toEqual(["added ann@example.com", "restored gone@example.com"]);
  expect(await importing(list)).toEqual(["unchanged ann@example.com", "unchanged gone@example.com"]);
  const [ann] = list;
  expect(await importing([{ ...ann, scopes: ["secrets:read"] }])).toEqual(["changed ann@example.com"]);
  expect(await importing([{ address: "ann@example.com" }])).toEqual(["unchanged ann@example.com"]);
  const shown = JSON.parse((await admin("person", "show", "ann@example.com", "--json")).stdout);
  expect(shown).toMatchObject({ name: "Ann Lee", scopes: ["secrets:read"], removed_at: null });
  expect(await importing([{ address: "bob@example.com" }], "--remove-others")).toEqual([
    "added bob@example.com",
    "removed gone@example.com",
    "removed ann@example.com",
  ]);
  const { stdout: log } = await admin("log", "--json");
  expect(log.match(/"person\.(imported|removed)"/g)).toHaveLength(7);
});

test("a list says which person no mail reaches, and takes them", async () => {
  await using storage = await openStorage();
  const { env } = await adminWithTeam(storage);
  const list = JSON.stringify([{ address: "ann@example.com" }, { address: "bob" }]);
  const { exitCode, stdout, stderr } = await runHere(["admin", "person", "import", "-", "--team", "ops"], env, list);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/added +bob/) });
  expect(stderr).toBe("Warning: Person 2 of the list has an address without @, so no mail reaches them: bob.\n");
});

test("a list with a mistake changes nobody, and says where it is", async () => {
  await using storage = await openStorage();
  const { admin, env } = await adminWithTeam(storage);
  await admin("key", "create", "--team", "ops", "--identity", "robot", "--scope", "all");
  const good = { address: "ann@example.com" };
  const wrong: readonly (readonly [text: string, complaint: string])[] = [
    ["nope", "The list isn't JSON"],
    ["{}", "The list isn't an array."],
    [
      JSON.stringify([good, { address: "bob@example.com", scope: ["all"] }]),
      "Person 2 of the list has an unknown member 'scope'",
    ],
    [
      JSON.stringify([good, { address: "bob@example.com", scopes: ["all"] }]),
      "Person 2 of the list has scopes that aren't known",
    ],
    [
      JSON.stringify([good, { address: "bob@example.com", scopes: [] }]),
      "Person 2 of the list has scopes that aren't known",
    ],
    [JSON.stringify([good, null]), "Person 2 of the list isn't an object"],
    [JSON.stringify([good, { name: "Bob" }]), "Person 2 of the list has no address"],
    [JSON.stringify([good, { address: "bob@example.com", name: 7 }]), "Person 2 of the list has a name that isn't"],
    [JSON.stringify([good, { address: "bob@" }]), "person 2 of the list is not an address"],
    [JSON.stringify([good, { address: "bob@example.com", name: "\u202e" }]), "person 2 of the list is not a name"],
    [JSON.stringify([good, { address: "Ann@example.com" }]), "person 2 of the list is in it twice: Ann@example.com"],
    [JSON.stringify([good, { address: "robot" }]), "person 2 of the list has the name of an automation: robot"],
    ["[]", "the list is empty: that would remove everybody"],
  ];
  for (const [text, complaint] of wrong) {
    const args = ["admin", "person", "import", "-", "--team", "ops", "--remove-others"];
    const { exitCode, stdout, stderr } = await runHere(args, env, text);
    expect({ text, failed: exitCode > 0, stdout }).toEqual({ text, failed: true, stdout: "" });
    expect(stderr).toContain(complaint);
  }
  expect(JSON.parse((await admin("person", "list", "--json")).stdout)).toEqual([]);
});
