// `npm run changeset`: asks what a change is, and writes its note to .changeset/. With arguments any command of the tool.
import { pathToFileURL } from "node:url";
import { changesets } from "./changesets.mjs";

// In this process: it asks, and has the terminal.
process.argv[1] = await changesets();
await import(pathToFileURL(process.argv[1]).href);
