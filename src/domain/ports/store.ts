import type { AdminStore } from "./admin.ts";
import type { CredentialStore } from "./credentials.ts";
import type { EventFeed, EventStore } from "./events.ts";
import type { HealthStore } from "./health.ts";
import type { LoginStore } from "./logins.ts";
import type { MailStore } from "./mails.ts";
import type { NoticeStore } from "./notices.ts";
import type { PasskeyStore } from "./passkeys.ts";
import type { PersonStore } from "./persons.ts";
import type { ProofStore } from "./proofs.ts";
import type { ProviderStore } from "./providers.ts";
import type { RequestStore } from "./requests.ts";
import type { SecretStore } from "./secrets.ts";
import type { StatisticsStore } from "./statistics.ts";
import type { WebhookStore } from "./webhooks.ts";

/** Applies changes that are due by time. Each call does a bounded step, and resolves true when there is more to do. */
export interface SweepStore {
  sweep(limit: number): Promise<boolean>;
}

export type Store = SecretStore &
  PersonStore &
  PasskeyStore &
  ProviderStore &
  LoginStore &
  MailStore &
  NoticeStore &
  ProofStore &
  RequestStore &
  EventStore &
  EventFeed &
  SweepStore &
  CredentialStore &
  AdminStore &
  HealthStore &
  StatisticsStore &
  WebhookStore & {
    /** Commits running writes, finishes erasures and closes the database. */
    close(): Promise<void>;
  };
