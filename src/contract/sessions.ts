import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { Credential } from "./credentials.ts";
import { Nullable } from "./fields.ts";

/** The body of signing in: the token of a sign-in link. */
export const SignInBody = Type.Object(
  { sign_in_token: Type.String({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
);
export type SignInBody = Static<typeof SignInBody>;

/** The session of a browser; null when nobody is signed in, which isn't an error. */
export const FoundSession = Type.Object({ credential: Nullable(Credential) }, { additionalProperties: false });
