// Apart from the schemas, which would bring their library into the page.

/** The prefixes of ids, contract section 5. The rest is opaque and sorts by time of creation. */
export const ID_PREFIXES = {
  secret: "sec_",
  request: "req_",
  key: "key_",
  identity: "idn_",
  team: "tea_",
  event: "evt_",
} as const;
export type IdKind = keyof typeof ID_PREFIXES;
