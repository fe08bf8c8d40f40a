const start = "Made from the CustomResourceDefinition";

/** The line that tells where a file's content comes from. */
export function originLine(name: string): string {
  return `${start} ${name}.`;
}

/** Whether a scaffolded text was made from a definition: the templates alone can't make it again. */
export function isFromCrd(text: string): boolean {
  return new RegExp(`^\\s*// ${start} `, "m").test(text);
}
