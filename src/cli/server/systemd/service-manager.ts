import { traceOf } from "../../../contract/error-traces.ts";
import { sendDatagram } from "../../../store/sqlite/files/c-library.ts";
import type { ServerLog } from "../logs.ts";

/** The variable with the socket on which systemd listens for what a service says of itself (sd_notify(3)). */
const VARIABLE = "NOTIFY_SOCKET";

/** The states of a server that systemd waits for. */
type State = "READY" | "RELOADING" | "STOPPING";

/**
 * Returns what tells systemd the state of this server; it does nothing where nobody listens. Takes the variable out of the environment of
 * this process, so that no child can speak for it.
 */
export function openServiceManager(log: Pick<ServerLog, "warn">): (state: State) => void {
  const address = process.env[VARIABLE];
  delete process.env[VARIABLE];
  if (!address) return () => undefined;
  return (state) => {
    try {
      sendDatagram(address, `${state}=1`);
    } catch (error) {
      log.warn(traceOf(error), `systemd can't be told that the server is ${state.toLowerCase()}`);
    }
  };
}
