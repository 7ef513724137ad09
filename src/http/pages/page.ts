import type { Context, Elysia } from "elysia";
import type { NoticeKind } from "../../contract/states.ts";
import type { MailOffState } from "../../domain/mails/off-paths.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { readSession } from "../gate/sessions.ts";
import type { HttpOptions, PageSources, PlaceKind } from "../options.ts";
import { placeBrand } from "./brands.ts";
import type { PlacedBrand } from "./brands.ts";
import { mailOffDocument, nowhereDocument, pageDocument } from "./documents.ts";
import type { DocumentParts } from "./documents.ts";
import { chooseLanguage } from "./languages.ts";
import { describeWebApp } from "./manifests.ts";
import { pageAssets } from "./page-assets.ts";
import { FORM_HEADERS, PAGE_HEADERS, PICTURE_HEADERS, STILL_HEADERS } from "./page-headers.ts";
import { answerText, answerWhole, serveable, serveableBuilt } from "./texts.ts";
import type { ServedText } from "./texts.ts";

const HTML = "text/html; charset=utf-8";
/** Deeper paths get a document without styles: one document is kept for each depth. */
const MAX_DEPTH = 16;
const ONE_YEAR = "public, max-age=31536000, immutable";

/** The places of the page beside its top. Each is at two paths, because people add a slash. */
const PLACES: Readonly<Record<string, PlaceKind>> = {
  "/ask": "home",
  "/activity": "home",
  "/account": "home",
  "/audit": "home",
  "/about": "home",
  "/sign-in": "sign-in",
  "/login": "login",
  "/s/:id": "secret",
  "/r/:id": "request",
  "/c/:id": "collect",
};

interface PageOptions extends Pick<HttpOptions, "brand" | "baseUrl" | "version"> {
  readonly read: () => Promise<PageSources>;
}

type Answering = Pick<Context, "request" | "set">;

/** The page, ready to be served. */
interface ServedPage {
  readonly brand: PlacedBrand;
  readonly manifest: ServedText;
  /** The document of a kind of place for the browser that asks. `wayUp` leads from it to the top of the site. */
  documentAt(kind: PlaceKind, wayUp: string, headers: Headers): ServedText;
  nowhereAt(wayUp: string, headers: Headers): ServedText;
  mailOffAt(state: MailOffState, kinds: readonly NoticeKind[], wayUp: string, headers: Headers): ServedText;
  /** The manual, or a topic of it by its name. Throws Refusal when there is none. */
  manualAt(topic: string | undefined, wayUp: string): Promise<ServedText>;
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly text: ServedText }>;
}

function prepare(sources: PageSources, { brand: set, baseUrl, version }: PageOptions): ServedPage {
  const { folder, assets } = pageAssets(sources);
  const brand = placeBrand(set, folder, sources.name);
  const documents = new Map<string, ServedText>();
  const { en: english } = sources.texts;
  if (!english) throw new Error("the page has no English");
  const languages = Object.keys(sources.texts);
  const languageOf = (headers: Headers) => chooseLanguage(languages, headers.get("accept-language") ?? "");
  const parts = (wayUp: string, language = "en"): DocumentParts => {
    const { preloads, person, texts } = sources;
    return { preloads, person, texts: texts[language] ?? english, brand, folder, wayUp };
  };
  const keep = (key: string, make: () => string): ServedText => {
    const document = documents.get(key) ?? serveable(make());
    documents.set(key, document);
    return document;
  };
  return {
    brand,
    manifest: serveable(describeWebApp(brand)),
    documentAt(kind, wayUp, headers) {
      const language = languageOf(headers);
      const hasSession = readSession(headers) !== undefined;
      const key = `${language}/${kind}/${hasSession ? "person" : ""}/${wayUp}`;
      return keep(key, () => pageDocument(kind, { language, hasSession }, baseUrl(), parts(wayUp, language)));
    },
    nowhereAt(wayUp, headers) {
      const language = languageOf(headers);
      return keep(`${language}//${wayUp}`, () => nowhereDocument(parts(wayUp, language)));
    },
    mailOffAt(state, kinds, wayUp, headers) {
      const language = languageOf(headers);
      return keep(`${language}/mail ${state} ${kinds.join()}/${wayUp}`, () =>
        mailOffDocument(state, kinds, parts(wayUp, language)),
      );
    },
    async manualAt(name, wayUp) {
      // Loaded here, so that the page doesn't wait for its texts.
      const { manualDocument, topicDocument } = await import("./manual.ts");
      const { findTopic } = await import("../../manual/topics.ts");
      if (name === undefined) return keep(`manual${wayUp}`, () => manualDocument(version, parts(wayUp)));
      const topic = findTopic(name);
      if (!topic) throw new Refusal("not_found");
      return keep(`manual/${name}${wayUp}`, () => topicDocument(topic, parts(wayUp)));
    },
    assets: new Map(assets.map(({ path, type, content }) => [path, { type, text: serveableBuilt(content) }])),
  };
}

