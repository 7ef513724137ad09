import { freePort } from "../ports.ts";
import { FILE_FIELD, SELECTORS } from "./drivers.ts";
import type { Driver, Engine } from "./drivers.ts";
import { startBrowserProgram, waitFor } from "./programs.ts";

const DRIVER = "WebKitWebDriver";
/** The member of an element's reference, by the WebDriver standard. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

const CALL_MS = 30_000;
/** Whatever is not on this machine is behind a proxy that is not there. */
const PROXY = ["--proxy=http://127.0.0.1:9", "--ignore-host=127.0.0.1"];

/** The key that ends a line, by the WebDriver standard. */
const RETURN = "\uE006";

/**
 * This browser's files come from servers only, and what a page makes it does not save: so what the page gives to it is
 * looked at. Each script calls its last argument with what it has found.
 */
const WATCH_FILES = `
  const [done] = arguments;
  window.files = new Promise((resolve) => {
    let blob;
    const { createObjectURL } = URL;
    URL.createObjectURL = (each) => createObjectURL.call(URL, (blob = each));
    HTMLAnchorElement.prototype.click = function () { resolve({ name: this.download, blob }); };
  });
  done();`;
const READ_FILE = `
  const [done] = arguments;
  window.files.then(({ name, blob }) => {
    const reader = new FileReader();
    reader.onload = () => done({ name, base64: reader.result.split(",")[1] });
    reader.readAsDataURL(blob);
  });`;

type Reference = Readonly<Record<typeof ELEMENT, string>>;
/** Calls the driver; resolves with the value of its answer. */
type Call = <T = void>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<T>;

/** Starts WebKitGTK on a screen of its own, driven over WebDriver. What it keeps is in `folder`. */
export async function startWebKit(folder: string): Promise<Engine> {
  const [browser] = new Bun.Glob("*/webkit2gtk-4.1/MiniBrowser").scanSync({ cwd: "/usr/lib", absolute: true });
  if (browser === undefined || !Bun.which(DRIVER) || !Bun.which("Xvfb"))
    throw new Error("there is no WebKitGTK with its driver, or no Xvfb: run scripts/test-tools");
  await using stack = new AsyncDisposableStack();
  const screen = stack.use(
    startBrowserProgram(["Xvfb", "-displayfd", "1", "-screen", "0", "1200x1000x24", "-nolisten", "tcp"]),
  );
  const display = await waitFor(
    () => /^\d+$/m.exec(screen.output())?.[0],
    () => `Xvfb shows nothing: ${screen.output()}`,
  );
  const running = stack.move();
  return {
    open: () => openSession(browser, `:${display}`, folder),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts a driver, which starts a browser that keeps nothing. */
async function openSession(browser: string, display: string, folder: string): Promise<Driver> {
  const port = freePort();
  await using stack = new AsyncDisposableStack();
  const driver = stack.use(
    startBrowserProgram([DRIVER, `--port=${port}`], {
      HOME: folder,
      TMPDIR: folder,
      XDG_RUNTIME_DIR: folder,
      DISPLAY: display,
      LC_ALL: "C.UTF-8",
      // Neither is needed, and both would start programs that stay.
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      NO_AT_BRIDGE: "1",
      GSETTINGS_BACKEND: "memory",
    }),
  );
  const call = callsTo(`http://127.0.0.1:${port}`);
  await waitFor(
    async () => (await call<{ readonly ready: boolean }>("GET", "/status")).ready,
    () => `the driver of WebKit is not ready: ${driver.output()}`,
  );
  const capabilities = {
    acceptInsecureCerts: true,
    unhandledPromptBehavior: "accept",
    "webkitgtk:browserOptions": { binary: browser, args: ["--automation", ...PROXY] },
  };
  const { sessionId } = await call<{ readonly sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: capabilities },
  });
  const inSession: Call = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  stack.defer(() => inSession("DELETE", ""));
  const running = stack.move();
  return { ...drive(inSession), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function drive(call: Call): Omit<Driver, typeof Symbol.asyncDispose> {
  const findAll = async (selector: string) => {
    const found = await call<readonly Reference[]>("POST", "/elements", { using: "css selector", value: selector });
    return found.map((reference) => ({ reference, element: `/element/${reference[ELEMENT]}` }));
  };
  const run = <T = void>(script: string) => call<T>("POST", "/execute/async", { script, args: [] });
  return {
    goto: (url) => call("POST", "/url", { url }),
    reload: () => call("POST", "/refresh", {}),
    async find(kind, name) {
      for (const { reference, element } of await findAll(SELECTORS[kind])) {
        // Hidden elements, and those just removed, have none.
        const label = await call<string>("GET", `${element}/computedlabel`).catch(() => undefined);
        if (label !== name) continue;
        return {
          place: async () => JSON.stringify(await call<object>("GET", `${element}/rect`)),
          press: () => call("POST", `${element}/click`, {}),
          async fill(text) {
            // Clearing a field tells the page nothing, which may show the old text again before the first key.
            await call("POST", "/execute/sync", { script: "arguments[0].select()", args: [reference] });
            await call("POST", `${element}/value`, { text: text.replaceAll("\n", RETURN) });
          },
          text: () => call<string>("GET", `${element}/property/textContent`),
        };
      }
      return undefined;
    },
    async chooseFile(path) {
      const field = await waitFor(
        async () => (await findAll(FILE_FIELD))[0],
        () => "the page has no field for files",
      );
      await call("POST", `${field.element}/value`, { text: path });
    },
    async download(act, file) {
      await run(WATCH_FILES);
      await act();
      const { name, base64 } = await run<{ readonly name: string; readonly base64: string }>(READ_FILE);
      if (name !== file.name) throw new Error(`the download is called ${name}`);
      return Buffer.from(base64, "base64");
    },
    words: () => run<string>("arguments[0](document.body.innerText)"),
  };
}

function callsTo(driver: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(driver + path, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- what comes is what the standard says of each call
    const { value } = (await answer.json()) as any;
    if (!answer.ok) throw new Error(`WebKit refuses ${method} ${path}: ${value.error} ${value.message}`);
    return value;
  };
}
