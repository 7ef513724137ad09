import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { press, seeTitle } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import { hostilePdf, samplePng } from "../support/samples.ts";

setDefaultTimeout(PAGE_TEST_MS);
const browser = await startBrowser();
afterAll(() => browser[Symbol.asyncDispose]());

/** Files of a sender who wants to run something, or have `address` called, when they are viewed. */
function filesAgainst(address: string): Readonly<Record<string, string | Uint8Array>> {
  const script = `document.title = "run"; fetch("${address}/script")`;
  const markup = `<img src="${address}/img" onerror='${script}'><script>${script}</script><iframe src="${address}/frame"></iframe>`;
  const pdf = hostilePdf(address);
  return {
    "form.pdf": pdf,
    // Viewers look for the mark in the first kilobyte.
    "late.pdf": Buffer.concat([Buffer.from("\n".repeat(100)), pdf]),
    "page.pdf.html": Buffer.concat([Buffer.from(`<!doctype html>${markup}\n`), pdf]),
    "page.html": `<!doctype html><meta http-equiv="refresh" content="0;url=${address}/refresh">${markup}`,
    "page.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    "drawing.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script><image href="${address}/svg"/></svg>`,
    "sheet.xml": `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${address}/xsl"?><a/>`,
    "both.gif": `GIF89a/*${"\0".repeat(20)}*/=1;${script}`,
    "mail.mht": `MIME-Version: 1.0\nContent-Type: text/html\n\n${markup}`,
    "list.m3u8": `#EXTM3U\n${address}/video\n`,
    "wifi.png": samplePng(40),
    "film.mp4": Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0", "latin1"),
    "song.ogg": Buffer.from("OggS\0\x02\0\0", "latin1"),
    "movie.swf": Buffer.from("FWS\x06\0\0\0\0", "latin1"),
    "font.woff2": Buffer.from("wOF2\0\x01\0\0", "latin1"),
  };
}

/** Elements that a browser shows with its own machinery. */
const machineryOf = (page: Page) =>
  page.locator("iframe, frame, embed, object, video, audio, canvas, portal, fencedframe, main svg image, main style");

test("every preview is inert: a picture or plain text, without a frame, a dialog or a call", async () => {
  await using place = await openPlace();
  const called: string[] = [];
  using attacker = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      called.push(url);
      return new Response();
    },
  });
  const files = filesAgainst(`http://127.0.0.1:${attacker.port}`);
  const ann = await place.member("ann");
  for (const [name, content] of Object.entries(files)) await Bun.write(join(ann.home, name), content);
  const { page, context, complaints } = await browser.open();
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(await ann.must(["send", ...Object.keys(files)]));
  await press(page, "Open secret");
  const count = Object.keys(files).length;
  await seeTitle(page, `${count} files`);
  const address = page.url();

  await press(page, `Show ${count - 10} more`);
  const shown: string[] = [];
  for (const name of Object.keys(files)) {
    const show = page.getByRole("button", { name: `Show ${name}`, exact: true });
    if ((await show.count()) === 0) continue;
    shown.push(name);
    await show.click();
    const preview = page.getByRole("listitem").filter({ hasText: name }).locator(".preview");
    await preview.locator("img, pre, p").first().waitFor();
    // Any active content would show after a click.
    await preview.click();
    await press(page, `Hide ${name}`);
    await show.click();
  }
  expect(shown).toEqual([
    "late.pdf",
    "page.pdf.html",
    "page.html",
    "page.xhtml",
    "drawing.svg",
    "sheet.xml",
    "both.gif",
    "mail.mht",
    "list.m3u8",
    "wifi.png",
  ]);
  const [saved] = await Promise.all([page.waitForEvent("download"), press(page, "Download form.pdf")]);
  expect([saved.suggestedFilename(), await Bun.file(await saved.path()).bytes()]).toEqual([
    "form.pdf",
    new Uint8Array(files["form.pdf"] as Uint8Array),
  ]);

  expect(await machineryOf(page).count()).toBe(0);
  expect(await page.locator("main .preview").getByRole("link").count()).toBe(0);
  expect([page.url(), page.frames().length, context.pages().length]).toEqual([address, 1, 1]);
  expect({ asked, called, complaints }).toEqual({ asked: [], called: [], complaints: [] });
  await seeTitle(page, `${count} files`);
  expect(await page.title()).toStartWith(`${count} files`);
});
