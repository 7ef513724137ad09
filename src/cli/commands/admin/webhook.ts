import { Option } from "commander";
import type { Command } from "commander";
import { EVENT_TYPES } from "../../../contract/states.ts";
import type { EventType } from "../../../contract/states.ts";
import { toIsoTime } from "../../../contract/times.ts";
import { getTeam } from "../../../domain/administration.ts";
import { WEBHOOK_FORMATS } from "../../../domain/ports/webhooks.ts";
import type { WebhookDelivery, WebhookFormat, WebhookRecord } from "../../../domain/ports/webhooks.ts";
import {
  createWebhook,
  deleteWebhook,
  findBehind,
  getWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  undoRotation,
} from "../../../domain/webhooks/webhooks.ts";
import type { WebhookAdminDeps } from "../../../domain/webhooks/webhooks.ts";
import { addAdminFlags, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { showOnce } from "../../server/administering/shown-once.ts";
import { tryWebhook } from "../../server/administering/webhook-tests.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { formatTable } from "../../terminal/tables.ts";
import { checkStandardOutput, formatJson, remark } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

interface CreateFlags extends AdminFlags {
  readonly team: string;
  readonly url: string;
  readonly event?: EventType[];
  readonly format: WebhookFormat;
  readonly allowHttp?: true;
}

/** `handoff admin webhook create|list|show|pause|resume|delete|test|rotate-secret|deliveries` */
export function addWebhook(admin: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  const webhook = admin.command("webhook").description("Webhooks: URLs that are called with a team's events.");
  addCreate(webhook, terminal);
  addList(webhook, terminal);
  addShow(webhook, terminal);
  addChange(webhook, terminal, "pause", "Make no more calls, until it is resumed.", pauseWebhook, "Paused");
  addChange(webhook, terminal, "resume", "Go on where it stopped, at once.", resumeWebhook, "Resumed");
  addDelete(webhook, terminal);
  addTest(webhook, terminal, exitWith);
  addRotate(webhook, terminal);
  addDeliveries(webhook, terminal);
}

function addCreate(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("create"))
    .description("Send a team's events to a URL from now on. Only the signing secret goes to standard output.")
    .requiredOption("--team <name>", "The team, by name or id.")
    .requiredOption("--url <url>", "The URL that is called; - reads it from standard input.")
    .addOption(new Option("--event <type...>", "Only events of these types; all without it.").choices(EVENT_TYPES))
    .addOption(
      new Option("--format <format>", "What is sent: signed JSON, a chat message, or a notification of ntfy.")
        .choices(WEBHOOK_FORMATS)
        .default("standard"),
    )
    .option("--allow-http", "Call http:// on another machine, where everybody on the way can read it.")
    .addHelpText("after", CREATE_HELP)
    .action(async (flags: CreateFlags) => {
      checkStandardOutput(terminal);
      const { team, format, event: eventTypes = [], allowHttp = false } = flags;
      const url = flags.url === "-" ? new TextDecoder().decode(await terminal.readAll()).trim() : flags.url;
      await withAdminStore(flags, terminal, async (deps) => {
        const { webhook: made, secret } = await createWebhook(deps, { team, url, format, eventTypes, allowHttp });
        const undo = async () => {
          await deleteWebhook(deps, made.id);
          return "The new webhook was deleted. Run this again where its output can be written.";
        };
        const show = () => {
          if (flags.json) return terminal.out(formatJson({ ...present(made), url: made.url, signing_secret: secret }));
          return secret === null ? undefined : terminal.out(`${secret}\n`);
        };
        await showOnce(show, undo, `Delete it: handoff admin webhook delete ${made.id}`);
        if (flags.json) return;
        remark(
          terminal,
          `Created ${made.id}: ${describeEvents(made)} of '${made.teamName}' are told to ${hostOf(made)}.`,
        );
        if (secret !== null)
          remark(terminal, "Give the secret to the receiver, which checks with it who calls. It is shown this once.");
        remark(terminal, `To try it: handoff admin webhook test ${made.id}`);
      });
    });
}

