const SHELL = {
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "x-frame-options": "DENY",
} as const;

const NOTHING = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

function headers(...policy: readonly string[]) {
  return { ...SHELL, "content-security-policy": [...NOTHING, ...policy].join("; ") } as const;
}

/**
 * The headers of the page and its files: nothing inline, nothing from elsewhere, no frame or plugin, and no script
 * whose address the page's own policy does not vouch for. Pictures that were decrypted here are shown from memory,
 * which is what `blob:` is.
 */
export const PAGE_HEADERS = headers(
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types handoff-worker",
);

/** The headers of a document that runs nothing. */
export const STILL_HEADERS = headers("style-src 'self'", "img-src 'self'");

/**
 * The headers of a picture. Nobody has checked what an SVG of a brand contains: opened by itself it runs no script,
 * loads nothing, submits nothing, and has an origin of its own. An `<img>` runs and loads nothing of it anyway.
 */
export const PICTURE_HEADERS = headers("style-src 'unsafe-inline'", "sandbox");
