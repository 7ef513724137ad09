import type { BlockList } from "node:net";

/** Who may be believed when they say on whose behalf they call. */
export interface TrustedProxies {
  readonly list: BlockList;
  /** Whether whoever reaches the Unix socket is trusted. */
  readonly unix: boolean;
}

/** How fast a body has to come. */
export interface BodyPace {
  /** What a caller is given beyond the least speed. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** How bodies are read. */
export interface BodyOptions {
  /** How fast they have to come; `BODY_PACE` unless said otherwise. */
  readonly bodyPace?: BodyPace | undefined;
}

/** The page as it was bundled: script, worker and style sheet, and what is shown before the script runs. */
export interface PageSources {
  readonly texts: {
    readonly language: string;
    readonly direction: string;
    readonly name: string;
    readonly loading: string;
    readonly noScript: string;
  };
  readonly app: string;
  readonly worker: string;
  readonly styles: string;
}

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
