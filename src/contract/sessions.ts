import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";

/** What signs a person in: the token of their sign-in link. */
export const SignInBody = Type.Object(
  { sign_in_token: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
export type SignInBody = Static<typeof SignInBody>;

/** Who has been signed in, for the page to say so. */
export const SignedIn = Type.Object({ name: Type.String(), team: Type.String() }, { additionalProperties: false });
