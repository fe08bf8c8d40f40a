/** A marker's text cut at its first `=`. */
export interface SplitMarker {
  /** The left side, its last `:segment` taken off if there is a `=`: the name of a marker with named arguments. */
  readonly shortName: string;
  /** The whole left side: the name of a marker with one anonymous argument, or none. */
  readonly fullName: string;
  /** What follows the first `=`. */
  readonly rest: string;
  /** Where `rest` begins in the text. */
  readonly restOffset: number;
  readonly hasEquals: boolean;
}

/** Splits `+a:b:c=arg,d=arg` (from the `+` on) by the rule that name look-up goes by. */
export function splitMarker(text: string): SplitMarker {
  const equals = text.indexOf("=");
  if (equals < 0) {
    const name = text.slice(1);
    return { shortName: name, fullName: name, rest: "", restOffset: text.length, hasEquals: false };
  }
  const fullName = text.slice(1, equals);
  const colon = fullName.lastIndexOf(":");
  const shortName = colon < 0 ? fullName : fullName.slice(0, colon);
  return { shortName, fullName, rest: text.slice(equals + 1), restOffset: equals + 1, hasEquals: true };
}
