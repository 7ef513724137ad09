import type { AdminStore } from "../../domain/ports/admin.ts";
import type { CredentialStore } from "../../domain/ports/credentials.ts";
import type { LoginStore } from "../../domain/ports/logins.ts";
import type { MailStore } from "../../domain/ports/mails.ts";
import type { NoticeStore } from "../../domain/ports/notices.ts";
import type { PasskeyStore } from "../../domain/ports/passkeys.ts";
import type { PersonStore } from "../../domain/ports/persons.ts";
import type { ProofStore } from "../../domain/ports/proofs.ts";
import type { ProviderStore } from "../../domain/ports/providers.ts";
import type { StatisticsStore } from "../../domain/ports/statistics.ts";
import type { WebhookStore } from "../../domain/ports/webhooks.ts";
import { listAdminLog } from "./admin-log.ts";
import * as identities from "./identities.ts";
import * as keys from "./keys.ts";
import * as logins from "./logins.ts";
import * as mails from "./mails.ts";
import * as notices from "./notices.ts";
import * as passkeys from "./passkeys.ts";
import * as persons from "./persons.ts";
import * as proofs from "./proofs.ts";
import * as providers from "./providers.ts";
import * as sessions from "./sessions.ts";
import { countTeams } from "./team-counts.ts";
import * as teams from "./teams.ts";
import type { Use } from "./uses.ts";
import * as webhooks from "./webhooks.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/**
 * The part of a store that is the same for every engine. Not included: erasing rows, and the coordination of processes.
 */
export type Administration = Omit<AdminStore, "emptyTeam"> &
  Omit<PersonStore, "keepTime" | "recordSessionUse"> &
  PasskeyStore &
  ProviderStore &
  LoginStore &
  MailStore &
  NoticeStore &
  ProofStore &
  Omit<WebhookStore, "mayCallWebhooks"> &
  Pick<CredentialStore, "markKeyExposed"> &
  Pick<StatisticsStore, "findKeyEnds"> & {
    /** Stores the use of a session. */
    noteSessionUse(use: Use): Promise<void>;
    /** Writes the event of a refused key. */
    noteKeyRefusal(keyId: string, network: string | null): Promise<void>;
  };

/** Administration as an engine completes it. */
export type AdministrationStore = Omit<Administration, "noteSessionUse" | "noteKeyRefusal"> &
  Pick<AdminStore, "emptyTeam"> &
  Pick<PersonStore, "recordSessionUse"> &
  Pick<CredentialStore, "recordKeyRefusal"> &
  Pick<WebhookStore, "mayCallWebhooks">;

const CHANGES = {
  createTeam: teams.createTeam,
  renameTeam: teams.renameTeam,
  setTeamQuota: teams.setTeamQuota,
  setTeamRules: teams.setTeamRules,
  closeTeam: teams.closeTeam,
  deleteTeam: teams.deleteTeam,
  createIdentity: identities.createIdentity,
  renameIdentity: identities.renameIdentity,
  deleteIdentity: identities.deleteIdentity,
  disableIdentity: identities.disableIdentity,
  enableIdentity: identities.enableIdentity,
  setScopes: identities.setScopes,
  createKey: keys.createKey,
  revokeKey: keys.revokeKey,
  replaceKey: keys.replaceKey,
  restoreKey: keys.restoreKey,
  markKeyExposed: keys.markKeyExposed,
  noteKeyRefusal: keys.noteKeyRefusal,
  keepTeamQuota: teams.keepTeamQuota,
  createSignInLink: persons.createSignInLink,
  importPerson: persons.importPerson,
  tradeSignIn: persons.tradeSignIn,
  deleteSignInLink: persons.deleteSignInLink,
  signOutPerson: persons.signOutPerson,
  noteSessionUse: sessions.noteSessionUse,
  deleteSession: sessions.deleteSession,
  endSessionOf: sessions.endSessionOf,
  endSessionsOf: sessions.endSessionsOf,
  createAttempt: passkeys.createAttempt,
  takeAttempt: passkeys.takeAttempt,
  addPasskey: passkeys.addPasskey,
  removePasskey: passkeys.removePasskey,
  signInWithPasskey: passkeys.signInWithPasskey,
  noteRefusal: passkeys.noteRefusal,
  signInWithProvider: providers.signInWithProvider,
  endProviderSessions: providers.endProviderSessions,
  beginMailSignIn: mails.beginMailSignIn,
  signInWithCode: mails.signInWithCode,
  createProof: proofs.createProof,
  completeProof: proofs.completeProof,
  postponeMail: mails.postponeMail,
  deleteMail: mails.deleteMail,
  setNotices: notices.setNotices,
  switchNoticesOff: notices.switchNoticesOff,
  queueNotices: notices.queueNotices,
  queueKeyEnds: notices.queueKeyEnds,
  createLogin: logins.createLogin,
  decideLogin: logins.decideLogin,
  takeLogin: logins.takeLogin,
  createWebhook: webhooks.createWebhook,
  pauseWebhook: webhooks.pauseWebhook,
  resumeWebhook: webhooks.resumeWebhook,
  rotateWebhookSecret: webhooks.rotateWebhookSecret,
  deleteWebhook: webhooks.deleteWebhook,
  noteWebhooks: webhooks.noteWebhooks,
};

