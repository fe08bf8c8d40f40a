/** A marker's text, split at the first `=`. */
export interface SplitMarker {
  /** The left side, without its last `:segment` if there is a `=`: the name of a marker with named arguments. */
  readonly shortName: string;
  /** The whole left side: the name of a marker without arguments or with an anonymous one. */
  readonly fullName: string;
  /** The text after the first `=`. */
  readonly rest: string;
  /** The offset of `rest` in the text. */
  readonly restOffset: number;
  readonly hasEquals: boolean;
}

/** Splits `+a:b:c=arg,d=arg` (from the `+` on) for the lookup by name. */
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
