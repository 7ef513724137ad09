import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TabNews } from "../../../src/web/service/tab-news.ts";
import { useTabNews } from "../../../src/web/service/tab-news.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";
import { untilQuiet, useHere } from "../hooks.ts";

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(() => tab[Symbol.dispose]());

test("the title of a hidden tab is that of the last news, and its own again once it is visible", async () => {
  document.title = "Activity";
  let [opened, asked]: (TabNews | undefined)[] = [];
  using screen = useHere(() => {
    useTabNews(opened);
    useTabNews(asked);
  });
  const show = async (news: { readonly opened?: TabNews; readonly asked?: TabNews }) => {
    ({ opened = opened, asked = asked } = news);
    screen.redraw();
    await untilQuiet();
    return document.title;
  };
  expect(await show({ asked: { text: "Somebody asks." } })).toBe("Activity");
  tab.show(false);
  expect(await show({ asked: { text: "Somebody else asks." } })).toStartWith("Somebody else asks. · ");
  expect(await show({ opened: { text: "It was opened." } })).toStartWith("It was opened. · ");
  tab.show(true);
  expect(document.title).toBe("Activity");
});
