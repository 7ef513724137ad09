/** The first line of a note that has a form, contract section 10. */
export const FORM_START = "handoff form 1\n";
