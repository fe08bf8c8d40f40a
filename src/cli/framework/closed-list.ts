/** A value that isn't in a closed list. */
export interface NotAllowed {
  /** The flags of the option, such as `-o, --output <format>`. Undefined for an argument. */
  readonly option: string | undefined;
  /** The name of the argument. Undefined for an option. */
  readonly argument: string | undefined;
  readonly value: string;
  readonly choices: readonly string[];
}

const start = /^(?:error: )?(?:command-argument value|option '([^']*)' argument) '/;
const choicesStart = ". Allowed choices are ";
const end = /' is invalid(?: for argument '([^']*)')?$/;

/**
 * Parses the message of commander for a value that isn't in a closed list, in linear time: the value can contain everything, also
 * other parts of the message.
 *
 * @param message - the message of commander
 * @returns undefined for other messages
 */
export function parseNotAllowed(message: string): NotAllowed | undefined {
  const before = start.exec(message);
  // Choices contain no text of the user.
  const at = message.lastIndexOf(choicesStart);
  if (!before || at < 0 || !message.endsWith(".")) return undefined;
  const after = end.exec(message.slice(before[0].length, at));
  if (!after) return undefined;
  return {
    option: before[1],
    argument: after[1],
    value: message.slice(before[0].length, before[0].length + after.index),
    choices: message.slice(at + choicesStart.length, -1).split(", "),
  };
}
