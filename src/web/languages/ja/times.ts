export const JUST_NOW = "たった今";

/** A time as the adverb of a sentence: all but "たった今" take a particle. */
export const dated = (when: string) => (when === JUST_NOW ? when : `${when}に`);
