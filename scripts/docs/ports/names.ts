import names from "./names.json" with { type: "json" };

/** The names of controller-runtime that public operators use. `main.ts` writes them. */
export interface UsedNames {
  /** The version of controller-runtime that has them. */
  readonly version: string;
  /** The number of projects that use at least one of them. */
  readonly projects: number;
  /** The number of projects that use a name, per package and name. The package at the root is `.`. */
  readonly packages: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const usedNames: UsedNames = names;
