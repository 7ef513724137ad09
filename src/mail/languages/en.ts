import type { MailTexts } from "./texts.ts";

export const EN: MailTexts = {
  language: "en",
  direction: "ltr",
  subject: "Your code for {server}",
  asked: "Someone asked for a code to sign in to {server} with this address.",
  browser: "Asked in:",
  code: "Your code:",
  codeOfTeam: "Your code for the team {team}:",
  validity: "It works once, for {minutes} minutes, in the browser that asked for it.",
  warning: "Nobody will ever ask you for this code. Type it only on the page of {server}.",
  ignore: "If you didn't ask for it, ignore this mail. Nobody can sign in without the code.",
};
