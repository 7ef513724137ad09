import type { Command } from "commander";
import { ClientError } from "../../client/errors.ts";
import { followEvents, pastEvents } from "../../client/events.ts";
import type { SeenEvent } from "../../client/shapes.ts";
import { codeOf } from "../../contract/error-traces.ts";
import { isId } from "../../contract/ids.ts";
import { EVENT_TYPES } from "../../contract/states.ts";
import { addConnectionFlags, connect, tellLost } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import { CommandError, formatJson, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface EventsFlags extends ConnectionFlags {
  readonly follow?: boolean;
  readonly after?: string;
  readonly type?: readonly string[];
}

/** `handoff events` */
export function addEvents(program: Command, terminal: Terminal): void {
  addConnectionFlags(program.command("events"))
    .description("Print what happened to the secrets and requests of your team, a line each, oldest first.")
    .option("-f, --follow", "Go on with what happens from then on, until interrupted.")
    .option("--after <id>", "Only what came after this event; 'now' for what happens from now on.")
    .option("--type <type>", "Only events of this type. May be repeated.", addType)
    .addHelpText("after", HELP)
    .action(async (flags: EventsFlags) => {
      try {
        await printEvents(terminal, flags);
      } catch (error) {
        // The reader has what it wanted.
        if (error instanceof CommandError && codeOf(error.cause) === "EPIPE") return;
        // Nothing else in this call can be wrong.
        if (error instanceof ClientError && error.code === "schema_mismatch") throw usageError(TOO_LATE);
        throw error;
      }
    });
}

const TOO_LATE =
  "The server has come to no event as late as the one to go on after: its ID is from another server, or a clock was set back.";

const HELP = `
A line has the time, the type, the secret or request, who did it (api_key:ID,
person:ID, address:ADDRESS that they proved, link, or link:ADDRESS that was
refused), the ticket and the ID of the event, with a space between them and -
for what there isn't. --json prints an object a line. Events are kept
as long as the server keeps ended secrets. --follow comes back by itself when
the connection is lost, without losing an event or printing one twice.
Needs the scope events:read.

Types:
${EVENT_TYPES.map((type) => `  ${type}`).join("\n")}

Examples:
  handoff events --type secret.claimed
  handoff events --follow --after now | while read -r time type what who ticket id; do echo "$what: $type"; done
  handoff events --follow --json | jq --unbuffered -r 'select(.type == "secret.claimed").secret_id'`;

function addType(type: string, before: readonly string[] = []): readonly string[] {
  if (EVENT_TYPES.some((each) => each === type)) return [...before, type];
  throw usageError(`--type must be one of: ${EVENT_TYPES.join(", ")}.`);
}

async function printEvents(terminal: Terminal, flags: EventsFlags): Promise<void> {
  const after = parseAfter(flags.after);
  const signal = terminal.interruptible();
  const client = await connect(terminal, flags, signal);
  const print = (event: SeenEvent) => {
    if (flags.type && !flags.type.includes(event.type)) return;
    // Prints each event at once, so that a reader can act on it.
    terminal.out(flags.json ? formatJson(event) : `${describe(event)}\n`);
  };
  const events = flags.follow
    ? followEvents(client, { after, signal, ...sayLost(terminal, flags) })
    : pastEvents(client, after);
  for await (const event of events) print(event);
}

function parseAfter(after: string | undefined): string | undefined {
  if (after === undefined || after === "now" || isId(after, "event")) return after;
  throw usageError("--after must be the ID of an event, such as the last one on the line of one, or 'now'.");
}

function describe({ id, type, created_at: at, secret_id: secret, request_id: request, actor, reference }: SeenEvent) {
  const whom = actor && (actor.id ?? actor.address?.replaceAll(/\s/g, "_"));
  const who = actor && [actor.kind, whom].filter(Boolean).join(":");
  return [at, type, secret ?? request, who, reference, id].map((each) => each ?? "-").join(" ");
}

/** Reports a lost connection. Gives up soon on a server that was never reached. */
function sayLost(terminal: Terminal, flags: EventsFlags) {
  let hasBegun = false;
  return {
    onBegin: () => void (hasBegun = true),
    onLost: tellLost(terminal, flags, () => (hasBegun ? " until it's back" : "")),
  };
}
