import { Type } from "@sinclair/typebox";
import { text } from "./setting-kinds.ts";

const PLACE = String.raw`(https://[^\s?#@/"<>]+|http://(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?)`;

/** The settings for where large secrets are kept beside PostgreSQL. */
export const OBJECT_STORE_SETTINGS = {
  objectStore: {
    kind: "text",
    schema: Type.String({ pattern: String.raw`^${PLACE}/[a-z0-9][a-z0-9._-]+(/[\w.-]+)*/?(\?region=[a-z0-9-]+)?$` }),
    valueName: "URL",
    expected:
      "a URL with a bucket, such as https://s3.example/bucket/folder?region=eu-central-1; http only for 127.0.0.1, [::1] and localhost",
    doc: "Where large secrets are, with PostgreSQL: a bucket with the S3 interface, such as `https://s3.example/bucket/folder?region=eu-central-1`. The region is `us-east-1` without that. Needs `--object-store-key-file`.",
  },
  objectStoreKeyFile: {
    ...text,
    valueName: "FILE",
    doc: "A file with the access key for it: `ID:SECRET`.",
  },
} as const;
