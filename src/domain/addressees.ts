import { replaceUnprintable } from "../contract/names.ts";
import { addressOf } from "./callers.ts";
import type { Caller } from "./callers.ts";
import { isAddress } from "./names.ts";
import type { EventActor } from "./ports/events.ts";
import type { ProofStore, ProvenAddress } from "./ports/proofs.ts";
import { provesAddresses } from "./server-policies.ts";
import type { ServerPolicy } from "./server-policies.ts";
import { Refusal } from "./values/errors.ts";
import { toName } from "./values/name-forms.ts";
import { hashToken } from "./values/tokens.ts";

/** A secret or a request, which may be for chosen people. */
interface Chosen {
  readonly addressees: string | null;
}

/** What a chat or a mail program may take for markup, a link or a mention in the part of an address before its `@`. */
const MEANT_OTHERWISE = /[\s<>|`"\\/:]|@(?=.*@)/gu;
const REPLACEMENT = "\uFFFD";

/** Stands for every address of a domain, as in `*@example.com`. */
const ANYBODY = "*";

/**
 * Parses a list of addresses and domains with commas between them, as a sender gives it, into the form in which it is
 * stored: each once, with a space between them. Returns undefined when one of them is neither.
 */
export function parseAddressees(text: string): string | undefined {
  const entries = text.split(",").map((each) => toName(each));
  const isEntry = (entry: string) => isAddress(entry.replace(/^\*(?=@)/, "x")) && entry.includes("@");
  if (!entries.every(isEntry)) return undefined;
  const known = new Map(entries.map((entry) => [entry.toLowerCase(), entry]));
  return [...known.values()].join(" ");
}

/** Splits the stored form into its addresses and domains; null for everybody. */
export function listAddressees(stored: string | null): string[] | null {
  return stored === null ? null : stored.split(" ");
}

/**
 * The addresses for the holder of the link, who may be somebody else: of each only its first character and its domain.
 * Null for everybody.
 */
export function maskAddressees(stored: string | null): string[] | null {
  const masked = listAddressees(stored)?.map((each) => {
    const at = each.lastIndexOf("@");
    const [first = ""] = each;
    return (first === ANYBODY ? first : `${String.fromCodePoint(each.codePointAt(0) ?? 0)}…`) + each.slice(at);
  });
  return masked ? [...new Set(masked)] : null;
}

/** True when a secret or a request is for somebody with this proven address, or for everybody. */
export function mayUse({ addressees }: Chosen, address: string | undefined): boolean {
  if (addressees === null) return true;
  return address !== undefined && isAddressee(addressees, address);
}

/** The address that an event of a secret or a request has of its actor: none where nobody was asked for one. */
export function toActorAddress(
  { addressees }: Chosen,
  { address, proof }: { readonly [Name in keyof ProvenAddress]?: ProvenAddress[Name] | null | undefined },
): Pick<EventActor, "address" | "proof"> {
  const isAsked = addressees !== null && address !== undefined && address !== null;
  return isAsked ? { address, proof: proof ?? null } : { address: null, proof: null };
}

/** True when `address`, in upper or lower case, or its whole domain is in a stored list. */
export function isAddressee(stored: string, address: string): boolean {
  const own = address.toLowerCase();
  const domain = ANYBODY + own.slice(own.lastIndexOf("@"));
  return stored.split(" ").some((each) => each.toLowerCase() === own || each.toLowerCase() === domain);
}

/**
 * A proven address for people to read, on one line. At a chosen domain, strangers may have chosen the rest of it:
 * characters that deceive, or stand for more than themselves, are replaced.
 */
export function toHarmlessAddress(address: string): string {
  return replaceUnprintable(address, () => REPLACEMENT).replace(MEANT_OTHERWISE, REPLACEMENT);
}

/**
 * The address that a caller has proven for the secret or the request `subjectId`, and how: that of their session, or of
 * the proof with this token. Undefined for none.
 */
export async function findProvenAddress(
  { store }: { readonly store: Pick<ProofStore, "findProof"> },
  caller: Caller,
  subjectId: string,
  proofToken: string | undefined,
): Promise<ProvenAddress | undefined> {
  const own = addressOf(caller);
  if (own !== undefined) return { address: own, proof: "session" };
  if (proofToken === undefined) return undefined;
  return store.findProof(hashToken(proofToken), subjectId);
}

/**
 * The stored form of the people whom something is for; null for everybody. Throws a Refusal `schema_mismatch` when one
 * of them is no address, and where no address can be proven.
 */
export function toAddressees(policy: ServerPolicy, asked: string | undefined): string | null {
  if (asked === undefined) return null;
  const wrong = (detail: string) =>
    new Refusal("schema_mismatch", { errors: [{ pointer: "/query/for", code: "format" }], detail });
  if (!provesAddresses(policy)) {
    throw wrong("This server has neither mail nor single sign-on, so nobody could prove an address.");
  }
  const addressees = parseAddressees(asked);
  if (addressees === undefined) throw wrong("One of them is no address, and no domain such as *@example.com.");
  return addressees;
}
