/** The flags of a server's command line, in the form of Go's pflag. */
export class ServerFlags {
  readonly #values = new Map<string, string[]>();
  readonly #known: ReadonlySet<string>;

  /**
   * @param args - the command line
   * @param known - the names of flags that are used
   * @param ignored - receives the name of each flag that isn't known
   */
  constructor(args: readonly string[], known: ReadonlySet<string>, ignored: (name: string) => void) {
    this.#known = known;
    for (let index = 0; index < args.length; index++) {
      const argument = args[index] === "-h" ? "--help" : (args[index] as string);
      const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(argument);
      if (match === null) continue;
      const name = match[1] as string;
      let value = match[2];
      const next = args[index + 1];
      if (value === undefined && next !== undefined && !next.startsWith("-")) {
        value = next;
        index++;
      }
      if (!known.has(name) && name !== "help") ignored(name);
      this.#values.set(name, [...(this.#values.get(name) ?? []), value ?? "true"]);
    }
  }

  /**
   * Returns the answer to `--help`. Test environments look in it for the flags that they may pass.
   *
   * @param command - the name of the executable
   * @returns the flags that are used, or undefined if the command line doesn't ask for help
   */
  help(command: string): string | undefined {
    if (this.text("help") !== "true") return undefined;
    const flags = [...this.#known].sort().map((name) => `  --${name}\n`);
    return `Usage:\n  ${command} [flags]\n\nFlags (others are ignored):\n${flags.join("")}`;
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
