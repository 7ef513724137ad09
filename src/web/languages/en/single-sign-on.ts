/** What signing in with the account of a company says, in English. */
export const texts = () => ({
  provider: {
    button: "Sign in with your company account",
    failed: "You aren't signed in",
    canceled: "The sign-in was canceled, or your provider refused it.",
    refused: "This account can't sign in here. Ask your admin.",
    late: "That took too long, or was used already. Sign in again.",
    unavailable: "The provider of your company account isn't available. Try again in a minute.",
  },
});
