/** Returns the path of a file in the reader's project; `undefined` for the output of a command. */
export function nameInProject(path: string): string | undefined {
  if (path.endsWith(".txt")) return undefined;
  return (
    path
      .replace(/^(examples|testdata\/projects)\/[^/]+\//, "")
      // The files of the cookbook.
      .replace(/^scripts\/docs\/cookbook\//, "src/controller/")
      // The controller after a step of a tutorial.
      .replace(/^testdata\/tutorials\/[^/]+\/[^/]+\//, "src/controller/")
  );
}
