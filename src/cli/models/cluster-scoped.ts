import type { Terminal } from "../framework/terminal.ts";

/** Warns, if the command succeeds, that the manager of a `--namespaced` project has no permissions for a cluster-scoped kind. */
export function warnOfClusterScope(
  terminal: Terminal,
  names: { readonly kind: string; readonly plural: string },
): void {
  const { kind, plural } = names;
  const hint = `add a ClusterRole for ${plural} by hand`;
  terminal.onSuccess(
    "warn",
    `${kind} is cluster-scoped, but the manager of a --namespaced project has only Roles: ${hint}`,
  );
}
