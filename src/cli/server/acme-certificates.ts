import type { Settings } from "../../config/settings.ts";
import type { StorageTrouble } from "../../domain/ports/health.ts";
import type { ListenTarget, TlsPair } from "../../http/server.ts";
import type { ServerLog } from "./logs.ts";

/** A certificate that is kept valid by ACME (RFC 8555). */
export interface AcmeCertificate {
  readonly current: () => TlsPair;
  /** The trouble while it can't be renewed; empty otherwise. */
  readonly troubles: () => readonly StorageTrouble[];
  /** Renews it from now on, and hands each new one to `use`. */
  readonly renew: (use: (pair: TlsPair) => void) => void;
  readonly stop: () => Promise<void>;
}

export interface AcmeOptions extends Pick<Settings, "acme" | "acmeContact" | "acmeDirectory"> {
  readonly target: ListenTarget;
  readonly dataFolder: string;
  readonly baseUrl: string;
  readonly log: ServerLog;
  readonly now: () => number;
}

/** Takes the kept certificate, or gets one. Rejects with CommandError or ListenError. */
export type OpenAcme = (options: AcmeOptions) => Promise<AcmeCertificate>;
