// Edits of TypeScript by its syntax tree. Import this file on demand: it loads the compiler, which takes longer than most
// commands.

export { appendElements, removeElements } from "./arrays.ts";
export { extendChain, shortenChain } from "./chains.ts";
export { addImports, removeImports } from "./imports.ts";
export { isTaken } from "./names.ts";
export { editSource } from "./source-file.ts";
export { replaceModules } from "./specifiers.ts";
