import { pascalCase } from "../../text/pascal-case.ts";

/** Unique names for the types of a file. */
export class TypeNames {
  readonly #taken: Set<string>;

  /** @param taken names that exist in the file or its directory */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** Reserves a name; returns false if it is taken. */
  reserve(name: string): boolean {
    const free = !this.#taken.has(name);
    this.#taken.add(name);
    return free;
  }

  /** Returns the name, with a number appended if it is taken. */
  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = `${wanted}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** Converts a property's name to a part of a type's name: `pod-template` → `PodTemplate`. */
export function typeNamePart(property: string): string {
  return pascalCase(property.replace(/[^A-Za-z0-9]+/g, "-"));
}

/** Returns the singular of a name: `policies` → `policy`. Changes only unambiguous endings. */
export function singular(name: string): string {
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`;
  if (/(ss|sh|ch|x)es$/i.test(name)) return name.slice(0, -2);
  if (/[^s]s$/i.test(name) && !/(us|is|as|os)$/i.test(name)) return name.slice(0, -1);
  return `${name}Item`;
}
