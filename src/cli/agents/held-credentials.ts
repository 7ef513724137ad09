import { findApiKey } from "../handovers/connections.ts";
import type { ConnectionFlags } from "../handovers/connections.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A shorter value would hide half of everything else. */
const MIN_LENGTH = 4;
/** A keychain that waits for somebody to unlock it has given nothing away. */
const KEYCHAIN_MS = 2000;

/** The credentials that this process holds, which nobody else may see. */
export interface HeldCredentials {
  readonly add: (credential: string) => void;
  /** All credentials so far, with the API key in use now. */
  readonly all: (flags: ConnectionFlags) => Promise<string[]>;
}

/** Starts with the values of the environment variables `variables`. */
export function createHeldCredentials(terminal: Terminal, variables: readonly string[]): HeldCredentials {
  const values = variables.map((name) => terminal.env[name] ?? "").filter((value) => value.length >= MIN_LENGTH);
  const held = new Set(values);
  return {
    add: (credential) => void held.add(credential),
    async all(flags) {
      const apiKey = await Promise.race([findApiKey(terminal, flags), Bun.sleep(KEYCHAIN_MS)]);
      if (apiKey) held.add(apiKey);
      return [...held];
    },
  };
}
