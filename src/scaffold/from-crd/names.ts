import { pascalCase } from "../../project/resource.ts";

/** Names for the types of a file, each given once. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param taken names that the file, or others beside it, have already */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** Reserves a name as it is; false where something has it already. */
  reserve(name: string): boolean {
    const free = !this.#taken.has(name);
    this.#taken.add(name);
    return free;
  }

  /** The name itself, or with a number behind it where something has it already. */
  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** A property's name as part of a type's name: `pod-template` → `PodTemplate`. */
export function typeNamePart(property: string): string {
  return pascalCase(property.replace(/[^A-Za-z0-9]+/g, "-"));
}

/** What one of many is called: `policies` → `policy`. Only endings that are certain are changed. */
export function singular(name: string): string {
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(ss|sh|ch|x)es$/i.test(name)) return name.slice(0, -2);
  if (/[^s]s$/i.test(name) && !/(us|is|as|os)$/i.test(name)) return name.slice(0, -1);
  return `${name}Item`;
}
