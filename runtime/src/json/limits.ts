/**
 * Levels of a JSON value that one call descends into by recursion; what lies deeper is put on a list and processed from there. API
 * servers store objects of 10,000 levels, and a call stack may be nearly used up when a value is processed.
 */
export const maxRecursion = 200;
