import packageJson from "../../package.json" with { type: "json" };
import { run } from "./commands.ts";

/** What a release is made of. */
export interface Source {
  readonly version: string;
  readonly commit: string;
  /** The time of the commit, in seconds: the time of every file in a release. */
  readonly epoch: number;
}

/** Reads version and commit of this checkout. */
export async function readSource(): Promise<Source> {
  const [commit = "", time = ""] = (await run(["git", "log", "-1", "--format=%H %ct"])).trim().split(" ");
  return { version: packageJson.version, commit, epoch: Number(time) };
}
