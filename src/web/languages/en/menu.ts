/** What the bar of a signed-in person says, in English. */
export const texts = () => ({
  menu: {
    tabs: "Main",
    send: "Send",
    ask: "Ask",
    activity: "Activity",
    forYou: "waiting for you",
    accountOf: (name: string) => `Account of ${name}`,
    account: "Your account",
    audit: "Audit log",
    signOut: "Sign out",
  },
});