/** The page at each of its places, with its files. The server never receives the fragment of a link. */
export function createPage(options: PageOptions) {
  // Read at the first call, so that startup does not wait for it.
  let page: Promise<ServedPage> | undefined;
  const open = () => (page ??= options.read().then((sources) => prepare(sources, options)));
  return {
    routes: pageRoutes(open),
    /** Answers at `MAIL_OFF_ROUTE`, where mails are switched off. */
    async answerMailOff(state: MailOffState, kinds: readonly NoticeKind[], { request, set }: Answering) {
      const document = (await open()).mailOffAt(state, kinds, "../../../", request.headers);
      Object.assign(set.headers, FORM_HEADERS, { "content-type": HTML });
      const answer = answerWhole(document, { request, set });
      set.headers["vary"] = "Accept-Encoding, Accept-Language";
      return answer;
    },
    /** Answers a browser at an unknown `path`. */
    async answerNowhere(path: string, { request, set }: Answering) {
      const depth = path.split("/").length - 2;
      const document = (await open()).nowhereAt("../".repeat(Math.min(Math.max(depth, 0), MAX_DEPTH)), request.headers);
      Object.assign(set.headers, STILL_HEADERS, { "content-type": HTML });
      const answer = answerWhole(document, { request, set });
      set.headers["vary"] = "Accept-Encoding, Accept-Language";
      return answer;
    },
  };
}

function pageRoutes(open: () => Promise<ServedPage>) {
  const serve =
    (kind: PlaceKind, wayUp: string) =>
    async ({ request, set }: Answering) => {
      const document = (await open()).documentAt(kind, wayUp, request.headers);
      Object.assign(set.headers, PAGE_HEADERS, { "content-type": HTML });
      const answer = answerText(document, { request, set });
      set.headers["vary"] = "Accept-Encoding, Accept-Language, Cookie";
      return answer;
    };
  return (app: Elysia) => {
    manualRoutes(app, open);
    app.get("/", serve("home", ""));
    for (const [path, kind] of Object.entries(PLACES)) {
      const wayUp = "../".repeat(path.split("/").length - 2);
      app.get(path, serve(kind, wayUp)).get(`${path}/`, serve(kind, `../${wayUp}`));
    }
    return app
      .get("/manifest.webmanifest", async ({ request, set }) => {
        const { manifest } = await open();
        Object.assign(set.headers, STILL_HEADERS, { "content-type": "application/manifest+json" });
        return answerText(manifest, { request, set });
      })
      .get("/assets/:hash/:name", async ({ params, request, set }) => {
        const file = (await open()).assets.get(`assets/${params.hash}/${params.name}`);
        if (!file) throw new Refusal("not_found");
        const headers = file.type.startsWith("image/") ? PICTURE_HEADERS : PAGE_HEADERS;
        Object.assign(set.headers, headers, { "content-type": file.type, "cache-control": ONE_YEAR });
        return answerText(file.text, { request, set });
      })
      .get("/brand/:hash/:name", async ({ params, request, set }) => {
        const file = (await open()).brand.files.get(`brand/${params.hash}/${params.name}`);
        if (!file) throw new Refusal("not_found");
        Object.assign(set.headers, PICTURE_HEADERS, { "content-type": file.type, "cache-control": ONE_YEAR });
        return answerText(file.text, { request, set });
      });
  };
}

function manualRoutes(app: Elysia, open: () => Promise<ServedPage>): void {
  // Browsers cache the manual, and revalidate it each time.
  const headers = { ...PAGE_HEADERS, "cache-control": "no-cache" };
  const serve =
    (wayUp: string) =>
    async ({ params, request, set }: Answering & { readonly params?: { readonly topic?: string } }) => {
      const document = await (await open()).manualAt(params?.topic, wayUp);
      Object.assign(set.headers, headers, { "content-type": HTML });
      return answerText(document, { request, set });
    };
  /** Leads from the path of a topic's file to the topic, `wayUp` of which leads to the manual's folder. */
  const lead =
    (wayUp: string) =>
    async ({ params, set }: Answering & { readonly params: { readonly topic: string } }) => {
      const { findTopic } = await import("../../manual/topics.ts");
      const topic = findTopic(params.topic.replace(/\.md$/, ""));
      if (!topic) throw new Refusal("not_found");
      set.status = 308;
      Object.assign(set.headers, headers, { location: wayUp + topic.name });
      return "";
    };
  let passages: Promise<ServedText> | undefined;
  const readPassages = async () => {
    const { listPassages } = await import("../../manual/passages.ts");
    return serveable(JSON.stringify(listPassages()));
  };
  app
    .get("/manual", serve(""))
    .get("/manual/", serve("../"))
    .get("/manual/:topic", serve("../"))
    .get("/manual/:topic/", serve("../../"))
    .get("/manual/recipes/:topic", lead("../"))
    .get("/manual/recipes/:topic/", lead("../../"))
    .get("/manual/passages.json", async ({ request, set }) => {
      Object.assign(set.headers, headers, { "content-type": "application/json" });
      return answerText(await (passages ??= readPassages()), { request, set });
    });
}
