import { withAdminStore } from "../../src/cli/server/admin-store.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import { getPerson } from "../../src/domain/signing-in/persons.ts";
import { createTestTerminal } from "./terminals.ts";

/** Keeps a passkey that nobody has for a person, and resolves its id. */
export function keepPasskey({ env }: Pick<Terminal, "env">, nameOrId: string): Promise<string> {
  return withAdminStore({}, createTestTerminal({ env }), async (deps) => {
    const identity = await getPerson(deps, { nameOrId, team: undefined });
    const credential = { credentialId: "fake", publicKey: new Uint8Array(8), counter: 0, transports: [] };
    const times = { createdAt: deps.clock.now(), lastUsedAt: null };
    const passkey = {
      id: deps.ids.next("passkey"),
      identity,
      ...credential,
      browser: "Firefox",
      system: null,
      ...times,
    };
    await deps.store.addPasskey(passkey, 1);
    return passkey.id;
  });
}
