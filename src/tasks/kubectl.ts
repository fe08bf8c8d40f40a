import type { ProgramOptions } from "./runner.ts";
import type { TaskContext } from "./task.ts";

/** Calls to kubectl. */
export interface Kubectl {
  /** Runs kubectl with its output as the result of the command. */
  run(args: readonly string[], options?: ProgramOptions): Promise<void>;
  /** Returns the stdout of kubectl. */
  get(args: readonly string[], options?: ProgramOptions): Promise<string>;
}

/** An object in the API server, in the part that the tasks read. */
export interface ClusterObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly finalizers?: readonly string[] };
}

/** Returns the kubectl of the variable KUBECTL. */
export function kubectlOf({ runner, variables }: TaskContext): Kubectl {
  return {
    run: (args, options) => runner.run(variables.KUBECTL, args, options),
    get: (args, options) => runner.capture(variables.KUBECTL, args, options),
  };
}

/** Applies manifests and returns the objects from the API server. */
export async function apply(kubectl: Kubectl, manifests: string): Promise<readonly ClusterObject[]> {
  // Client-side apply would store big CRDs in an annotation, which is limited to 256 KiB.
  await kubectl.run(["apply", "--server-side", "--force-conflicts", "-f", "-"], { input: manifests });
  const text = await kubectl.get(["get", "-f", "-", "-o", "json"], { input: manifests });
  const got = JSON.parse(text || '{"kind":"List","items":[]}');
  return got.kind === "List" ? got.items : [got];
}

/** Deletes the objects of manifests. */
export async function remove(kubectl: Kubectl, manifests: string, ignoreNotFound: boolean): Promise<void> {
  await kubectl.run(["delete", `--ignore-not-found=${ignoreNotFound}`, "-f", "-"], { input: manifests });
}
