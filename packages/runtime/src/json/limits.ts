/**
 * Maximum recursion depth per JSON value. Deeper values are added to a list and processed from there. API servers store
 * objects of 10,000 levels, and the call stack can be nearly full when a value is processed.
 */
export const maxRecursion = 200;
