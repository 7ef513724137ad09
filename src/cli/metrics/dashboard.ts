/** A panel of the dashboard: what it shows, of which unit of Grafana, and from which queries by what they are called. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly queries: Readonly<Record<string, string>>;
  readonly kind?: "timeseries" | "stat";
}

const SELECTED = 'instance=~"$instance"';

// Servers on one PostgreSQL tell the same of what is in it and happens there: of theirs the greatest counts, and not the sum.
const PANELS: readonly Panel[] = [
  { title: "Ready", unit: "none", kind: "stat", queries: { "{{instance}}": `handoff_ready{${SELECTED}}` } },
  {
    title: "Version",
    unit: "none",
    kind: "stat",
    queries: { "{{version}} {{commit}}": `handoff_build_info{${SELECTED}}` },
  },
  {
    title: "Last backup",
    unit: "s",
    kind: "stat",
    queries: { "{{instance}}": `time() - handoff_last_backup_timestamp_seconds{${SELECTED}}` },
  },
  {
    title: "Days until certificate and keys end",
    unit: "d",
    kind: "stat",
    queries: {
      certificate: `(handoff_tls_certificate_end_timestamp_seconds{${SELECTED}} - time()) / 86400`,
      "key of {{team}}": `(handoff_api_key_next_end_timestamp_seconds{${SELECTED}} - time()) / 86400`,
    },
  },
  {
    title: "Calls by status",
    unit: "reqps",
    queries: { "{{status}}": `sum by (status) (rate(handoff_http_requests_total{${SELECTED}}[$__rate_interval]))` },
  },
  {
    title: "Calls by route",
    unit: "reqps",
    queries: {
      "{{method}} {{route}}": `topk(10, sum by (method, route) (rate(handoff_http_requests_total{${SELECTED}}[$__rate_interval])))`,
    },
  },
  {
    title: "Time to answer",
    unit: "s",
    queries: Object.fromEntries(
      [0.5, 0.95, 0.99].map((share) => [
        `p${share * 100}`,
        `histogram_quantile(${share}, sum by (le) (rate(handoff_http_request_duration_seconds_bucket{${SELECTED}}[$__rate_interval])))`,
      ]),
    ),
  },
  {
    title: "Secrets and requests: what happens",
    unit: "ops",
    queries: {
      "{{type}}": `max by (type) (sum by (instance, type) (rate(handoff_events_total{${SELECTED}}[$__rate_interval])))`,
    },
  },
  {
    title: "Secrets by state",
    unit: "short",
    queries: { "{{state}}": `sum by (state) (max by (team, state) (handoff_secrets{${SELECTED}}))` },
  },
  {
    title: "Requests by state",
    unit: "short",
    queries: { "{{state}}": `sum by (state) (max by (team, state) (handoff_requests{${SELECTED}}))` },
  },
  {
    title: "Quota used, by team",
    unit: "percentunit",
    queries: {
      "{{team}}": `topk(10, max by (team) (handoff_team_stored_bytes{${SELECTED}} / handoff_team_quota_bytes{${SELECTED}}))`,
    },
  },
  {
    title: "Refused calls",
    unit: "reqps",
    queries: { "{{code}}": `sum by (code) (rate(handoff_refusals_total{${SELECTED}}[$__rate_interval]))` },
  },
  {
    title: "Failed authentications and 429",
    unit: "reqps",
    queries: {
      "{{code}}": `sum by (code) (rate(handoff_failed_authentications_total{${SELECTED}}[$__rate_interval]))`,
      "429 {{limit}}": `sum by (limit) (rate(handoff_rate_limited_total{${SELECTED}}[$__rate_interval]))`,
    },
  },
  {
    title: "Webhooks: calls by result",
    unit: "reqps",
    queries: { "{{result}}": `sum by (result) (rate(handoff_webhook_calls_total{${SELECTED}}[$__rate_interval]))` },
  },
  {
    title: "Webhooks: time behind, by team",
    unit: "s",
    queries: { "{{team}}": `max by (team) (handoff_webhook_behind_seconds{${SELECTED}})` },
  },
  { title: "Waiting calls", unit: "short", queries: { "{{instance}}": `handoff_waiting_calls{${SELECTED}}` } },
  {
    title: "Memory of bodies",
    unit: "bytes",
    queries: { used: `handoff_body_bytes{${SELECTED}}`, limit: `handoff_body_limit_bytes{${SELECTED}}` },
  },
  {
    title: "Transactions, and writes in each",
    unit: "short",
    queries: {
      "transactions per second": `rate(handoff_transaction_writes_count{${SELECTED}}[$__rate_interval])`,
      "writes in each": `rate(handoff_transaction_writes_sum{${SELECTED}}[$__rate_interval]) / rate(handoff_transaction_writes_count{${SELECTED}}[$__rate_interval])`,
    },
  },
  {
    title: "Files",
    unit: "bytes",
    queries: {
      database: `handoff_database_bytes{${SELECTED}}`,
      "handoff.db-wal": `handoff_wal_bytes{${SELECTED}}`,
    },
  },
  {
    title: "Room on the disk",
    unit: "bytes",
    queries: { free: `handoff_disk_free_bytes{${SELECTED}}`, ballast: `handoff_ballast_bytes{${SELECTED}}` },
  },
  {
    title: "Storage troubles",
    unit: "none",
    queries: { "{{trouble}}": `handoff_storage_trouble{${SELECTED}} == 1` },
  },
  {
    title: "Processor and memory",
    unit: "short",
    queries: {
      cores: `rate(process_cpu_seconds_total{${SELECTED}, job="handoff"}[$__rate_interval])`,
      "memory, GB": `process_resident_memory_bytes{${SELECTED}, job="handoff"} / 1e9`,
    },
  },
];

const SOURCE = { type: "prometheus", uid: "${source}" };
const WIDTH = 24;
const SIZES = { stat: { w: 6, h: 4 }, timeseries: { w: 8, h: 8 } } as const;

/** The dashboard for Grafana 9 or later, as the JSON that it imports. */
export function formatDashboard(): string {
  const variables = [
    { name: "source", label: "Prometheus", type: "datasource", query: "prometheus" },
    {
      name: "instance",
      type: "query",
      datasource: SOURCE,
      query: "label_values(handoff_build_info, instance)",
      refresh: 2,
      includeAll: true,
      multi: true,
      current: { text: "All", value: "$__all" },
    },
  ];
  const dashboard = {
    title: "handoff",
    uid: "handoff",
    tags: ["handoff"],
    schemaVersion: 37,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: variables },
    panels: layOut(PANELS),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

/** The panels from left to right, and then below. */
function layOut(panels: readonly Panel[]): object[] {
  let [x, y, height] = [0, 0, 0];
  return panels.map(({ title, unit, queries, kind = "timeseries" }, index) => {
    const { w, h } = SIZES[kind];
    if (x + w > WIDTH || (height !== h && x > 0)) [x, y] = [0, y + height];
    const gridPos = { x, y, w, h };
    x += w;
    height = h;
    const targets = Object.entries(queries).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + at),
      datasource: SOURCE,
      expr,
      legendFormat,
    }));
    return { id: index + 1, type: kind, title, datasource: SOURCE, gridPos, fieldConfig: fieldsOf(unit), targets };
  });
}

function fieldsOf(unit: string) {
  return { defaults: { unit, min: 0 }, overrides: [] };
}
