// How the command lines of a page are tested.

/** The path of a test file in the repository. */
export type Test = `${string}.test.ts`;

/** A block that runs.full.test.ts runs line by line. Each line must exit with 0. */
export interface Run {
  /** Commands to run before, in an empty directory. */
  readonly after: readonly string[];
  /** Whether the lines are alternatives, each of which is run directly after `after`. */
  readonly apart?: true;
  /** Prefixes of lines that only print output; all other lines must change files. */
  readonly printing?: readonly string[];
  /** Prefixes of lines that neither print output nor change files on success. */
  readonly silent?: readonly string[];
  /** Prefixes of lines that need something unavailable, with the test that runs each of them. */
  readonly testedBy?: Readonly<Record<string, Test>>;
}

export type Procedure = Run | { readonly by: readonly Test[] } | { readonly untested: string };
