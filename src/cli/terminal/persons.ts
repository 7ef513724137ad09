import type { Person } from "../../contract/persons.ts";
import { toLine } from "./terminal.ts";

/**
 * A person whom the server at `baseUrl` names, in one line: `ann@example.com, team demo, signed in on handoff.example, who
 * goes by: Ann Lee`. The name is last, where it cannot end the sentence that vouches for them.
 */
export function formatPerson({ name, address, team }: Person, baseUrl: string): string {
  const known = `${address}, team ${team}, signed in on ${new URL(baseUrl).host}`;
  return toLine(name === null ? known : `${known}, who goes by: ${name}`);
}
