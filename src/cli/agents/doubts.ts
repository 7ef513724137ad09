import type { DoubtAdvice } from "../terminal/failures.ts";

const HARMLESS = "Call this tool again, which does no harm.";

/** The advice for an agent whose call has an unknown outcome. */
export const AGENT_ADVICE: DoubtAdvice = {
  createSecret:
    "Look with list_secrets first. If it's there, revoke it with revoke_secret: nobody has its link. Then send the secret again.",
  claimSecret: "Call this tool again right away: it takes up the same claim.",
  askApproval: HARMLESS,
  revokeSecret: HARMLESS,
  createRequest: "Nobody has its link. Call this tool again: if the first was made, it expires unused.",
  patchRequest: HARMLESS,
  revokeRequest: HARMLESS,
};