const CREATE_HELP = `
The URL of many a chat is a credential: others on this machine can see
arguments, so give it on standard input. Calls tell what happened, when, to what
and by whom: never what is in a secret, and no link.

Examples:
  handoff admin webhook create --team ops --url https://hooks.example/handoff
  handoff admin webhook create --team ops --url - --format chat --event secret.claimed < chat-url.txt
  handoff admin webhook create --team ops --url - --format ntfy < ntfy-url.txt`;

function addList(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("list").description("List webhooks."))
    .option("--team <name>", "Only those of this team.")
    .action(async (flags: AdminFlags & { readonly team?: string }) => {
      const webhooks = await readAdminStore(flags, terminal, async (deps) =>
        deps.store.listWebhooks(flags.team === undefined ? undefined : (await getTeam(deps, flags.team)).id),
      );
      if (flags.json) return terminal.out(formatJson(webhooks.map(present)));
      const rows = webhooks.map((each) => [
        each.id,
        each.teamName,
        hostOf(each),
        each.format,
        each.eventTypes?.join(" ") ?? "all",
        describeState(each),
      ]);
      return terminal.out(formatTable(["ID", "TEAM", "HOST", "FORMAT", "EVENTS", "STATE"], rows));
    });
}

function addShow(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("show").argument("<webhook-id>").description("Show a webhook, with its URL.")).action(
    async (id: string, flags: AdminFlags) => {
      const shown = await readAdminStore(flags, terminal, async (deps) => {
        const found = await getWebhook(deps, id);
        const { url, formerSecretUntil } = found;
        const isRotating = formerSecretUntil !== null && formerSecretUntil > deps.clock.now();
        return {
          ...present(found),
          url,
          former_secret_until: isRotating ? toIsoTime(formerSecretUntil) : null,
          last_event_id: found.lastEventId || null,
          behind_since: toIsoTime((await findBehind(deps.store, found)) ?? null),
        };
      });
      if (flags.json) return terminal.out(formatJson(shown));
      const facts = { ...shown, team: shown.team.name, events: shown.events?.join(" ") ?? "all" };
      const rows = Object.entries(facts).map(([name, value]) => [name, String(value ?? "-")]);
      return terminal.out(formatTable(["FIELD", "VALUE"], rows));
    },
  );
}

function addChange(
  webhook: Command,
  terminal: Terminal,
  name: "pause" | "resume",
  description: string,
  change: (deps: WebhookAdminDeps, id: string) => Promise<WebhookRecord>,
  done: string,
): void {
  addAdminFlags(webhook.command(name).argument("<webhook-id>").description(description)).action(
    async (id: string, flags: AdminFlags) => {
      const changed = await withAdminStore(flags, terminal, (deps) => change(deps, id));
      if (flags.json) terminal.out(formatJson(present(changed)));
      else remark(terminal, `${done} ${changed.id}.`);
    },
  );
}

function addDelete(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("delete").argument("<webhook-id>").description("Delete a webhook. It can't be undone."))
    .option("--yes", "Delete it without asking.")
    .action(async (id: string, flags: AdminFlags & { readonly yes?: true }) => {
      const found = await readAdminStore(flags, terminal, (deps) => getWebhook(deps, id));
      const question = `Delete ${found.id}, which tells ${hostOf(found)} of '${found.teamName}'?`;
      await confirm(terminal, question, flags.yes ?? false);
      const deleted = await withAdminStore(flags, terminal, (deps) => deleteWebhook(deps, id));
      if (flags.json) terminal.out(formatJson(present(deleted)));
      else remark(terminal, `Deleted ${deleted.id}.`);
    });
}

function addTest(webhook: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  addAdminFlags(webhook.command("test").argument("<webhook-id>"))
    .description("Call it now with an event of the type webhook.test, and show the answer.")
    .addHelpText("after", TEST_HELP)
    .action(async (id: string, flags: AdminFlags) => {
      const { target, eventId, now } = await readAdminStore(flags, terminal, async (deps) => ({
        target: await getWebhook(deps, id),
        eventId: deps.ids.next("event"),
        now: deps.clock.now(),
      }));
      const tried = await tryWebhook(target, eventId, now);
      if (!tried.isFine) exitWith(1);
      if (flags.json) terminal.out(formatJson(tried.facts));
      else terminal.out(`${tried.text}\n`);
    });
}

