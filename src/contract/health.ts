import { Type } from "@sinclair/typebox";
import { Nullable, OneOf } from "./fields.ts";

/** The answer of `/health/live`. */
export const Liveness = Type.Object(
  {
    status: Type.String({ description: "Always `live`." }),
    version: Type.String({ description: "The version of the server." }),
    installation: Nullable(
      Type.String({
        description: "The random ID of the database that it serves. It is no secret. Null while that can't be reached.",
      }),
    ),
    client_address: OneOf(["connection", "forwarded"], {
      description: "The source of the address that this call counts for: the connection, or a trusted proxy.",
    }),
  },
  {
    $id: "Liveness",
    additionalProperties: false,
    description: "The server answers.",
    examples: [
      {
        status: "live",
        version: "0.1.0",
        installation: "0123456789abcdef0123456789abcdef",
        client_address: "connection",
      },
    ],
  },
);

/** The answer of `/health/ready`. */
export const Readiness = Type.Object(
  {
    status: OneOf(["ready", "storage_unavailable"]),
    troubles: Type.Array(
      Type.Object({
        code: Type.String({ description: "The kind of trouble. New kinds may be added." }),
        message: Type.String({ description: "A sentence for the admin: what happened and what to do." }),
      }),
    ),
  },
  {
    $id: "Readiness",
    additionalProperties: false,
    description: "The state of the storage.",
    examples: [{ status: "ready", troubles: [] }],
  },
);
