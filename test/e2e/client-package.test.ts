import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { programIn } from "../support/manual-programs.ts";
import { BIN, runTool } from "../support/openapi.ts";
import { openPlace } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = join(import.meta.dir, "../..");
const SCOPES = ["secrets:create", "secrets:read", "secrets:claim", "secrets:revoke"];
const ALL_SCOPES = [...SCOPES, "requests:create", "requests:read", "requests:revoke", "events:read"];

const folder = temporaryFolder();
const browser = await startBrowser();
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function must(command: readonly string[], cwd = folder.path, environment: Record<string, string> = {}) {
  const { exitCode, stdout, output } = await runTool(command, cwd, { HOME: folder.path, ...environment });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${output}`);
  return stdout.trim();
}

const installed = (name: string) => join(folder.path, "node_modules/handoff-client", name);
const readme = () => readFileSync(installed("README.md"), "utf8");
const EXAMPLE_SERVER = "https://handoff.example";
/** The example of the README, against the server at `url`. */
const exampleFor = (url: string) => {
  const [, example = ""] = /```js\n(.*?)```/s.exec(readme().replace(EXAMPLE_SERVER, url)) ?? [];
  return example;
};

let archive = "";
beforeAll(async () => {
  archive = await must([join(ROOT, "scripts/client-package"), join(folder.path, "packed")]);
  await Bun.write(join(folder.path, "package.json"), '{ "private": true, "type": "module" }');
  // Nothing is fetched: the package has no dependencies.
  await must(["npm", "install", "--offline", "--no-audit", "--no-fund", archive]);
}, PAGE_TEST_MS);

test("the package is the same for the same source, and one module that needs nothing else", async () => {
  const again = await must([join(ROOT, "scripts/client-package"), join(folder.path, "again")]);
  expect(readFileSync(again).equals(readFileSync(archive))).toBeTrue();
  const names = await must(["tar", "tzf", archive]);
  expect(names.split("\n").toSorted()).toEqual(
    ["LICENSE", "README.md", "handoff-client.d.ts", "handoff-client.js", "package.json"].map(
      (each) => `package/${each}`,
    ),
  );
  const { scripts, dependencies, version } = await Bun.file(installed("package.json")).json();
  expect({ scripts, dependencies }).toEqual({ scripts: undefined, dependencies: undefined });
  expect(archive).toEndWith(`/handoff-client-${version}.tgz`);
  const imports = new Bun.Transpiler({ loader: "js" }).scanImports(
    readFileSync(installed("handoff-client.js"), "utf8"),
  );
  expect(imports).toEqual([]);
  const licenses = readFileSync(installed("LICENSE"), "utf8");
  for (const name of ["age-encryption", "@noble/ciphers", "@noble/hashes", "modern-tar"])
    expect(licenses).toContain(name);
});

test("the program of the manual hands a text over", async () => {
  await using place = await openPlace();
  await Bun.write(join(folder.path, "manual.js"), programIn("clients.md", "js"));
  const env = { HANDOFF_URL: place.server.url, HANDOFF_API_KEY: await place.mint() };
  expect(await must(["node", "manual.js"], folder.path, env)).toBe("the password");
});

test("the example of the README does in Node.js what its comments say", async () => {
  await using place = await openPlace();
  await Bun.write(join(folder.path, "example.js"), exampleFor(place.server.url));
  const printed = await must(["node", "example.js"], folder.path, { HANDOFF_API_KEY: await place.mint(ALL_SCOPES) });
  expect(printed).toContain("kind: 'secret'");
  expect(printed).toContain("state: 'available'");
  const lines = printed.split("\n");
  expect(lines.slice(lines.indexOf("}") + 1).map((line) => line.replace(/_[0-9a-v]{26}$/, ""))).toEqual([
    "true secret_claimed",
    "id_ed25519",
    "app",
    "secret.created sec",
    "secret.claimed sec",
    "request.created null",
    "secret.created sec",
    "request.fulfilled null",
    "secret.claimed sec",
    "request.created null",
    "secret.created sec",
    "request.fulfilled null",
    "secret.claimed sec",
  ]);
});

test("links of the package and of the command line are the same", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ALL_SCOPES);
  const access = JSON.stringify({ server: place.server.url, apiKey: ann.env["HANDOFF_API_KEY"] });
  const run = async (code: string) => {
    const program = `import * as handoff from "handoff-client"; const access = ${access}; ${code}`;
    return must(["node", "--input-type=module", "--eval", program]);
  };
  const link = await run(`console.log((await handoff.send("hunter2", access)).link)`);
  expect(await ann.must(["open", "--yes"], { stdin: link })).toBe("hunter2");
  const sent = await ann.must(["send"], { stdin: "hunter3" });
  expect(await run(`console.log((await handoff.open("${sent}")).text)`)).toBe("hunter3");
  const asked = await run(`const asked = await handoff.request(access); console.log(asked.link, asked.backupLink)`);
  const [requestLink = "", backupLink = ""] = asked.split(" ");
  mkdirSync(join(ann.home, "in"));
  await Bun.write(join(ann.home, "in/link.txt"), requestLink);
  await ann.must(["submit", "--link-file", "in/link.txt"], { stdin: "hunter4" });
  expect(await ann.must(["collect", "-"], { stdin: backupLink })).toBe("hunter4");
});

test("in Node.js a server that can't be reached, or that speaks no TLS, is named for what it is", async () => {
  const nothing = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = nothing;
  nothing.stop(true);
  await using place = await openPlace();
  const program = `import { send } from "handoff-client";
for (const server of process.argv.slice(2)) {
  await send("hunter2", { server, apiKey: process.env.KEY }).catch((error) => console.log(error.name, error.code));
}`;
  await Bun.write(join(folder.path, "unreachable.js"), program);
  const servers = [`http://127.0.0.1:${port}`, place.server.url.replace("http:", "https:"), "https://handoff.invalid"];
  const printed = await must(["node", "unreachable.js", ...servers], folder.path, { KEY: await place.mint() });
  expect(printed.split("\n")).toEqual([
    "NetworkError connection_failed",
    "NetworkError tls_failed",
    "NetworkError host_unknown",
  ]);
});

