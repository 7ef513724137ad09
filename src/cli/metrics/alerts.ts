/** An alerting rule of Prometheus. */
interface Alert {
  readonly name: string;
  readonly expr: string;
  /** The time for which it has to be so. */
  readonly for: string;
  readonly severity: "critical" | "warning";
  /** A sentence on what has happened, and on what to do. */
  readonly summary: string;
}

const ALERTS: readonly Alert[] = [
  {
    name: "HandoffDown",
    expr: 'absent(handoff_build_info) or up{job="handoff"} == 0',
    for: "2m",
    severity: "critical",
    summary: "handoff can't be scraped. Look at 'systemctl status handoff' and its log.",
  },
  {
    name: "HandoffNotReady",
    expr: "handoff_ready == 0",
    for: "1m",
    severity: "critical",
    summary:
      "The storage of handoff can't be used as it should. /health/ready says why, 'handoff admin check' what to do.",
  },
  {
    name: "HandoffStorageTrouble",
    expr: "handoff_storage_trouble == 1",
    for: "5m",
    severity: "warning",
    summary: "The storage of handoff has the trouble {{ $labels.trouble }}. 'handoff admin check' says what to do.",
  },
  {
    name: "HandoffErrors",
    expr: `sum by (instance) (increase(handoff_http_requests_total{status=~"5.."}[10m])) > 5
and sum by (instance) (rate(handoff_http_requests_total{status=~"5.."}[10m]))
  > 0.01 * sum by (instance) (rate(handoff_http_requests_total[10m]))`,
    for: "5m",
    severity: "critical",
    summary: "More than 1 % of the calls of handoff fail with a 5xx. At the level info, the log has a line for each.",
  },
  {
    name: "HandoffSlow",
    expr: `histogram_quantile(0.99, sum by (instance, le) (rate(handoff_http_request_duration_seconds_bucket{route=~"/(api|app)/.*"}[10m]))) > 1`,
    for: "10m",
    severity: "warning",
    summary:
      "1 % of the calls of handoff take longer than a second. Check the disk and the load of the machine, and of PostgreSQL's if that is another one.",
  },
  {
    name: "HandoffDiskFillsUp",
    expr: "handoff_disk_free_bytes < 1e9 or predict_linear(handoff_disk_free_bytes[6h], 86400) < 0",
    for: "15m",
    severity: "warning",
    summary: "The disk of handoff has less than 1 GB left, or is full within a day. Make room, or lower --team-quota.",
  },
  {
    name: "HandoffBallastMissing",
    expr: "handoff_ballast_bytes < handoff_ballast_wanted_bytes",
    for: "5m",
    severity: "warning",
    summary: "Too little room is held back for claims on a full disk. Make room.",
  },
  {
    name: "HandoffWalGrows",
    expr: "handoff_wal_bytes > 1e9",
    for: "15m",
    severity: "warning",
    summary: "handoff.db-wal can't be emptied. Look for a program that keeps the database open.",
  },
  {
    name: "HandoffErasingBehind",
    expr: "handoff_erasing_behind_seconds > 9 * 3600",
    for: "15m",
    severity: "warning",
    summary:
      "What was erased {{ $value | humanizeDuration }} ago is still in files of PostgreSQL. Look for a transaction that stays open: pg_stat_activity names it.",
  },
  {
    name: "HandoffBackupTooOld",
    expr: "time() - handoff_last_backup_timestamp_seconds > 2 * 86400",
    for: "1h",
    severity: "warning",
    summary: "The last 'handoff admin backup' is more than 2 days old. Look at the log of its timer.",
  },
  {
    name: "HandoffCertificateEnds",
    expr: "(handoff_tls_certificate_end_timestamp_seconds - time()) / 86400 < 14",
    for: "1h",
    severity: "warning",
    summary:
      "The certificate of handoff ends in {{ $value | humanize }} days. Renew it, then run 'systemctl restart handoff'.",
  },
  {
    name: "HandoffCertificateEnded",
    expr: "handoff_tls_certificate_end_timestamp_seconds - time() < 86400",
    for: "5m",
    severity: "critical",
    summary:
      "The certificate of handoff has ended, or ends within a day. Renew it, then run 'systemctl restart handoff'.",
  },
  {
    name: "HandoffKeyEnds",
    expr: "(handoff_api_key_next_end_timestamp_seconds - time()) / 86400 < 7",
    for: "1h",
    severity: "warning",
    summary:
      "An API key of the team {{ $labels.team }} ends in {{ $value | humanize }} days. 'handoff admin key list' names it, 'key rotate' replaces it.",
  },
  {
    name: "HandoffWebhookBehind",
    expr: "handoff_webhook_behind_seconds > 3600",
    for: "15m",
    severity: "warning",
    summary:
      "A webhook of the team {{ $labels.team }} hasn't been told of events for {{ $value | humanizeDuration }}. 'handoff admin webhook list' says which, 'webhook deliveries' why.",
  },
  {
    name: "HandoffWebhookGone",
    expr: 'handoff_webhooks{state="gone"} > 0',
    for: "5m",
    severity: "warning",
    summary:
      "A webhook of the team {{ $labels.team }} is paused: its receiver answered 410. Delete it, or resume it: 'handoff admin webhook resume'.",
  },
  {
    name: "HandoffTeamQuota",
    expr: "handoff_team_stored_bytes / handoff_team_quota_bytes > 0.9",
    for: "15m",
    severity: "warning",
    summary: "The team {{ $labels.team }} uses more than 90 % of its quota. Beyond it, its creations are refused.",
  },
  {
    name: "HandoffFailedAuthentications",
    expr: `sum by (instance) (increase(handoff_failed_authentications_total[10m]))
  + on (instance) sum by (instance) (increase(handoff_rate_limited_total{limit="failures"}[10m])) > 200`,
    for: "5m",
    severity: "warning",
    summary: "Many calls of handoff come without a valid credential. Somebody guesses, or a script has an old key.",
  },
  {
    name: "HandoffBodiesFull",
    expr: "handoff_body_bytes / handoff_body_limit_bytes > 0.9",
    for: "5m",
    severity: "warning",
    summary: "Bodies and large answers take almost all of --body-memory, beyond which calls are answered 503.",
  },
];

/** The alerting rules as a file of Prometheus, in YAML. */
export function formatAlerts(): string {
  const rules = ALERTS.map(
    ({ name, expr, for: forTime, severity, summary }) => `      - alert: ${name}
        expr: |-
${expr.replace(/^/gm, "          ")}
        for: ${forTime}
        labels:
          severity: ${severity}
        annotations:
          summary: ${JSON.stringify(summary)}
`,
  );
  return `groups:\n  - name: handoff\n    rules:\n${rules.join("")}`;
}
