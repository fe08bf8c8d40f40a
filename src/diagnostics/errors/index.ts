import type { Sentences } from "../definitions/entry.ts";
import { assistantErrors } from "./assistants.ts";
import { fileErrors } from "./files.ts";
import { nameErrors } from "./names.ts";
import { projectErrors } from "./project.ts";
import { workErrors } from "./work.ts";

/** The sections of the reference: titles and entries. */
export const errorSections: readonly (readonly [title: string, Sentences])[] = [
  ["Flags", nameErrors],
  ["The project", projectErrors],
  ["Project files", fileErrors],
  ["Other work", workErrors],
  ["Assistants", assistantErrors],
];

/** The id of an error that ends a command and has a row in the reference. Ids are never renamed, because they are part of URLs. */
export type ErrorId =
  | keyof typeof nameErrors
  | keyof typeof projectErrors
  | keyof typeof fileErrors
  | keyof typeof workErrors
  | keyof typeof assistantErrors;
