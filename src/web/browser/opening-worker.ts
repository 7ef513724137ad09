import { answerJobs, openLenient } from "./worker-jobs.ts";

// The worker of a person who opens a link: it has no keys of requests, and seals nothing.
answerJobs({ open: ({ envelope, key }) => openLenient(envelope, key) });
