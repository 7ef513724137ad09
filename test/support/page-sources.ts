import type { DocumentTexts, PageSources } from "../../src/http/options.ts";
import { compress } from "../../src/http/pages/compression.ts";

const NOTHING = { scripts: [], texts: {} };

const textsIn = (language: string, direction: string): DocumentTexts => ({
  language,
  direction,
  loading: "Loading",
  promise: "Encrypted.",
  noScript: { title: "No script", text: "Turn on JavaScript." },
  late: { title: "Late", text: "Reload the page." },
  nowhere: {
    title: "There's nothing at this address",
    text: "It may be mistyped or cut off. Copy the whole link again.",
    start: "Start",
  },
  mailKinds: {
    opened: "When it is opened",
    ending: "When it ends",
    handed_in: "When it is handed in",
    asked: "When somebody asks",
  },
  mailOff: { title: "Switch these mails off?", text: "They tell you what happens.", button: "Switch off" },
  mailOffStale: { title: "This link switches nothing off", text: "Use the newest mail." },
  mailIsOff: { title: "These mails are off", text: "You can switch them on again." },
});

/** A page with next to nothing in it; its scripts are `app`. */
export function createTestPage(app = "app();"): PageSources {
  return {
    name: "handoff",
    texts: {
      en: textsIn("en", "ltr"),
      de: textsIn("de", "ltr"),
      "pt-br": textsIn("pt-BR", "ltr"),
      ar: textsIn("ar", "rtl"),
    },
    files: {
      "home.js": compress(app),
      "sign-in.js": compress(app),
      "login.js": compress(app),
      "secret.js": compress(app),
      "request.js": compress(app),
      "collect.js": compress(app),
      "worker.js": compress("work();"),
      "app.css": compress("p {}"),
      "person.css": compress("p {}"),
      "start.css": compress("p {}"),
      "favicon.svg": compress("<svg/>"),
      "touch-icon.png": compress("PNG"),
    },
    preloads: {
      home: NOTHING,
      "sign-in": NOTHING,
      login: NOTHING,
      secret: NOTHING,
      request: NOTHING,
      collect: NOTHING,
    },
    person: NOTHING,
  };
}
