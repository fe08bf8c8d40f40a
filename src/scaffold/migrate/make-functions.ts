import { posix } from "node:path";
import { excluding } from "./go-packages.ts";
import { directoryOf, unreadable } from "./shell.ts";

/** Evaluates the functions of make that return one of their arguments or a directory, as far as they can be read. */
export function makeFunction(call: string): string {
  const [, name = "", text = ""] = /^\$[({](\w+)\s(.*)[)}]$/.exec(call) ?? [];
  const [first = "", second = "", third = ""] = text.split(",").map((part) => part.trim());
  if (name === "or") return first || second;
  if (name === "abspath" || name === "realpath" || name === "strip") return text.trim();
  if (name === "lastword") return text.trim().split(/\s+/).at(-1) ?? "";
  if (name === "firstword") return text.trim().split(/\s+/)[0] ?? "";
  const each = (change: (word: string) => string) => second.split(/\s+/).filter(Boolean).map(change).join(" ");
  if (name === "addprefix") return each((word) => first + word);
  if (name === "addsuffix") return each((word) => word + first);
  if (name === "dir") return `${posix.dirname(first)}/`;
  if (name === "patsubst" && first === "%/" && second === "%") return third.replace(/\/$/, "");
  return name === "shell" ? (listedPackages(text) ?? directoryOf(text, "")) : unreadable;
}

/**
 * Returns the packages that `go list ./... | grep -v /name | tr '\\n' ','` lists, as paths of controller-gen; undefined for other
 * commands. Formats other than the path of the import aren't paths of controller-gen.
 */
function listedPackages(command: string): string | undefined {
  const [list = "", ...filters] = command.split("|").map((part) => part.trim());
  const patterns = /^(?:\S*\/)?go\s+list\s+((?:\.\/[\w./-]*(?:\s+|$))+)$/.exec(list)?.[1];
  if (patterns === undefined) return undefined;
  const excluded: string[] = [];
  for (const filter of filters) {
    const name = /^grep\s+-v\s+(?:-e\s+)?(["']?)([\w/-]+)\1$/.exec(filter)?.[2];
    if (name !== undefined) excluded.push(`${excluding}${name}`);
    // These only change the separators.
    else if (!/^(?:tr|xargs|paste|sort)(?:\s[^;&<>]*)?$/.test(filter)) return unreadable;
  }
  return [...patterns.trim().split(/\s+/), ...excluded].join(",");
}
