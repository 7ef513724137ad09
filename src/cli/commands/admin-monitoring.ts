import type { Command } from "commander";
import { formatAlerts } from "../metrics/alerts.ts";
import { formatDashboard } from "../metrics/dashboard.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff admin alerts` and `handoff admin dashboard`: what watches the metrics of `--metrics-listen`. */
export function addMonitoring(admin: Command, terminal: Terminal): void {
  admin
    .command("alerts")
    .description("Print alert rules for Prometheus.")
    .addHelpText("after", "\nExample:\n  handoff admin alerts | sudo tee /etc/prometheus/handoff.rules.yml")
    .action(() => terminal.out(formatAlerts()));
  admin
    .command("dashboard")
    .description("Print a dashboard to import into Grafana.")
    .addHelpText("after", "\nExample:\n  handoff admin dashboard > handoff.json")
    .action(() => terminal.out(formatDashboard()));
}
