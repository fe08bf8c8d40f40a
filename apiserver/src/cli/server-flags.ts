/** The flags of a server's command line, in the form of Go's pflag. */
export class ServerFlags {
  readonly #values = new Map<string, string[]>();

  /**
   * @param args - the command line
   * @param known - the names of flags that are used
   * @param ignored - receives the name of each flag that isn't known
   */
  constructor(args: readonly string[], known: ReadonlySet<string>, ignored: (name: string) => void) {
    for (let index = 0; index < args.length; index++) {
      const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(args[index] as string);
      if (match === null) continue;
      const name = match[1] as string;
      let value = match[2];
      const next = args[index + 1];
      if (value === undefined && next !== undefined && !next.startsWith("-")) {
        value = next;
        index++;
      }
      if (!known.has(name)) ignored(name);
      this.#values.set(name, [...(this.#values.get(name) ?? []), value ?? "true"]);
    }
  }

  /** @returns the last value of a flag */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** @returns all values of a flag that can be repeated or contain commas */
  list(name: string): string[] {
    return (this.#values.get(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
  }
}
