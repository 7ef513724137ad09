/** The prefixes of ids, contract section 5. The rest is opaque and sorts by time of creation. */
export const ID_PREFIXES = {
  secret: "sec_",
  request: "req_",
  key: "key_",
  identity: "idn_",
  team: "tea_",
  event: "evt_",
  webhook: "whk_",
  session: "ses_",
  passkey: "psk_",
  ask: "ask_",
  upload: "upl_",
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

/** The part of an id after its prefix, as a regular expression: 26 characters of base32hex in lower case. */
const ID_BODY = "[0-9a-v]{26}";
const ANY_ID = new RegExp(`^[a-z]{3}_${ID_BODY}$`);

/** A regular expression for ids of these kinds, without anchors. */
export function idPattern(...kinds: readonly [IdKind, ...IdKind[]]): string {
  const prefixes = kinds.map((kind) => ID_PREFIXES[kind]);
  return (prefixes.length === 1 ? prefixes[0] : `(${prefixes.join("|")})`) + ID_BODY;
}

/** True when `text` looks like an id of `kind`, or of any kind. */
export function isId(text: string, kind: IdKind | "any"): boolean {
  return ANY_ID.test(text) && (kind === "any" || text.startsWith(ID_PREFIXES[kind]));
}

/** A well-formed id of `kind` for documentation. */
export function exampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}069q6gv7k1rqf8a0c2m4e6g8io`;
}
