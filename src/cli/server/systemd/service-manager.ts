import { traceOf } from "../../../contract/error-traces.ts";
import { sendDatagram } from "../../../store/sqlite/files/c-library.ts";
import type { ServerLog } from "../logs.ts";

/** Names the socket on which systemd listens for the state of a service (sd_notify(3)). */
const VARIABLE = "NOTIFY_SOCKET";

/** The states that are reported to systemd. */
type State = "READY" | "RELOADING" | "STOPPING";

/** Returns a function that reports the server's state to systemd, if any. Hides the variable from child processes. */
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
