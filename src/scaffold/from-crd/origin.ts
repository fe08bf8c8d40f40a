const start = "Made from the CustomResourceDefinition";

/** The line that tells where a file's content comes from. */
export function originLine(name: string): string {
  return `${start} ${name}.`;
}

/** The definition that a scaffolded text was made from, if it was: then the templates alone can't make it again. */
export function originOf(text: string): string | undefined {
  return new RegExp(`^\\s*(?://|#) ${start} (\\S+)\\.(?: |$)`, "m").exec(text)?.[1];
}
