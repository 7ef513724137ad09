import { Type } from "@sinclair/typebox";
import { text } from "./setting-kinds.ts";

const LOCAL_HOSTS = ["127.0.0.1", "[::1]", "localhost"];
const PLACE = String.raw`(https://[^\s?#@/"<>]+|http://(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?)`;

/** The settings for where large secrets are kept beside PostgreSQL. */
export const OBJECT_STORE_SETTINGS = {
  objectStore: {
    kind: "text",
    schema: Type.String({ pattern: String.raw`^${PLACE}/[a-z0-9][a-z0-9._-]+(/[\w.-]+)*/?(\?region=[a-z0-9-]+)?$` }),
    valueName: "URL",
    expected:
      "a URL with a bucket, such as https://s3.example/bucket/folder?region=eu-central-1; http only for 127.0.0.1, [::1] and localhost",
    explain: explainUrl,
    doc: "Where large secrets are, with PostgreSQL: a bucket with the S3 interface, such as `https://s3.example/bucket/folder?region=eu-central-1`. The region is `us-east-1` without that. Needs `--object-store-key-file`.",
  },
  objectStoreKeyFile: {
    ...text,
    valueName: "FILE",
    doc: "A file with the access key for it: `ID:SECRET`.",
  },
} as const;

/** Says which part of a URL is wrong for an object store, without its value; undefined when no single part is. */
function explainUrl(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) return "it has to begin with https://";
  if (url.username !== "" || url.password !== "") {
    return "it has a user in it: the access key belongs in the file of --object-store-key-file";
  }
  if (url.protocol === "http:" && !LOCAL_HOSTS.includes(url.hostname)) {
    return `http is for a store on this machine alone (${LOCAL_HOSTS.join(", ")}): use https`;
  }
  if (url.hash !== "" || [...url.searchParams.keys()].some((name) => name !== "region")) {
    return "behind the question mark it takes region=NAME and nothing else";
  }
  if (/^\/*$/.test(url.pathname)) return "it has no bucket, which is the first part of its path";
  return undefined;
}
