// Finds names of Go packages in sources, without Go.
import { withoutComments } from "../../../src/scaffold/migrate/go-comments.ts";

/** The module whose names are found. */
const goModule = "sigs.k8s.io/controller-runtime";
const strings = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'/g;

/** A name of a package, such as `Client` of `pkg/client`. The package at the root of the module is `.`. */
export interface GoName {
  readonly path: string;
  readonly name: string;
}

/**
 * Returns the exported names of controller-runtime that a Go file uses. Names of local variables that hide a package are returned
 * too: the caller drops names that the package doesn't have.
 */
export function usedNames(source: string): GoName[] {
  const text = withoutComments(source);
  const code = text.replace(strings, '""');
  return importsIn(text).flatMap(({ path, alias }) => {
    const pattern = alias === "." ? /(?<![\w.])([A-Z]\w*)/g : new RegExp(`(?<![\\w.])${alias}\\.([A-Z]\\w*)`, "g");
    const names = new Set([...code.matchAll(pattern)].map(([, name = ""]) => name));
    return [...names].map((name) => ({ path, name }));
  });
}

function importsIn(text: string): { path: string; alias: string }[] {
  const line = new RegExp(`^[ \\t]*(?:import[ \\t]+)?([\\w.]+[ \\t]+)?"${goModule}((?:/[^"]*)?)"`, "gm");
  return [...text.matchAll(line)].flatMap(([, given = "", rest = ""]) => {
    const path = rest === "" ? "." : rest.slice(1);
    const own = path === "." ? "controllerruntime" : path.slice(path.lastIndexOf("/") + 1);
    const alias = given.trim();
    return alias === "_" ? [] : [{ path, alias: alias === "" ? own : alias }];
  });
}

/** Returns the exported functions, types, variables and constants that a Go file declares. */
export function exportedNames(source: string): string[] {
  const code = withoutComments(source).replace(strings, '""');
  const single = [...code.matchAll(/^(?:func|type|var|const) ([A-Z]\w*)/gm)].map(([, name = ""]) => name);
  const groups = [...code.matchAll(/^(?:type|var|const) \([ \t]*\n([\s\S]*?)^\)/gm)].map(([, body = ""]) => body);
  const grouped = groups.flatMap((body) =>
    [...body.matchAll(/^\t([A-Z]\w*(?:, *\w+)*)/gm)].flatMap(([, names = ""]) => names.split(/, */)),
  );
  return [...single, ...grouped].filter((name) => /^[A-Z]/.test(name));
}
