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
 * The headers of the page and its files: no inline code, no other origin, no frame or plugin, and no script whose
 * address the page's own policy does not allow. `blob:` allows pictures decrypted in the page.
 */
export const PAGE_HEADERS = headers(
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types handoff-worker",
);

/** The headers of a document without scripts that sends a form to its own address. */
export const FORM_HEADERS = {
  ...SHELL,
  "content-security-policy": [
    ...NOTHING.filter((each) => !each.startsWith("form-action")),
    "form-action 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
  ].join("; "),
} as const;

/** The headers of a document without scripts. */
export const STILL_HEADERS = headers("style-src 'self'", "font-src 'self'", "img-src 'self'");

/**
 * The headers of a picture. SVGs of a brand are not checked: opened by itself, one runs no script, loads nothing,
 * submits nothing, and has an origin of its own. In an `<img>` it runs and loads nothing anyway.
 */
export const PICTURE_HEADERS = headers("style-src 'unsafe-inline'", "sandbox");
