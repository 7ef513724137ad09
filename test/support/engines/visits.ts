import type { Engine, ExpectedFile, PartKind } from "./drivers.ts";
import { waitFor } from "./programs.ts";

/** A tab as a person uses it: by the names that parts of the page have. Each step waits until it can be done. */
export interface Visit extends AsyncDisposable {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Resolves once the screen of this title is shown. */
  see(title: string): Promise<void>;
  /** Resolves once the page says this somewhere. */
  read(words: string): Promise<void>;
  press(name: string): Promise<void>;
  fill(name: string, text: string): Promise<void>;
  chooseFile(path: string): Promise<void>;
  text(name: string): Promise<string>;
  /** Presses what saves a file; resolves with that file. */
  download(name: string, file: ExpectedFile): Promise<Buffer>;
}

/** Opens a tab that knows nothing of any other, and is closed at the end. */
export async function visit(engine: Engine): Promise<Visit> {
  const driver = await engine.open();
  const lack = (kind: PartKind, name: string) => async () =>
    `there is no ${kind} '${name}' on this screen: ${await driver.words()}`;
  const find = (kind: PartKind, name: string) => waitFor(() => driver.find(kind, name), lack(kind, name));
  const press = async (name: string) => {
    let before: string | undefined;
    const button = await waitFor(
      async () => {
        const found = await driver.find("button", name);
        const [now, last] = [await found?.place(), before];
        before = now;
        // While a screen is still being put together its parts move, and a click would meet nothing.
        return now === last ? found : undefined;
      },
      lack("button", name),
    );
    await button.press();
  };
  return {
    goto: (url) => driver.goto(url),
    reload: () => driver.reload(),
    see: async (title) => void (await find("heading", title)),
    async read(words) {
      await waitFor(
        async () => (await driver.words()).includes(words),
        async () => `the page does not say '${words}': ${await driver.words()}`,
      );
    },
    press,
    fill: async (name, text) => (await find("field", name)).fill(text),
    chooseFile: (path) => driver.chooseFile(path),
    text: async (name) => (await find("text", name)).text(),
    download: (name, file) => driver.download(() => press(name), file),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
