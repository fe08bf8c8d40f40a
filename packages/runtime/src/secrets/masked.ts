/** Replaces a value of a Secret. */
export const masked = "(hidden)";

/** Replaces a value of a Secret that has changed. */
export const maskedChange = "(hidden, changed)";