const TEST_HELP = `
This command makes the call itself: it works without the server, which may get
elsewhere than you do. The exit code is 0 when the answer was 2xx, else 1.`;

function addRotate(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("rotate-secret").argument("<webhook-id>"))
    .description("Make a new signing secret. For a day the one before signs too.")
    .action(async (id: string, flags: AdminFlags) => {
      checkStandardOutput(terminal);
      await withAdminStore(flags, terminal, async (deps) => {
        const { webhook: changed, secret, formerUntil } = await rotateWebhookSecret(deps, id);
        const until = toIsoTime(formerUntil);
        const show = () =>
          terminal.out(
            flags.json
              ? formatJson({ ...present(changed), signing_secret: secret, former_secret_until: until })
              : `${secret}\n`,
          );
        const undo = async () => {
          await undoRotation(deps, changed);
          return "The old secret is back. Run this again where its output can be written.";
        };
        await showOnce(show, undo, "Nobody has the new secret. Run this again.");
        if (!flags.json)
          remark(terminal, `Give it to the receiver. Until ${until} both secrets sign. It is shown this once.`);
      });
    });
}

function addDeliveries(webhook: Command, terminal: Terminal): void {
  addAdminFlags(webhook.command("deliveries").argument("<webhook-id>"))
    .description("List its last hundred calls, newest first.")
    .action(async (id: string, flags: AdminFlags) => {
      const deliveries = await readAdminStore(flags, terminal, async (deps) => {
        await getWebhook(deps, id);
        return deps.store.listWebhookDeliveries(id);
      });
      if (flags.json) return terminal.out(formatJson(deliveries.map(presentDelivery)));
      const rows = deliveries.map((each) => [
        toIsoTime(each.at) ?? "",
        each.eventId,
        each.eventType,
        String(each.status ?? each.failure),
        `${each.durationMs} ms`,
        each.outcome,
        toIsoTime(each.nextTryAt) ?? "-",
      ]);
      return terminal.out(formatTable(["TIME", "EVENT", "TYPE", "ANSWER", "TOOK", "OUTCOME", "NEXT TRY"], rows));
    });
}

function present(webhook: WebhookRecord) {
  return {
    id: webhook.id,
    team: { id: webhook.teamId, name: webhook.teamName },
    host: hostOf(webhook),
    format: webhook.format,
    events: webhook.eventTypes,
    allow_http: webhook.allowHttp,
    state: webhook.pausedAt === null ? "active" : "paused",
    paused_at: toIsoTime(webhook.pausedAt),
    paused_by: webhook.pausedBy,
    failing_since: toIsoTime(webhook.firstFailedAt),
    next_try_at: toIsoTime(webhook.nextTryAt),
    created_at: toIsoTime(webhook.createdAt),
  };
}

function presentDelivery(delivery: WebhookDelivery) {
  return {
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    at: toIsoTime(delivery.at),
    duration_ms: delivery.durationMs,
    status: delivery.status,
    failure: delivery.failure,
    outcome: delivery.outcome,
    next_try_at: toIsoTime(delivery.nextTryAt),
  };
}

/** The host of the URL. The path is a credential in many chats. */
function hostOf({ url }: WebhookRecord): string {
  return new URL(url).host;
}

function describeEvents({ eventTypes }: WebhookRecord): string {
  return eventTypes === null ? "all events" : `the events ${eventTypes.join(", ")}`;
}

function describeState({ pausedAt, pausedBy, firstFailedAt }: WebhookRecord): string {
  if (pausedAt !== null) return pausedBy === "receiver" ? "paused: the receiver answered 410" : "paused";
  return firstFailedAt === null ? "active" : `failing since ${toIsoTime(firstFailedAt)}`;
}
