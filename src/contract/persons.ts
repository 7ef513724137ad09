import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Closed, Nullable } from "./fields.ts";

/** The schema of a person as the server knows them. `description` says their role. */
export function PersonAs(description: string) {
  return Closed(
    {
      name: Nullable(Type.String({ description: "The name as an admin wrote it; null for none." })),
      address: Type.String({ description: "The address under which they were added, such as ann@example.com." }),
      team: Type.String({ description: "The name of their team." }),
    },
    {
      description,
      examples: [{ name: "Ann Lee", address: "ann@example.com", team: "platform" }],
    },
  );
}

/** A person as the server knows them. */
export type Person = Static<ReturnType<typeof PersonAs>>;
