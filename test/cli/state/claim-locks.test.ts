import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockClaim } from "../../../src/cli/state/claim-locks.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestTerminal } from "../../support/terminals.ts";

const SERVER = "https://handoff.example";
const ID = exampleId("secret");

test("a secret is taken by one call at a time, and by the next one once that has let go of it", () => {
  using folder = temporaryFolder();
  const terminal = createTestTerminal({ env: { XDG_STATE_HOME: folder.path } });
  const first = lockClaim(terminal, SERVER, ID);
  expect(first).toBeDefined();
  expect(lockClaim(terminal, SERVER, ID)).toBeUndefined();
  using other = lockClaim(terminal, "https://other.example", ID);
  expect(other).toBeDefined();
  first?.[Symbol.dispose]();
  using second = lockClaim(terminal, SERVER, ID);
  expect(second).toBeDefined();
  expect(lockClaim(terminal, SERVER, ID)).toBeUndefined();
});

test("a lock that cannot be made is an error that names the file and the variable to set", () => {
  using folder = temporaryFolder();
  const blocked = join(folder.path, "file");
  writeFileSync(blocked, "");
  const terminal = createTestTerminal({ env: { XDG_STATE_HOME: blocked } });
  expect(() => lockClaim(terminal, SERVER, ID)).toThrow(/cannot lock '.*file\/handoff\/claims.*XDG_STATE_HOME/);
});
