import type { RestMapper } from "../../discovery/rest-mapper.ts";
import type { Kind } from "../../kind.ts";

/** Returns the names of the CustomResourceDefinitions of kinds. Rejects if the API server doesn't serve one. */
export function definitionNames(kinds: readonly Kind[], mapper: RestMapper): Promise<string[]> {
  return Promise.all(
    kinds.map(async ({ group, version, kind, plural }) => {
      const known = plural ?? (await mapper.mapping(group, version, kind)).plural;
      return `${known}.${group}`;
    }),
  );
}
