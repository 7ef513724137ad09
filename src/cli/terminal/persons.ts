import type { Person } from "../../contract/persons.ts";
import { toLine } from "./terminal.ts";

/** Describes a person in one line. Their own name is last, so that it can't end the sentence that vouches for them. */
export function formatPerson({ name, address, team }: Person, baseUrl: string): string {
  const known = `${address}, team ${team}, signed in on ${new URL(baseUrl).host}`;
  return toLine(name === null ? known : `${known}, who goes by: ${name}`);
}
