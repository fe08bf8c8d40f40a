/**
 * Returns why a regular expression isn't valid, in Go's words.
 *
 * @param error - what its compilation threw
 * @returns the message
 */
export function regexProblem(error: unknown): string {
  const { message } = error as Error;
  // Go always quotes the wrong part, even the empty one at the end.
  return message.includes("`") ? message : `${message}: \`\``;
}
