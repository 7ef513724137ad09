import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { findViolations } from "../support/accessibility.ts";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import {
  answer,
  complaint,
  itemRow,
  linkOn,
  openAs,
  openDetails,
  press,
  row,
  secretField,
  seeScreen,
  seeTitle,
} from "../support/page-visits.ts";
import { shareServer } from "../support/people.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());
const openPlace = shareServer();

const ticketField = (page: Page) => page.getByLabel("Ticket (optional)");
const openOptions = (page: Page) => page.getByText("Opens once · 7 days · no passphrase").click();

async function send(page: Page, url: string, { ticket = "", label = "" }): Promise<string> {
  await page.goto(url);
  await secretField(page).fill("hunter2");
  await openOptions(page);
  await ticketField(page).fill(ticket);
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  if (label !== "") {
    await page.getByLabel("What is it?").fill(label);
    await press(page, "Save");
    await page.getByRole("button", { name: "Saved" }).waitFor();
  }
  return linkOn(page);
}

/** Waits until the list has so many rows, and looks that it has no more. */
async function seeRows(page: Page, count: number): Promise<void> {
  const rows = page.locator("main a.row");
  await rows.nth(count - 1).waitFor();
  expect(await rows.count()).toBe(count);
}

/** The bodies and addresses of all calls of a page. */
function listen(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (each) => sent.push(`${each.method()} ${each.url()} ${each.postData() ?? ""}`));
  return sent;
}

test("the team sees a ticket, the private name is never sent, and the link's holder sees neither", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const sent = listen(page);
  expect(await ticketField(page).isVisible()).toBe(false);
  const link = await send(page, place.server.url, { ticket: " OPS-4711 ", label: "router, for Ann" });
  await seeScreen(visit, "Your link is ready");
  await page.getByText("Ticket OPS-4711").waitFor();
  await page.getByText("Your team can see it. People with only the link can't.").waitFor();
  const creation = sent.find((each) => each.startsWith("POST") && each.includes("/app/secrets"));
  expect(creation).toContain("reference=OPS-4711");
  expect(sent.filter((each) => each.includes("router"))).toEqual([]);
  // The next one begins without a ticket.
  await press(page, "Send another");
  await answer(page, "Leave");
  await page.getByText("Opens once · 7 days · no passphrase").click();
  expect(await ticketField(page).inputValue()).toBe("");

  const recipient = await browser.open();
  await recipient.page.goto(link);
  await recipient.page.getByRole("button", { name: "Open secret" }).waitFor();
  expect(await recipient.page.locator("body").innerText()).not.toMatch(/OPS|router/);
  const listed = await place.admin("secret", "list", "--json", "--team", place.team);
  expect(JSON.parse(listed)).toMatchObject([{ reference: "OPS-4711" }]);
});

test("an invalid ticket gets a complaint at its field, even in closed options, and nothing is sent", async () => {
  await using place = await openPlace();
  const { page } = await openAs(browser, place, "ann");
  const sent = listen(page);
  await secretField(page).fill("hunter2");
  await openOptions(page);
  const texts = [
    "router",
    "4711",
    "OPS-",
    "OPS 4711",
    "ops_4711",
    "🎫-1",
    "\u202eOPS-1",
    `{"a":1}`,
    "OPS-12345678901",
    "A%-1",
  ];
  for (const text of texts) {
    await ticketField(page).fill(text);
    await press(page, "Create link");
    await complaint(page, "Type a ticket such as OPS-4711, or leave this empty.");
    expect(await ticketField(page).getAttribute("aria-invalid")).toBe("true");
    await ticketField(page).fill(`${text}x`);
    await page.getByRole("alert").filter({ hasText: "OPS-4711" }).waitFor({ state: "detached" });
  }
  // Too long a text is not cut into a ticket.
  await ticketField(page).fill("x".repeat(1000));
  await page.getByText("Opens once · 7 days · no passphrase").click();
  await ticketField(page).waitFor({ state: "hidden" });
  await press(page, "Create link");
  await complaint(page, "Type a ticket such as OPS-4711");
  await ticketField(page).and(page.locator(":focus")).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(sent.filter((each) => each.startsWith("POST"))).toEqual([]);
  await ticketField(page).fill("ops-1");
  await press(page, "Create link");
  await seeTitle(page, "Your link is ready");
  await page.getByText("Ticket ops-1").waitFor();
});

test("Activity shows the ticket, filters by it, and goes back to everything", async () => {
  await using place = await openPlace();
  const visit = await openAs(browser, place, "ann");
  const { page } = visit;
  const { url } = place.server;
  const first = await send(page, url, { ticket: "OPS-4711", label: "router" });
  await send(page, url, { ticket: "OPS-4712" });
  await page.goto(`${url}/ask`);
  await page.getByText("Accepts 1 secret · 7 days").click();
  await ticketField(page).fill("no ticket");
  await press(page, "Create request link");
  await complaint(page, "Type a ticket such as OPS-4711");
  await ticketField(page).fill("OPS-4711");
  await press(page, "Create request link");
  await seeScreen(visit, "Your request link is ready");
  await page.getByText("Ticket OPS-4711").waitFor();

  await page.goto(`${url}/activity`);
  const id = /sec_\w+/.exec(first)?.[0] ?? "";
  await itemRow(page, id).getByText("OPS-4711", { exact: true }).waitFor();
  await seeRows(page, 3);
  await (await openDetails(page, id)).getByRole("link", { name: "Show only OPS-4711" }).click();
  await page.getByRole("link", { name: "OPS-4711: remove filter" }).waitFor();
  await row(page, "OPS-4712").waitFor({ state: "detached" });
  await seeRows(page, 2);
  await seeScreen(visit, "Activity");
  expect(new URL(page.url()).hash).toBe("#ticket=OPS-4711");
  await page.getByRole("link", { name: "OPS-4711: remove filter" }).click();
  await row(page, "OPS-4712").waitFor();
  // The private names in this browser are still there after the filter.
  await row(page, "router").waitFor();
  await page.goto(`${url}/activity#OPS-9`);
  await page.reload();
  await page.getByText("Nothing here is about OPS-9.").waitFor();
});
