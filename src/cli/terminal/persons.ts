import type { Person } from "../../contract/persons.ts";
import { printable } from "./terminal.ts";

/** A person as the server knows them, in one line: `Ann Lee (ann@example.com), platform`. */
export function formatPerson({ name, address, team }: Person): string {
  return printable(`${name === null ? address : `${name} (${address})`}, ${team}`);
}
