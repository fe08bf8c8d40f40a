/** Frames of an error: the runtime's own ones would fill the ten of Node.js, without any of the function that sent the request. */
const frames = 50;

/**
 * Creates an error whose stack trace is deep enough for the functions that await the response. Costs something only if a request
 * fails.
 *
 * @param create - creates the error
 * @returns the error
 */
export function withDeepStack<E extends Error>(create: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(stackTraceLimit, frames);
  try {
    return create();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
