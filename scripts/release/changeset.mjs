// `npm run changeset`: asks for the description of a change, and writes its note to .changeset/. With arguments, runs any
// command of the tool.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { pathToFileURL } from "node:url";
import { changesets } from "./changesets.mjs";

// Runs in this process, because it is interactive and needs the terminal.
process.argv[1] = await changesets();
await import(pathToFileURL(process.argv[1]).href);
