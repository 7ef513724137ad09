import { formatCsv } from "../../client/audit/csv.ts";
import { COLUMNS } from "../../client/audit/lines.ts";
import type { SeenLine } from "../../client/audit/lines.ts";
import { idEndOf } from "../parts/id-end.tsx";
import { printable } from "../parts/printable.ts";
import { AUDITING } from "../texts/auditing.ts";

const { auditing: words } = AUDITING;

/** What happened. A type that this version doesn't know is named as the server names it. */
export function describeType({ type, secret_id: secret, request_id: request }: SeenLine): string {
  if (type === "secret.created" && secret !== null && request !== null) return words.handedIn;
  const known: Readonly<Record<string, string>> = words.events;
  return Object.hasOwn(known, type) ? (known[type] ?? type) : type;
}

/** The secret or request that it happened to, with its ID; undefined for neither. */
export function subjectOf({ secret_id: secret, request_id: request }: SeenLine) {
  if (secret !== null) return { id: secret, name: words.secret(idEndOf(secret)) };
  return request === null ? undefined : { id: request, name: words.request(idEndOf(request)) };
}

/** Who did it; empty when time did. */
export function describeActor({ actor, identity, name, address }: SeenLine): string {
  if (identity !== null) return name === null ? words.unnamed(idEndOf(identity)) : printable(name);
  if (actor === "link") return address === null ? words.holder : words.gave(printable(address));
  return address === null ? "" : printable(address);
}

/** With what they did it, and from which network; both may be missing. */
export function describeWay({ actor, proof, network }: SeenLine): readonly string[] {
  const ways: Readonly<Record<string, string>> = words.ways;
  return [
    ways[proof ?? ""] ?? ways[actor ?? ""] ?? "",
    network === null ? "" : words.network(printable(network)),
  ].filter(Boolean);
}

/** The three words of an ask, which come after its ID. */
export function wordsOf(ask: string): string {
  return printable(ask.split(" ").slice(1).join(", "));
}

/** Returns a function that tells whether a line has all words of `search`, in any case. */
export function createLineSearch(search: string): (line: SeenLine) => boolean {
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (parts.length === 0) return () => true;
  return (line) => {
    const { secret_id: secret, request_id: request, reference, identity, network, ask, id } = line;
    const said = ask === null ? "" : wordsOf(ask);
    const shown = [describeType(line), subjectOf(line)?.name, describeActor(line), ...describeWay(line), said];
    const text = [...shown, secret, request, reference, identity, network, ask, id].join("\n").toLowerCase();
    return parts.every((part) => text.includes(part));
  };
}

/** The same CSV as `handoff admin audit --csv` prints, oldest first. */
export function toCsv(lines: readonly SeenLine[]): Blob {
  return new Blob([formatCsv(COLUMNS), ...lines.map((line) => formatCsv(COLUMNS.map((name) => line[name] ?? "")))]);
}
