import type { Command } from "commander";
import dashboard from "../../deploy/grafana-dashboard.json" with { type: "json" };
import alerts from "../../deploy/prometheus-alerts.yaml" with { type: "text" };
import type { Terminal } from "../../terminal/terminal.ts";

/** `handoff admin alerts` and `handoff admin dashboard`: files for Prometheus and Grafana, which read the metrics. */
export function addMonitoring(admin: Command, terminal: Terminal): void {
  admin
    .command("alerts")
    .description("Print alert rules for Prometheus.")
    .addHelpText("after", "\nExample:\n  handoff admin alerts | sudo tee /etc/prometheus/handoff.rules.yml")
    .action(() => terminal.out(alerts));
  admin
    .command("dashboard")
    .description("Print a dashboard to import into Grafana.")
    .addHelpText("after", "\nExample:\n  handoff admin dashboard > handoff.json")
    .action(() => terminal.out(`${JSON.stringify(dashboard, null, 2)}\n`));
}
