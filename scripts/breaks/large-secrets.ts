import type { Break } from "./break.ts";

const BLOBS = { file: "src/store/blobs/folder-blobs.ts", tests: ["test/store/blobs/folder-blobs.test.ts"] };
const UPLOADS = { file: "src/domain/transactions/uploads.ts", tests: ["test/store/sqlite/uploads.test.ts"] };

/** Breaks of large secrets: that their files are kept while they are needed, and erased afterwards. */
export const LARGE_SECRET_BREAKS: readonly Break[] = [
  {
    what: "the file of a large secret is removed without being overwritten",
    ...BLOBS,
    find: "(file, { size }) => overwrite(file, 0, size, signal)",
    replace: "async () => undefined",
  },
  {
    what: "the file of an upload is erased that was made while the rows were read",
    ...BLOBS,
    find: '      const found = (await namesIn(folder)).filter((name) => isId(name, "upload"));\n      const kept = await findKept();\n',
    replace:
      '      const kept = await findKept();\n      const found = (await namesIn(folder)).filter((name) => isId(name, "upload"));\n',
  },
  {
    what: "the file of an upload is erased while it is written",
    ...BLOBS,
    find: "      if (writing.has(id)) continue;\n",
    replace: "",
  },
  {
    what: "a link with the name of an upload is followed",
    ...BLOBS,
    find: "    const stats = await lstat(path);\n    if (!stats.isFile()) throw notAFile();\n",
    replace: "    const stats = await lstat(path);\n",
  },
  {
    what: "one file that can't be erased keeps the others from it",
    ...BLOBS,
    find: "erase(id, signal).catch((error: unknown) => void failures.push(error))",
    replace: "erase(id, signal)",
  },
  {
    what: "a large file is erased to its end though the server is to stop",
    ...BLOBS,
    find: "    if (signal.aborted) return;\n    await unlink(path);\n",
    replace: "    await unlink(path);\n",
  },
  {
    what: "uploads fill the disk",
    ...BLOBS,
    find: "if (bavail * bsize < keptFreeBytes + FLUSH_BYTES * writing.size)",
    replace: "if (bavail * bsize < 0)",
  },
  {
    what: "what came of a piece that broke off counts as lost",
    ...BLOBS,
    find: "    } finally {\n      try {\n        await orRefuse(flush);\n",
    replace: "    } finally {\n      try {\n        await file.datasync();\n",
  },
  {
    what: "an upload that has expired is kept",
    ...UPLOADS,
    find: "if (row.expiresAt <= tx.now) endUpload(tx, row);",
    replace: "",
  },
  {
    what: "an upload that has ended counts against the quota of its team",
    ...UPLOADS,
    find: "  tx.charge(row.teamId, -tx.charges.ciphertext(row.bytes));\n",
    replace: "",
  },
  {
    what: "the file of a secret is kept after its ciphertext is erased",
    ...UPLOADS,
    find: "if (!secret || !tx.secrets.hasCiphertext(secret)) rowsOf(tx).remove(row);",
    replace: "if (!secret) rowsOf(tx).remove(row);",
  },
  {
    what: "a large secret counts as overwritten in a step of the sweeper",
    ...UPLOADS,
    file: "src/store/sqlite/sweeps.ts",
    find: "row.envelopeVersion !== LARGE_VERSION && tx.secrets.hasCiphertext(row)",
    replace: "tx.secrets.hasCiphertext(row)",
  },
  {
    what: "a restored large secret can be opened, without its file",
    file: "src/store/copies/folder-restores.ts",
    find: "return hasLargeSecrets(folder) ? endLargeSecrets(where) : { secrets: 0, requests: 0 };",
    replace: "return { secrets: 0, requests: 0 };",
    tests: ["test/store/copies/large-secrets.test.ts"],
  },
  {
    what: "a backup leads to the file of a large secret",
    file: "src/store/copies/backup-files.ts",
    find: '  if (table !== "ciphertexts") return "true";\n',
    replace: '  if (table !== "nothing") return "true";\n',
    tests: ["test/store/copies/large-secrets.test.ts"],
  },
  {
    what: "a secret is made of an upload that a call still writes",
    file: "src/domain/large/large-secrets.ts",
    find: "return alone(deps, uploadId, () => storeSecret(deps, caller, { ...rest, ciphertext: uploadId, inspect }));",
    replace: "return storeSecret(deps, caller, { ...rest, ciphertext: uploadId, inspect });",
    tests: ["test/http/resources/uploads.test.ts"],
  },
  {
    what: "a claim counts though its file is damaged",
    file: "src/domain/large/large-secrets.ts",
    find: "  if (upload?.teamId === caller.teamId) await findBlob(deps, upload.id, upload.bytes);\n",
    replace: "",
    tests: ["test/http/resources/uploads.test.ts"],
  },
  {
    what: "what a killed server left behind the offset of an upload counts",
    file: "src/domain/large/uploads.ts",
    find: "return Math.min(offset, await largeOf(deps).blobs.size(id));",
    replace: "return largeOf(deps).blobs.size(id);",
    tests: ["test/domain/large/uploads.test.ts"],
  },
  {
    what: "a credential sends any number of pieces at once",
    file: "src/http/resources/uploads.ts",
    find: "if (others >= MAX_PIECES_AT_ONCE)",
    replace: "if (others < 0)",
    tests: ["test/http/resources/uploads.test.ts"],
  },
  {
    what: "the holder of a request's link goes on with the uploads of another request",
    file: "src/domain/large/uploads.ts",
    find: 'const sender = caller.kind === "submit" ? caller.request.id : actorOf(caller);',
    replace: 'const sender = caller.kind === "submit" ? caller.teamId : actorOf(caller);',
    tests: ["test/http/resources/large-submissions.test.ts"],
  },
  {
    what: "an upload is handed in for another request with the same token",
    file: "src/http/gate/gate.ts",
    find: "const linkedId = isOfUpload(visit) ? await findRequestOf(id) : id;",
    replace: "const linkedId = isOfUpload(visit) ? undefined : id;",
    tests: ["test/http/resources/large-submissions.test.ts"],
  },
  {
    what: "the holder of a request's link fills the quota of a team with uploads",
    file: "src/domain/large/uploads.ts",
    find: "        await makeRoom(deps, caller.request);\n",
    replace: "",
    tests: ["test/http/resources/large-submissions.test.ts"],
  },
  {
    what: "several uploads for one request begin at once",
    file: "src/domain/large/uploads.ts",
    find: "alone(deps, caller.request.id, async () => {",
    replace: "alone(deps, upload.id, async () => {",
    tests: ["test/http/resources/large-submissions.test.ts"],
  },
  {
    what: "a stranger begins an upload for a request that is for chosen people",
    file: "src/domain/large/uploads.ts",
    find: '  if (!mayUse(request, proven?.address)) throw new Refusal("proof_required");\n',
    replace: "",
    tests: ["test/http/resources/large-submissions.test.ts"],
  },
  {
    what: "a large submission that can't be opened keeps the others from being collected",
    file: "src/cli/handovers/large-openings.ts",
    find: "    if (handover.isSubmission && isUnopenable(reason)) throw setAside(reason, claim, id);\n",
    replace: "",
    tests: ["test/cli/large-submissions.test.ts"],
  },
  {
    what: "many uploads are written at once, and hold up everything else",
    ...BLOBS,
    find: "    const turn = last.then(work);\n",
    replace: "    const turn = work();\n",
  },
];
