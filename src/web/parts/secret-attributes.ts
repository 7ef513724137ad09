/** The attributes of a field for a secret: no browser and no password manager is to complete, correct, translate or keep it. */
export const SECRET_ATTRIBUTES = {
  autocomplete: "off",
  autocapitalize: "none",
  // So written it is set as an attribute: as a property, "off" would count as true.
  autoCorrect: "off",
  spellcheck: false,
  translate: false,
  "data-1p-ignore": true,
  "data-lpignore": "true",
  "data-bwignore": true,
} as const;
