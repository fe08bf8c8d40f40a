// The addresses of the site and of the repository, which package.json contains.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The version of the documentation. */
export const version: string = manifest.version;
/** The address of the repository. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");
/** The address of the site, which ends with a slash. A fork sets its own. */
export const site: string = process.env.DOCS_URL ?? manifest.homepage;
/** The path of the site on its server: `/kubewright/` on project pages, and `/` on this machine. */
export const base: string = process.env.DOCS_BASE ?? "/";
