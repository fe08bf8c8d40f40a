import { entries, fixedError } from "./entry.ts";

/** Files, options and what is written. */
export const sourceEntries = entries(fixedError, {
  "syntax-error": ["A file is not TypeScript.", "Correct it: types that nobody can read have no schema."],
  "no-such-path": ["`paths=` names a directory that isn't there or holds no TypeScript.", "Correct the path."],
  "bad-option": ["A generator's option can't be used, such as a header file that isn't there.", "Correct the option."],
  "bad-output": ["A document can't be written where it belongs.", "Say another place with `output:…`."],
  "unwritable-document": [
    "A document holds what YAML can't, such as control characters.",
    "Take the characters out of the description or the marker.",
  ],
});
