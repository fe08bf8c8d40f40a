import { shown } from "../text/shown.ts";
import { inputProblem, type Problem } from "./problem.ts";

/** The npm package that `--repo` specifies. */
export interface PackageIdentity {
  /** The npm package's name. */
  readonly name: string;
  /** The URL of the repository, if it follows from a module path. */
  readonly repository?: string;
  /** Whether the value was a Go module path. */
  readonly fromModulePath: boolean;
}

const npmName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** Names that npm rejects, and packages that a project depends on, because npm doesn't install a package into itself. */
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

/** Splits a Go module path, which begins with a host name, such as `github.com/acme/op`; undefined for other values. */
function moduleParts(repo: string): string[] | undefined {
  const parts = repo.split("/");
  const [host = ""] = parts;
  if (parts.length < 2 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?$/.test(host)) return undefined;
  return parts.every((part) => /^[A-Za-z0-9._~-]+$/.test(part.replace(/:[0-9]+$/, "")) && !/^\.+$/.test(part))
    ? parts
    : undefined;
}

/**
 * Parses `--repo`: an npm package name, or a Go module path, whose last part becomes the package name (`op` for
 * `github.com/acme/op/v2`).
 *
 * @returns undefined if the value isn't valid
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

/** Checks `--repo`. */
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
      `--repo ${shown(repo)} can't be used: the package name ${name} is reserved by npm or belongs to a package that the project needs; choose another, such as @acme/mygame`,
    );
  }
  return inputProblem(
    "bad-repo",
    `--repo ${shown(repo)} isn't a valid npm package name or module path: use a name such as @acme/mygame or github.com/acme/mygame`,
  );
}
