import type { Plan } from "./operation.ts";
import type { Tree } from "./tree.ts";

/** A tree as a plan will leave it. */
export function plannedTree(tree: Tree, { operations }: Plan): Tree {
  const planned = new Map(operations.map((operation) => [operation.path, operation]));
  const read = (path: string): Buffer | undefined => {
    const operation = planned.get(path);
    if (operation === undefined) return tree.read(path);
    return operation.op === "delete" ? undefined : Buffer.from(operation.content);
  };
  return { root: tree.root, read, readText: (path) => read(path)?.toString("utf8") };
}
