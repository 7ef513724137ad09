import { handoffCommand } from "./executable.ts";
import { startInTerminal } from "./people.ts";
import type { Person, Place, Session } from "./people.ts";
import { until } from "./polls.ts";

/** A terminal that shows a code, and where to enter it. */
export interface WaitingTerminal {
  readonly person: Person;
  readonly command: Session;
  readonly code: string;
  readonly address: string;
}

/** Runs `handoff login --browser` in a terminal, until it shows a code. */
export async function beginLogin(place: Place): Promise<WaitingTerminal> {
  const person = place.person("terminal");
  const args = ["login", "--browser", "--url", place.server.url];
  const command = startInTerminal(person, [...handoffCommand(), ...args]);
  await command.untilShown("enter this code within 10 minutes");
  const shown = () => /Open (\S+) in a browser[^]*\b([B-Z]{4}-[B-Z]{4})\b/.exec(command.screen());
  await until(() => shown() !== null);
  const [, address = "", code = ""] = shown() ?? [];
  return { person, command, code, address };
}
