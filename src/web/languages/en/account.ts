import type { Grammar } from "../grammar.ts";

/** What a person's account says, in English. */
export const texts = ({ number }: Grammar) => ({
  account: {
    /** A browser and its system, such as Firefox and Windows. */
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknownBrowser: "Unknown browser",
    /** The name of a button for one of several rows. */
    actionOn: (action: string, name: string) => `${action}: ${name}`,
    passkeys: {
      title: "Passkeys",
      what: "With a passkey you sign in by fingerprint, face or PIN, and need no link.",
      none: "You have no passkey yet.",
      unsupported: "This browser can't use passkeys.",
      most: (count: number) => `You can have ${number(count)} passkeys. Remove one before you add another.`,
      added: (when: string) => `Added ${when}`,
      used: (when: string) => `Last used ${when}`,
      unused: "Not used yet",
      add: "Add a passkey",
      adding: "Adding…",
      isAdded: "The passkey was added.",
      remove: "Remove",
      removing: "Removing…",
      isRemoved: "The passkey was removed.",
      sure: {
        title: "Remove this passkey?",
        text: "You can't sign in with it after that. Your device may keep it until you delete it there.",
        confirm: "Remove",
      },
      known: "You already have a passkey there.",
      refused: "The server didn't accept the passkey. Try again.",
      unusable: "This browser can't add a passkey here. Try another browser.",
      offer: "So that you need no link next time, add a passkey.",
      later: "Not now",
    },
    notices: {
      title: "Mails",
      what: (address: string) => `These mails go to ${address}.`,
      opened: "When something you sent is opened",
      ending: "A day before something ends that nobody has opened",
      handedIn: "When someone hands something in",
      asked: "When someone waits for your approval",
      isSaved: "Saved.",
      whereSent: "Mail me when something I send is opened",
      whereAsked: "Mail me when someone waits for my approval",
    },
    sessions: {
      title: "Where you're signed in",
      here: "This browser",
      since: (when: string) => `Signed in ${when}`,
      used: (when: string) => `Last used ${when}`,
      signOut: "Sign out",
      signingOut: "Signing out…",
      isSignedOut: "Signed out there.",
      others: "Sign out everywhere else",
      areSignedOut: "Signed out everywhere else.",
    },
  },
  again: {
    titles: {
      add: "Sign in again to add a passkey",
      remove: "Sign in again to remove a passkey",
      terminal: "Sign in again to let a terminal in",
    },
    text: "You signed in more than 15 minutes ago. Signing in again shows that it's still you.",
    otherwise: "If none of this works, ask your admin for a sign-in link and open it in this browser.",
    back: "Go back",
  },
});
