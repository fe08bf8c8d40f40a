const start = "Made from the CustomResourceDefinition";

/** Returns the comment that records the CRD from which a file was generated. */
export function originLine(name: string): string {
  return `${start} ${name}.`;
}

/** Returns the CRD from which a scaffolded text was generated, if any. Templates alone can't recreate such a file. */
export function originOf(text: string): string | undefined {
  return new RegExp(`^[ \\t]*(?://|#) ${start} (\\S+)\\.(?: |$)`, "m").exec(text)?.[1];
}
