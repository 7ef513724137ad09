import type { BaseSQLiteDatabase, SQLiteColumn, SQLiteTableWithColumns } from "drizzle-orm/sqlite-core";
import type { AdminLogEntry } from "../../domain/ports/admin-log.ts";
import type { AttemptRecord } from "../../domain/ports/attempts.ts";
import type { EventRecord } from "../../domain/ports/events.ts";
import type { IdentityRecord, KeyRecord, TeamRecord } from "../../domain/ports/identities.ts";
import type { LoginRecord } from "../../domain/ports/logins.ts";
import type { MailRecord } from "../../domain/ports/mails.ts";
import type { NoticePlace, NoticeSwitches } from "../../domain/ports/notices.ts";
import type { PasskeyRecord } from "../../domain/ports/passkeys.ts";
import type { SessionRecord, SignInLinkRecord } from "../../domain/ports/persons.ts";
import type { ProviderAccount } from "../../domain/ports/providers.ts";
import type { RequestRecord } from "../../domain/ports/requests.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import type { WebhookDelivery, WebhookRecord } from "../../domain/ports/webhooks.ts";

/** The rows of the tables that administration uses. An engine's tables may have more columns. */
export interface Rows {
  readonly teams: TeamRecord;
  readonly identities: Omit<IdentityRecord, "teamName">;
  readonly apiKeys: Omit<KeyRecord, "identity"> & { readonly identityId: string; readonly tokenHash: Uint8Array };
  readonly signInLinks: Omit<SignInLinkRecord, "identity"> & {
    readonly identityId: string;
    readonly tokenHash: Uint8Array;
    readonly purpose: "sign_in";
  };
  readonly sessions: Omit<SessionRecord, "identity"> & { readonly identityId: string; readonly tokenHash: Uint8Array };
  readonly passkeys: Omit<PasskeyRecord, "identity"> & { readonly identityId: string };
  readonly providerAccounts: ProviderAccount & { readonly identityId: string };
  readonly attempts: AttemptRecord & {
    readonly tokenHash: Uint8Array;
    readonly address: string | null;
    readonly subjectId: string | null;
    readonly tries: number;
  };
  readonly mails: MailRecord;
  readonly noticeSwitches: NoticeSwitches;
  readonly noticePlaces: NoticePlace;
  readonly logins: LoginRecord & { readonly deviceHash: Uint8Array };
  readonly webhooks: Omit<WebhookRecord, "teamName">;
  readonly webhookDeliveries: WebhookDelivery & { readonly id: number; readonly webhookId: string };
  readonly adminLog: AdminLogEntry;
  readonly secrets: Pick<
    SecretRecord,
    "id" | "teamId" | "state" | "createdAt" | "expiresAt" | "claims" | "createdBy" | "reference" | "approval"
  > & { readonly dueAt: number };
  readonly requests: Pick<RequestRecord, "id" | "teamId" | "state" | "createdAt" | "expiresAt" | "createdBy">;
  readonly events: EventRecord;
  readonly serverSettings: { readonly id: number; readonly teamQuotaBytes: number; readonly keyEndsUntil: number };
  readonly installations: { readonly id: number; readonly publicId: string };
  readonly clocks: { readonly id: number; readonly latestAt: number };
}

/** The columns with a default, which are optional in an insert. */
interface Defaults {
  readonly attempts: "tries";
  readonly noticeSwitches: "asked";
  readonly serverSettings: "keyEndsUntil";
  readonly webhooks: "revision" | "failures" | "rejections";
  readonly webhookDeliveries: "id";
  readonly adminLog: "id";
}
type DefaultsOf<Name> = Name extends keyof Defaults ? Defaults[Name] : never;

type ColumnOf<Value, HasDefault extends boolean> = SQLiteColumn<
  {
    name: string;
    tableName: string;
    dataType: "custom";
    columnType: string;
    data: NonNullable<Value>;
    driverParam: unknown;
    notNull: null extends Value ? false : true;
    hasDefault: HasDefault;
    isPrimaryKey: false;
    isAutoincrement: false;
    hasRuntimeDefault: false;
    enumValues: undefined;
  },
  object,
  { generated: undefined }
>;

type TableOf<Row, Default> = SQLiteTableWithColumns<{
  name: string;
  schema: undefined;
  dialect: "sqlite";
  columns: { [Name in keyof Row]: ColumnOf<Row[Name], Name extends Default ? true : false> };
}>;

export type Tables = { readonly [Name in keyof Rows]: TableOf<Rows[Name], DefaultsOf<Name>> };

/** Builds queries. The queries of administration are the same for every engine. */
export type Orm = BaseSQLiteDatabase<"sync", unknown>;

/**
 * Types the tables of an engine as those of administration. Both engines build queries with drizzle, in the same way.
 */
export function toTables(schema: { readonly [Name in keyof Rows]: { readonly $inferSelect: Rows[Name] } }): Tables {
  return schema as unknown as Tables;
}
