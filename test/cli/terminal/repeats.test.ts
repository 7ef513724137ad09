import { expect, test } from "bun:test";
import { resumable } from "../../../src/cli/terminal/repeats.ts";
import { CommandError } from "../../../src/cli/terminal/terminal.ts";
import { errorOf } from "../../support/clients.ts";

test("an error after several claims says once how they can be repeated: until the first of them ends", async () => {
  const [soon, late] = ["2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00.000Z"] as const;
  const fail = () => Promise.reject(new CommandError("wrong passphrase"));
  const once = await errorOf(resumable([{ kind: "until", time: soon }], fail));
  const inner = () => resumable([{ kind: "until", time: late }], fail);
  expect(await errorOf(resumable([{ kind: "until", time: soon }], inner))).toEqual(once);
  expect(once).toMatchObject({
    message: expect.stringMatching(/^wrong passphrase\. Run the same command before \S+\.$/),
  });
  expect(await errorOf(resumable([], inner))).not.toEqual(once);
});
