import { booleans } from "../data/feature-gates.ts";

/** The type of a flag's value. A boolean flag takes a value only after `=`. */
export type FlagType = "text" | "boolean" | "integer";

/** The flags of a server's command line, in the form of Go's pflag. */
export class ServerFlags {
  readonly #values = new Map<string, string[]>();
  readonly #known: ReadonlyMap<string, FlagType>;

  /**
   * @param args - the command line
   * @param types - names and types of the flags that are used
   * @param ignored - receives the name of each flag that isn't known, if the command line is valid
   * @throws Error for a missing or invalid value
   */
  constructor(args: readonly string[], types: Readonly<Record<string, FlagType>>, ignored: (name: string) => void) {
    this.#known = new Map(Object.entries(types));
    const unknown: string[] = [];
    for (let index = 0; index < args.length; index++) {
      const argument = args[index] === "-h" ? "--help" : (args[index] as string);
      const match = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(argument);
      if (match === null) continue;
      const name = match[1] as string;
      const type = name === "help" ? "boolean" : this.#known.get(name);
      let value = match[2];
      if (value === undefined && takesNext(type, args[index + 1])) value = args[++index];
      if (type === undefined) unknown.push(name);
      else check(name, type, value);
      this.#values.set(name, [...(this.#values.get(name) ?? []), value ?? "true"]);
    }
    for (const name of unknown) ignored(name);
  }

  /**
   * Returns the answer to `--help`. Test environments look in it for the flags that they may pass.
   *
   * @param command - the name of the executable
   * @returns the flags that are used, or undefined if the command line doesn't ask for help
   */
  help(command: string): string | undefined {
    if (this.text("help") !== "true") return undefined;
    const flags = [...this.#known.keys()].sort().map((name) => `  --${name}\n`);
    return `Usage:\n  ${command} [flags]\n\nFlags (others are ignored):\n${flags.join("")}`;
  }

  /** Returns the last value of a flag. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Returns all values of a flag that can be repeated or contain commas. */
  list(name: string): string[] {
    return (this.#values.get(name) ?? []).flatMap((value) => value.split(",")).filter((value) => value !== "");
  }
}

function takesNext(type: FlagType | undefined, next: string | undefined): boolean {
  if (next === undefined || type === "boolean") return false;
  // Whether an unknown flag takes a value is a guess.
  return type !== undefined || !next.startsWith("-");
}

function check(name: string, type: FlagType, value: string | undefined): void {
  if (value === undefined) {
    if (type !== "boolean") throw new Error(`flag needs an argument: --${name}`);
  } else if (type === "integer" ? !/^[+-]?\d+$/.test(value) : type === "boolean" && !booleans.has(value)) {
    const rule = type === "integer" ? "must be an integer" : "must be true or false";
    throw new Error(`invalid argument ${JSON.stringify(value)} for "--${name}" flag: ${rule}`);
  }
}
