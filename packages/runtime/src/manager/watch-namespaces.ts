import type { NamespaceOptions } from "../cache/options.ts";

/**
 * Reads the namespaces to watch from the environment variable `WATCH_NAMESPACE`, a comma-separated list. A namespaced
 * project sets it in its Deployment, because its Roles allow no others.
 *
 * @param env - variables that replace those of the process
 * @returns the namespaces, for the option `cache.defaultNamespaces` of {@link Manager.create}
 * @throws Error if the variable contains no namespace
 *
 * @example
 * const mgr = await Manager.create(getConfigOrDie(), { cache: { defaultNamespaces: watchNamespacesFromEnv() } });
 */
export function watchNamespacesFromEnv(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, NamespaceOptions> {
  const names = (env.WATCH_NAMESPACE ?? "").split(",").map((name) => name.trim());
  const namespaces = names.filter((name) => name !== "").map((name): [string, NamespaceOptions] => [name, {}]);
  if (namespaces.length > 0) return Object.fromEntries(namespaces);
  throw new Error("WATCH_NAMESPACE must contain at least one namespace to watch");
}
