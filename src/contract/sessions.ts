import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";

/** The token of a sign-in link, which signs a person in. */
export const SignInBody = Type.Object(
  { sign_in_token: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
export type SignInBody = Static<typeof SignInBody>;
