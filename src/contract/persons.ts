import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Nullable } from "./fields.ts";

/** A person as the server knows them, for whoever is told of one: a recipient, who is asked, or the person themselves. */
export const Person = Type.Object(
  {
    name: Nullable(Type.String({ description: "Their name as an admin wrote it; null when none was given." })),
    address: Type.String({ description: "What they were added as, such as ann@example.com." }),
    team: Type.String({ description: "The name of their team." }),
  },
  {
    additionalProperties: false,
    description: "A person who was signed in on this server. That is the server's word, and no proof.",
    examples: [{ name: "Ann Lee", address: "ann@example.com", team: "platform" }],
  },
);
export type Person = Static<typeof Person>;
