// A process of its own with the blobs in the folder argv[2]: it adds to the blob argv[3] without end, in pieces that
// `pieceAt` makes, or with "erase" erases it. It is killed.
import { openFolderBlobs } from "../../src/store/blobs/folder-blobs.ts";
import { append, pieceAt } from "./blobs.ts";

const [, , folder = "", id = "", work = ""] = process.argv;
const blobs = openFolderBlobs(folder, 0);

async function* endless(): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; at += 1) {
    yield pieceAt(at);
    // The pieces before are in the file.
    process.stdout.write(".");
  }
}

if (work === "erase") await blobs.eraseOthers(async () => new Set(), new AbortController().signal);
else await append(blobs, id, 0, endless());
