import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { complaint, linkOn, openSignedIn, press, secretField, seeTitle } from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

for (const { path, make, done } of [
  { path: "/", make: "Create link", done: "Your link is ready" },
  { path: "/ask", make: "Create request link", done: "Your request link is ready" },
]) {
  test(`the page at ${path} offers what the rules allow, and wants the ticket that the team asks for`, async () => {
    await using place = await openPlace();
    const rules = ["--max-expires", "2d", "--max-claims", "2", "--require-reference"];
    await place.admin("team", "rules", place.team, ...rules);
    const visit = await openSignedIn(browser, place, "ann");
    const { page } = visit;
    await page.goto(`${place.server.url}${path}`);
    if (path === "/") await secretField(page).fill("hunter2");
    // The options are open from the start, because something has to be filled in there.
    const ticket = page.getByLabel("Ticket", { exact: true });
    await ticket.waitFor();
    await page.getByText("Your team asks for a ticket. Such as OPS-4711.").waitFor();
    const terms = ["1 hour", "1 day", "2 days", "Other…", path === "/" ? "Once" : "1", "Other…"];
    const approvers = path === "/" ? ["Nobody", "Ask me first", "Somebody else of the team"] : [];
    if (path === "/") await page.getByText("Who has to agree?").waitFor();
    const choices = [...terms, ...approvers];
    expect(await page.locator(".options .choice").allTextContents()).toEqual(choices);
    await page.getByText("Your team allows 2 days at most.").waitFor();
    await page.getByText("Your team allows 2 at most.").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await press(page, make);
    await complaint(page, "Your team asks for a ticket, such as OPS-4711.");
    await ticket.fill("4711");
    await press(page, make);
    await complaint(page, "Your team asks for a ticket, such as OPS-4711.");
    await ticket.fill("OPS-1");
    await press(page, make);
    await seeTitle(page, done);
  });
}

test("a rule that is newer than the page is explained, and what was typed stays", async () => {
  await using place = await openPlace();
  const visit = await openSignedIn(browser, place, "ann");
  const { page } = visit;
  await page.goto(place.server.url);
  await secretField(page).fill("hunter2");
  await place.admin("team", "rules", place.team, "--max-expires", "1d");
  await press(page, "Create link");
  await complaint(page, "Your team's rules don't allow this. Change the options, or ask your admin.");
  expect(await secretField(page).inputValue()).toBe("hunter2");
  await place.admin("team", "rules", place.team, "--lift", "all");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  expect(await linkOn(page)).toContain("/s/sec_");
});
