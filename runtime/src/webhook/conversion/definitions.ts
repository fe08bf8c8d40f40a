import type { RestMapper } from "../../discovery/index.ts";
import type { Kind } from "../../kind.ts";

/** The names of the CustomResourceDefinitions of kinds. Rejects while an API server doesn't know one. */
export function definitionNames(kinds: readonly Kind[], mapper: RestMapper): Promise<string[]> {
  return Promise.all(
    kinds.map(async ({ group, version, kind, plural }) => {
      const known = plural ?? (await mapper.mapping(group, version, kind)).plural;
      return `${known}.${group}`;
    }),
  );
}
