/** Values of flags by name, without dashes. `null` removes a default flag; a list repeats a flag. */
export type Flags = Readonly<Record<string, string | readonly string[] | null>>;

/** Returns the command line of default flags with the user's flags. */
export function toArguments(defaults: Flags, own: Flags = {}): string[] {
  return Object.entries({ ...defaults, ...own }).flatMap(([name, value]) => {
    if (value === null) return [];
    return (typeof value === "string" ? [value] : value).map((single) => `--${name}=${single}`);
  });
}
