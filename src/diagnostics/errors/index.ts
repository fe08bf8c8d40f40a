import type { ErrorEntry } from "./entry.ts";
import { fileErrors } from "./files.ts";
import { nameErrors } from "./names.ts";
import { projectErrors } from "./project.ts";
import { workErrors } from "./work.ts";

/** The headings of the reference, with what stands below them. */
export const errorSections: readonly (readonly [title: string, Readonly<Record<string, ErrorEntry>>])[] = [
  ["Flags", nameErrors],
  ["The project", projectErrors],
  ["Its files", fileErrors],
  ["Other work", workErrors],
];

/** Every id of an error that ends a command and that the reference explains. It is never renamed: the docs are linked by it. */
export type ErrorId =
  | keyof typeof nameErrors
  | keyof typeof projectErrors
  | keyof typeof fileErrors
  | keyof typeof workErrors;
