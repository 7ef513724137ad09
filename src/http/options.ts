import type { TrustedProxies } from "./addresses.ts";
import type { BodyOptions } from "./bodies.ts";
import type { PageSources } from "./page.ts";

/** Where lines about requests go. `error` takes what must be looked into. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** How the service is reached, what it may use, and what is told of it. */
export interface HttpOptions extends BodyOptions {
  /** The origin, and the path if there is one, that links begin with; without a slash at the end. */
  readonly baseUrl: () => string;
  readonly trustedProxies: TrustedProxies;
  /** What all bodies that are being read may take together, in bytes. */
  readonly bodyMemoryBytes: number;
  /** Origins whose pages may call the API; none by default. */
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  /** Whether log lines carry the address of the client. */
  readonly logAddresses: boolean;
  /** The page; without it there is none. */
  readonly page?: PageSources | undefined;
  /** The version of the program, for the specification. */
  readonly version: string;
}

/** What the routes need of it. */
export type RouteOptions = Pick<HttpOptions, "baseUrl" | "bodyPace">;
