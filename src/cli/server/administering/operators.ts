import type { Operator } from "../../../domain/ports/admin-log.ts";
import { ownName } from "../../../store/sqlite/files/owners.ts";
import { toLine } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const MAX_NAME_LENGTH = 100;

/** The user who runs this command, and the user who called sudo, as sudo says. */
export function operatorOf({ env }: Pick<Terminal, "env">): Operator {
  const sudoUser = env["SUDO_USER"];
  return { user: ownName(), sudoUser: sudoUser ? toLine(sudoUser).slice(0, MAX_NAME_LENGTH) : null };
}
