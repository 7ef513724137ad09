/** Attributes that keep browsers and password managers from completing, correcting, translating or saving a secret. */
export const SECRET_ATTRIBUTES = {
  autocomplete: "off",
  autocapitalize: "none",
  // In this spelling it is set as an attribute. As a property, "off" would count as true.
  autoCorrect: "off",
  spellcheck: false,
  translate: false,
  "data-1p-ignore": true,
  "data-lpignore": "true",
  "data-bwignore": true,
} as const;
