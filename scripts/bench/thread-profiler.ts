import { answerProfilers } from "./profilers.ts";

// Loaded into every worker of a server that is measured, before its own program.
await answerProfilers();
