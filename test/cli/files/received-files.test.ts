import { expect, test } from "bun:test";
import { chmodSync, lchownSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { unfinishedPrefix } from "../../../src/cli/files/destinations.ts";
import { receiveFiles } from "../../../src/cli/files/received-files.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const [SOMEBODY, ANOTHER] = [64_001, 64_002];

test.if(process.getuid?.() === 0)("what another user put in the place of the unfinished files is left alone", () => {
  using folder = temporaryFolder();
  const planted = `${unfinishedPrefix("tag")}large.part`;
  // As /tmp is, where nobody can remove what others have.
  chmodSync(folder.path, 0o1777);
  symlinkSync("/nowhere", join(folder.path, planted));
  lchownSync(join(folder.path, planted), ANOTHER, ANOTHER);
  process.seteuid?.(SOMEBODY);
  try {
    using received = receiveFiles(folder.path, "tag");
    expect(received.files).toEqual([]);
    expect(readdirSync(folder.path)).toEqual(expect.arrayContaining([planted, expect.stringMatching(/part\.\w{8}$/)]));
  } finally {
    process.seteuid?.(0);
  }
  expect(readdirSync(folder.path)).toEqual([planted]);
});
