import type { PageSources } from "../../src/http/options.ts";
import { compress } from "../../src/http/pages/compression.ts";

const NOTHING = { scripts: [], texts: {} };

/** A page with next to nothing in it; its scripts are `app`. */
export function createTestPage(app = "app();"): PageSources {
  return {
    texts: {
      language: "en",
      direction: "ltr",
      name: "handoff",
      loading: "Loading",
      noScript: "Turn on JavaScript.",
      promise: "Encrypted.",
    },
    files: {
      "home.js": compress(app),
      "sign-in.js": compress(app),
      "secret.js": compress(app),
      "request.js": compress(app),
      "collect.js": compress(app),
      "worker.js": compress("work();"),
      "app.css": compress("p {}"),
      "favicon.svg": compress("<svg/>"),
      "touch-icon.png": compress("PNG"),
    },
    preloads: { home: NOTHING, "sign-in": NOTHING, secret: NOTHING, request: NOTHING, collect: NOTHING },
    person: NOTHING,
  };
}
