import { APPROVAL_BREAKS } from "./approvals.ts";
import type { Break } from "./break.ts";
import { CLIENT_BREAKS } from "./clients.ts";
import { ERROR_BREAKS } from "./errors.ts";
import { GATE_BREAKS } from "./gate.ts";
import { LARGE_SECRET_BREAKS } from "./large-secrets.ts";
import { MAIL_BREAKS } from "./mails.ts";
import { POSTGRES_FAILURE_BREAKS } from "./postgres-failures.ts";
import { REQUEST_BREAKS } from "./requests-and-people.ts";
import { SIGN_IN_BREAKS } from "./sign-ins.ts";
import { STORAGE_BREAKS } from "./storage.ts";
import { WEBHOOK_BREAKS } from "./webhooks.ts";

export const BREAKS: readonly Break[] = [
  ...REQUEST_BREAKS,
  ...SIGN_IN_BREAKS,
  ...MAIL_BREAKS,
  ...APPROVAL_BREAKS,
  ...GATE_BREAKS,
  ...STORAGE_BREAKS,
  ...LARGE_SECRET_BREAKS,
  ...CLIENT_BREAKS,
  ...ERROR_BREAKS,
  ...WEBHOOK_BREAKS,
  ...POSTGRES_FAILURE_BREAKS,
];