const READS = {
  listAdminLog,
  listTeams: teams.listTeams,
  countTeams,
  findTeam: teams.findTeam,
  findTeamQuota: teams.findTeamQuota,
  findInstallation: teams.findInstallation,
  listIdentities: identities.listIdentities,
  findIdentities: identities.findIdentities,
  listKeys: keys.listKeys,
  findKey: keys.findKey,
  findKeyEnds: keys.findKeyEnds,
  findExposure: keys.findExposure,
  findPerson: persons.findPerson,
  findPersons: persons.findPersons,
  findSignInLink: persons.findSignInLink,
  findSession: sessions.findSession,
  findSessionById: sessions.findSessionById,
  listSessions: sessions.listSessions,
  listPasskeys: passkeys.listPasskeys,
  findPasskey: passkeys.findPasskey,
  findProviderAccount: providers.findProviderAccount,
  findMailAccount: mails.findMailAccount,
  listDueMails: mails.listDueMails,
  findProof: proofs.findProof,
  findNotices: notices.findNotices,
  listCurrentNotices: notices.listCurrentNotices,
  listNoticeTeams: notices.listNoticeTeams,
  findLogin: logins.findLogin,
  listWebhooks: webhooks.listWebhooks,
  findWebhook: webhooks.findWebhook,
  listWebhookDeliveries: webhooks.listWebhookDeliveries,
};

export type ChangeName = keyof typeof CHANGES;
export const CHANGE_NAMES = Object.keys(CHANGES) as ChangeName[];

type Input = readonly unknown[];

/** Starts the change `name` in a transaction. */
export function workOf(name: ChangeName, context: ChangeContext, input: Input): Work<unknown> {
  return startWork(CHANGES, name, context, input);
}

/** How an engine runs the work of administration. */
export interface Engine {
  /** Runs work that only reads. */
  readonly read: <T>(work: (context: ReadContext) => Work<T>) => Promise<T>;
  /**
   * Runs `workOf(name, …, input)` in a transaction, and resolves with its result once that is committed. Resolves with
   * "abandoned", without any change, when `signal` is aborted before it begins.
   */
  readonly change: (name: ChangeName, input: Input, signal?: AbortSignal) => Promise<unknown>;
}

export function createAdministration({ read, change }: Engine): Administration {
  const reads = methodsOf(READS, (name, input) => read((context) => startWork(READS, name, context, input)));
  const changes = methodsOf(CHANGES, change);
  return {
    ...reads,
    ...changes,
    tradeSignIn: (linkHash, session, signal) =>
      change("tradeSignIn", [linkHash, session], signal) as ReturnType<PersonStore["tradeSignIn"]>,
    signInWithPasskey: (use, session, signal) =>
      change("signInWithPasskey", [use, session], signal) as ReturnType<PasskeyStore["signInWithPasskey"]>,
    signInWithProvider: (guest, session, signal) =>
      change("signInWithProvider", [guest, session], signal) as ReturnType<ProviderStore["signInWithProvider"]>,
    signInWithCode: (use, session, signal) =>
      change("signInWithCode", [use, session], signal) as ReturnType<MailStore["signInWithCode"]>,
    async keepTeamQuota(bytes) {
      // A server that starts with the same quota as before writes nothing.
      if ((await reads.findTeamQuota()) !== bytes) await changes.keepTeamQuota(bytes);
    },
    async markKeyExposed(tokenHash) {
      // Most guesses match no key, and then nothing is written.
      const found = await reads.findExposure(tokenHash);
      if (found?.exposedAt === null) await changes.markKeyExposed(tokenHash);
      return found?.id;
    },
  };
}

/** The functions of a table as the store's methods: without the context, and returning a promise. */
type Methods<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (context: never, ...input: infer Input) => Work<infer Output>
    ? (...input: Input) => Promise<Output>
    : never;
};

function methodsOf<Table extends object>(
  table: Table,
  perform: (name: keyof Table, input: Input) => Promise<unknown>,
): Methods<Table> {
  const names = Object.keys(table) as (keyof Table)[];
  return Object.fromEntries(
    names.map((name) => [name, (...input: Input) => perform(name, input)]),
  ) as unknown as Methods<Table>;
}

/** Methods a function of a table by its name. `Methods` has checked the input. */
function startWork<Table>(table: Table, name: keyof Table, context: ReadContext, input: Input): Work<unknown> {
  return (table[name] as (context: ReadContext, ...input: Input) => Work<unknown>)(context, ...input);
}
