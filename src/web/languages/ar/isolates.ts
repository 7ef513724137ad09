/** A name or the like within a sentence. Its direction is its own, and leaves the words around it in their order. */
export const apart = (text: string) => `\u2068${text}\u2069`;

/** A host, an ID or a key within a sentence, which reads from left to right. */
export const ltr = (text: string) => `\u2066${text}\u2069`;
