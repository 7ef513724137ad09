// Separate from the schema, which would bring its library into the page.

/** The only envelope version, contract section 2. */
export const ENVELOPE_VERSION = 1;
