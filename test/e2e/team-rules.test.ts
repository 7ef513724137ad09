import { expect, test } from "bun:test";
import { shareServer } from "../support/people.ts";

const openPlace = shareServer();

test("a sender is refused by each rule of the team in words that say what to do, and then sends", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["all"]);
  const ids = async () => JSON.parse(await ann.must(["list", "--json"])).length;
  const refused = async (text: string, ...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await ann.run(args, { stdin: "hunter2" });
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 1, stdout: "", stderr: `handoff: ${text}\n` });
  };
  await place.admin("team", "rules", place.team, "--max-expires", "1d", "--max-claims", "2", "--require-reference");
  const shown = "'handoff whoami' shows the rules.";
  const long = `Your team's rules don't allow such a long lifetime. Use a shorter --expires. ${shown}`;
  const often = `Your team's rules don't allow a link to be used so often. Use a smaller number. ${shown}`;
  const ticket = "Your team's rules ask for a ticket. Add --reference with the ticket that it is about.";
  await refused(long, "send", "--expires", "2d", "--reference", "OPS-1");
  await refused(often, "send", "--claims", "3", "--reference", "OPS-1");
  await refused(ticket, "send");
  await refused(long, "request", "--expires", "2d", "--reference", "OPS-1");
  await refused(often, "request", "--submissions", "3", "--reference", "OPS-1");
  await refused(ticket, "request");
  expect(await ids()).toBe(0);
  expect(await ann.must(["whoami"])).toMatch(/\nteam rules +max-expires 1d, max-claims 2, require-reference(\n|$)/);
  expect(JSON.parse(await ann.must(["whoami", "--json"])).rules).toMatchObject({ max_expires: 86_400, max_claims: 2 });

  const sent = JSON.parse(await ann.must(["send", "--json", "--reference", "OPS-1"], { stdin: "hunter2" }));
  expect(Date.parse(sent.expires_at) - Date.now()).toBeLessThan(86_400_001);
  await refused(long, "extend", sent.id, "--expires", "2d");
  await refused(often, "extend", sent.id, "--claims", "3");
  await ann.must(["extend", sent.id, "--claims", "2"]);
  await ann.must(["request", "--reference", "OPS-1"]);

  await place.admin("team", "rules", place.team, "--lift", "all", "--require-for");
  await refused(
    "Your team's rules ask you to choose who may use the link. Add --for with the address of a person who may use it.",
    "send",
  );
  await place.admin("team", "rules", place.team, "--lift", "all");
  await ann.must(["send"], { stdin: "hunter2" });
  expect(await ann.must(["whoami"])).not.toContain("rules");
});
