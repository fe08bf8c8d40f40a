import { shown } from "./names.ts";
import { inputProblem, type Problem } from "./problem.ts";

/** What `--repo` says about the npm package. */
export interface PackageIdentity {
  /** The npm package's name. */
  readonly name: string;
  /** Where the sources live, when a module path tells. */
  readonly repository?: string;
  /** Whether it was a Go module path. */
  readonly fromModulePath: boolean;
}

const npmName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Names that npm refuses, and those of packages that a project depends on: npm installs no package into itself. */
const refused = new Set([
  "node_modules",
  "favicon.ico",
  "kubewright",
  "@kubewright/runtime",
  "@biomejs/biome",
  "@types/node",
  "esbuild",
  "typescript",
  "vitest",
]);

/** A Go module path has a host name in front: `github.com/acme/op`. */
function moduleParts(repo: string): string[] | undefined {
  const parts = repo.split("/");
  const [host = ""] = parts;
  if (parts.length < 2 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?$/.test(host)) return undefined;
  return parts.every((part) => /^[A-Za-z0-9._~-]+$/.test(part.replace(/:[0-9]+$/, "")) && !/^\.+$/.test(part))
    ? parts
    : undefined;
}

/**
 * Reads `--repo`: an npm package name, or a Go module path, whose last part becomes the package's name
 * (`github.com/acme/op/v2` gives `op`).
 */
export function packageIdentity(repo: string): PackageIdentity | undefined {
  const parts = moduleParts(repo);
  if (parts !== undefined) {
    const path = parts.at(-1)?.match(/^v[0-9]+$/) && parts.length > 2 ? parts.slice(0, -1) : parts;
    const name = (path.at(-1) ?? "").toLowerCase();
    if (!validNpmName(name)) return undefined;
    return { name, repository: `https://${path.join("/")}`, fromModulePath: true };
  }
  return validNpmName(repo) ? { name: repo, fromModulePath: false } : undefined;
}

function validNpmName(name: string): boolean {
  return name.length <= 214 && npmName.test(name) && !refused.has(name);
}

/** `--repo`. */
export function repoProblem(repo: string): Problem | undefined {
  if (packageIdentity(repo) !== undefined) return undefined;
  const name = (
    moduleParts(repo)
      ?.filter((part, index) => index === 0 || !/^v[0-9]+$/.test(part))
      .at(-1) ?? repo
  ).toLowerCase();
  if (refused.has(name)) {
    return inputProblem(
      "reserved-repo",
      `--repo ${shown(repo)} can't be used: the project's npm package would be called ${name}, which is taken by npm or by a package that the project needs; take another, such as @acme/mygame`,
    );
  }
  return inputProblem(
    "bad-repo",
    `--repo ${shown(repo)} is neither an npm package name nor a module path: @acme/mygame or github.com/acme/mygame are`,
  );
}
