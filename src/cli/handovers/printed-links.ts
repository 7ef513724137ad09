import type { HttpClient } from "../../client/http-client.ts";
import { otherOriginOf } from "../../client/link-bases.ts";
import { CommandError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Prints `text`, with a link that is not shown again. If that fails, `takeBack` revokes what the link is for, and
 * resolves with a sentence about the outcome, without its period. Throws CommandError with both, and `advice`.
 */
export async function printLink(
  terminal: Terminal,
  text: string,
  { takeBack, advice }: { readonly takeBack: () => Promise<string>; readonly advice: string },
): Promise<void> {
  try {
    terminal.out(text);
  } catch (error) {
    const reason = error instanceof CommandError ? error.message : "standard output failed";
    throw new CommandError(`Can't print the link: ${reason}. ${await takeBack()}. ${advice}`);
  }
}

/** Says when a link leads to another server than the one called, which only the called server claims. */
export function tellOtherOrigin(terminal: Terminal, client: HttpClient, link: string): void {
  const other = otherOriginOf(client, link);
  if (other === undefined) return;
  terminal.say(`The link leads to ${other}: ${client.baseUrl} says that this is its address.`);
}
