import agents from "./agents.md" with { type: "text" };
import api from "./api.md" with { type: "text" };
import approvals from "./approvals.md" with { type: "text" };
import ask from "./ask.md" with { type: "text" };
import backups from "./backups.md" with { type: "text" };
import certificates from "./certificates.md" with { type: "text" };
import changelog from "./changelog.md" with { type: "text" };
import clientsGo from "./clients-go.md" with { type: "text" };
import clients from "./clients.md" with { type: "text" };
import develop from "./develop.md" with { type: "text" };
import failover from "./failover.md" with { type: "text" };
import install from "./install.md" with { type: "text" };
import json from "./json.md" with { type: "text" };
import largeSecrets from "./large-secrets.md" with { type: "text" };
import logs from "./logs.md" with { type: "text" };
import mail from "./mail.md" with { type: "text" };
import metrics from "./metrics.md" with { type: "text" };
import operate from "./operate.md" with { type: "text" };
import page from "./page.md" with { type: "text" };
import peopleAndKeys from "./people-and-keys.md" with { type: "text" };
import performance from "./performance.md" with { type: "text" };
import postgresql from "./postgresql.md" with { type: "text" };
import proxies from "./proxies.md" with { type: "text" };
import automation from "./recipes/automation.md" with { type: "text" };
import ci from "./recipes/ci.md" with { type: "text" };
import deploy from "./recipes/deploy.md" with { type: "text" };
import scripts from "./scripts.md" with { type: "text" };
import security from "./security.md" with { type: "text" };
import send from "./send.md" with { type: "text" };
import settings from "./settings.md" with { type: "text" };
import singleSignOn from "./single-sign-on.md" with { type: "text" };
import start from "./start.md" with { type: "text" };
import upgrade from "./upgrade.md" with { type: "text" };
import webhooks from "./webhooks.md" with { type: "text" };

/** A topic of the manual. */
export interface Topic {
  /** The name that commands, addresses and links use. */
  readonly name: string;
  readonly group: string;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** All of it, in Markdown. Links to other topics are paths of files, such as `backups.md#restore`. */
  readonly text: string;
}

/** The texts in reading order, by group and name. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Use: { start, send, ask, approvals, page },
  Automate: { scripts, json, api, "large-secrets": largeSecrets, clients, "clients-go": clientsGo, agents },
  Recipes: { ci, deploy, automation },
  "Set up a server": {
    install,
    proxies,
    certificates,
    "people-and-keys": peopleAndKeys,
    "single-sign-on": singleSignOn,
    mail,
    webhooks,
    settings,
  },
  "Run a server": { operate, logs, metrics, backups, upgrade, postgresql, failover },
  "About handoff": { security, performance, changelog, develop },
};

/** The topics of the manual in reading order. */
export const TOPICS: readonly Topic[] = Object.entries(GROUPS).flatMap(([group, texts]) =>
  Object.entries(texts).map(([name, text]) => {
    const [title = "", summary = ""] = text.trim().split(/\n{2,}/);
    return { name, group, title: title.replace(/^# /, ""), summary: summary.replaceAll("\n", " "), text };
  }),
);

/** Returns the topic `name`; undefined when there is none. */
export function findTopic(name: string): Topic | undefined {
  return TOPICS.find((each) => each.name === name);
}
