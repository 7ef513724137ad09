import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import type { Clock } from "../../domain/ports/sources.ts";
import type { WebhookSender } from "../../domain/webhooks/sender.ts";
import { createGauges } from "./gauges.ts";

const STATES = ["active", "paused", "gone"] as const;

/**
 * Registers the calls of webhooks, and how far they are behind, by the names of teams. Returns a function that updates
 * them and never rejects.
 */
export function createWebhookMetrics(
  registry: Registry,
  clock: Clock,
  sender: Pick<WebhookSender, "figures" | "calls">,
): () => Promise<void> {
  const calls = new Counter({
    name: "handoff_webhook_calls_total",
    help: "Calls of webhooks by team and result: 2xx, 3xx, 4xx, 5xx, or none without an answer.",
    labelNames: ["team", "result"],
    registers: [registry],
  });
  const gauges = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    createGauges(registry, `handoff_${name}`, help, labels);
  const webhooks = gauges("webhooks", "Webhooks by team and state; gone: paused because the receiver answered 410.", [
    "team",
    "state",
  ]);
  const behind = gauges(
    "webhook_behind_seconds",
    "Age of the oldest event that an active webhook of the team has not received; 0 when all have received everything.",
    ["team"],
  );
  return async () => {
    const figures = await sender.figures().catch(() => []);
    calls.reset();
    for (const { team, result, count } of sender.calls()) calls.inc({ team, result }, count);
    const now = clock.now();
    const ofTeams = [...Map.groupBy(figures, ({ team }) => team)];
    webhooks(
      ofTeams.flatMap(([team, all]) =>
        STATES.map((state) => [{ team, state }, all.filter((each) => each.state === state).length] as const),
      ),
    );
    behind(
      ofTeams.map(([team, all]) => {
        const oldest = Math.min(now, ...all.map(({ behindSince }) => behindSince ?? now));
        return [{ team }, (now - oldest) / 1000];
      }),
    );
  };
}
