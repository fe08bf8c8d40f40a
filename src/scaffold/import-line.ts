/** The width that scaffolded code is formatted for. */
const lineWidth = 120;

/** An import of names from a module, broken as the formatter breaks it when one line is too short. */
export function importLine(names: readonly string[], module: string): string {
  const line = `import { ${names.join(", ")} } from "${module}";`;
  if (line.length <= lineWidth || names.length === 1) return line;
  return ["import {", ...names.map((name) => `  ${name},`), `} from "${module}";`].join("\n");
}