/** A program that uses every function and the classes of errors, in strict TypeScript. */
const PROGRAM = `
const options: SendOptions = { server: "https://handoff.example", apiKey: undefined, maxClaims: 2 };
const bytes: Uint8Array | undefined = (await open("", { passphrase: (attempt) => String(attempt) })).files[0]?.bytes;
const seen = await status("");
if (seen.kind === "invitation") console.log(seen.note?.length, bytes, seen.askedBy?.address);
// @ts-expect-error: a request has no claims
if (seen.kind === "request") console.log(seen.request.claims);
// @ts-expect-error: sending needs a server
await send("", {});
// @ts-expect-error: there is no such option
await send("", { ...options, expires: 60 });
try {
  await submit("", { text: "", files: [] }, { signal: AbortSignal.timeout(1) });
} catch (error) {
  if (error instanceof HandoffError && error.outcome === "unknown") console.log(error.requestId);
  // @ts-expect-error: a code that there is none of
  if (error instanceof GoneError && error.code === "secret_claimd") console.log(error.advice);
}
`;

test("the types are right for strict programs, as Node.js and as bundlers find them", async () => {
  const imports =
    'import { HandoffError } from "handoff-client";\nimport type { SendOptions } from "handoff-client";\n';
  await Bun.write(join(folder.path, "program.ts"), imports + exampleFor(EXAMPLE_SERVER) + PROGRAM);
  const globals = "declare const process: { readonly env: Record<string, string | undefined> };";
  await Bun.write(join(folder.path, "globals.d.ts"), globals);
  const compile = (...options: readonly string[]) =>
    must([join(BIN, "tsc"), "--noEmit", "--strict", "--target", "es2022", ...options, "program.ts"]);
  const types = join(ROOT, "node_modules/@types");
  await compile("--module", "nodenext", "--lib", "es2022", "--typeRoots", types, "--types", "node", "--skipLibCheck");
  // The declarations are checked too, with the options that few programs have.
  const strictest = ["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "globals.d.ts"];
  const library = ["--lib", "es2022,dom,dom.asynciterable"];
  await compile("--module", "esnext", "--moduleResolution", "bundler", ...library, ...strictest);
});

/** A page that opens a link in itself and another one in a worker, and says what came. */
const PAGE = `<!doctype html><title>A page</title><script type="module">
import { open } from "/handoff-client.js";
const worker = new Worker("/worker.js", { type: "module" });
const ofWorker = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
window.openBoth = async (one, other) => {
  worker.postMessage(other);
  const mine = await open(one).then(({ text }) => text, (error) => error.name + " " + error.code);
  return [mine, await ofWorker];
};
</script>`;
const WORKER = `import { open } from "/handoff-client.js";
onmessage = ({ data }) =>
  open(data).then(({ text }) => postMessage(text), (error) => postMessage(error.name + " " + error.code));`;

/** Serves the page at an origin of its own. */
function servePage() {
  const script = { "content-type": "text/javascript" };
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/": new Response(PAGE, { headers: { "content-type": "text/html" } }),
      "/worker.js": new Response(WORKER, { headers: script }),
      "/handoff-client.js": new Response(readFileSync(installed("handoff-client.js")), { headers: script }),
    },
  });
}

type Links = readonly [string, string];

const openBoth = (page: Page, links: Links): Promise<Links> =>
  page.evaluate(([one, other]) => Reflect.get(globalThis, "openBoth")(one, other), links);

test(
  "a page opens links, in a worker too: of the server's own origin, or of one that the server names",
  async () => {
    using named = servePage();
    using strange = servePage();
    await using place = await openPlace(["--cors-origin", named.url.origin]);
    const ann = await place.member("ann");
    const send = () => ann.must(["send"], { stdin: "hunter2" });
    const own = await browser.open();
    // As a proxy in front of both does it.
    await own.page.route(`${place.server.url}/{,worker.js,handoff-client.js}`, async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: named.url.origin + pathname }) });
    });
    await own.page.goto(place.server.url);
    expect(await openBoth(own.page, [await send(), await send()])).toEqual(["hunter2", "hunter2"]);

    const other = await browser.open();
    await other.page.goto(named.url.origin);
    expect(await openBoth(other.page, [await send(), await send()])).toEqual(["hunter2", "hunter2"]);

    const links = [await send(), await send()] as const;
    await other.page.goto(strange.url.origin);
    expect(await openBoth(other.page, links)).toEqual(["NetworkError connection_lost", "NetworkError connection_lost"]);
    // The browser asked first, and sent no claim.
    for (const link of links) expect(await ann.must(["open", "--yes"], { stdin: link })).toBe("hunter2");
  },
  PAGE_TEST_MS,
);
