import { filesBelow } from "../../scaffold/files/files-below.ts";
import type { Tree } from "../../scaffold/files/tree.ts";

/** A CRD field that old API servers silently drop. */
interface Feature {
  readonly name: string;
  /** The minor version of Kubernetes in which it is enabled by default. */
  readonly since: number;
  /** Matches a line of a CRD that uses it. */
  readonly line: RegExp;
}

const features: readonly Feature[] = [
  { name: "selectableFields", since: 31, line: /^ +selectableFields:/m },
  { name: "optionalOldSelf", since: 30, line: /^ +(- )?optionalOldSelf:/m },
  { name: "fieldPath of validation rules", since: 28, line: /^ +(- )?fieldPath:/m },
  { name: "messageExpression of validation rules", since: 27, line: /^ +(- )?messageExpression:/m },
  { name: "validation rules", since: 25, line: /^ +x-kubernetes-validations:/m },
];

export interface UsedFeature extends Feature {
  /** Relative to the project, with `/`. */
  readonly file: string;
}

/** Returns the features that the project's CRDs use, each with one file that uses it. */
export function featuresInUse(tree: Tree): UsedFeature[] {
  const files = filesBelow(tree.root, "config/crd/bases", () => false)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => ({ file, text: tree.readText(file) ?? "" }));
  return features.flatMap((feature) => {
    const user = files.find(({ text }) => feature.line.test(text));
    return user === undefined ? [] : [{ ...feature, file: user.file }];
  });
}
