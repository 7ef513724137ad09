import type { Command } from "commander";
import dashboard from "../../deploy/grafana-dashboard.json" with { type: "json" };
import alerts from "../../deploy/prometheus-alerts.yaml" with { type: "text" };
import type { Terminal } from "../../terminal/terminal.ts";

/** A panel of the file. Grafana's model says the same of each one several times. */
interface ShortPanel {
  readonly title: string;
  readonly type?: string;
  readonly unit: string;
  /** The queries, by their legends. */
  readonly queries: object;
}

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
    .action(() =>
      terminal.out(`${JSON.stringify({ ...dashboard, panels: dashboard.panels.map(toPanel) }, null, 2)}\n`),
    );
}

/** The Prometheus that is chosen at the top of the dashboard. */
const DATASOURCE = { type: "prometheus", uid: "${source}" };
/** The panels of the first row, which are less high; the others stand three to a row. */
const IN_FIRST_ROW = 4;

/** The panel `index` of Grafana's model. */
function toPanel({ title, type = "timeseries", unit, queries }: ShortPanel, index: number) {
  const place = index - IN_FIRST_ROW;
  return {
    id: index + 1,
    type,
    title,
    datasource: DATASOURCE,
    gridPos:
      place < 0
        ? { x: 6 * index, y: 0, w: 6, h: 4 }
        : { x: 8 * (place % 3), y: 4 + 8 * Math.floor(place / 3), w: 8, h: 8 },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
      refId: String.fromCodePoint(65 + at),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  };
}
