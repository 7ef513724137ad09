import { expect, test } from "bun:test";
import { explain } from "../../../../src/cli/server/storages/folder-errors.ts";
import { outcomeUnknown, storageUnavailable } from "../../../../src/domain/storage-refusals.ts";

test("an unknown outcome is not reported as nothing changed", () => {
  const cause = Object.assign(new Error("disk I/O error"), { code: "EDQUOT" });
  expect(explain(outcomeUnknown(cause), "/data")).toMatchObject({
    message:
      "The disk of '/data' failed while this was written, so that nobody knows whether it was. Look, and run this again if it wasn't.",
    kind: "failure",
  });
  expect(explain(storageUnavailable(cause), "/data")).toMatchObject({
    message: expect.stringContaining("Nothing was changed"),
  });
});
