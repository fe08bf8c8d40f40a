/** Values of flags by name, without dashes; `null` takes a default flag away, a list gives a flag several times. */
export type Flags = Readonly<Record<string, string | readonly string[] | null>>;

/** Command line of default flags with those of the user over them. */
export function toArguments(defaults: Flags, own: Flags = {}): string[] {
  return Object.entries({ ...defaults, ...own }).flatMap(([name, value]) => {
    if (value === null) return [];
    return (typeof value === "string" ? [value] : value).map((single) => `--${name}=${single}`);
  });
}
