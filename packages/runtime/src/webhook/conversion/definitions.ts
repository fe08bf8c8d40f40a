import type { Kind } from "../../api/kind.ts";
import type { RestMapper } from "../../discovery/rest-mapper.ts";

/**
 * Returns the names of the CustomResourceDefinitions of kinds. Each kind is a list of its versions, of which the API server
 * must serve one: others may be served only with their conversion. Rejects if it serves none.
 */
export function definitionNames(kinds: readonly (readonly Kind[])[], mapper: RestMapper): Promise<string[]> {
  return Promise.all(
    kinds.map(async (versions) => {
      let failure: unknown;
      for (const { group, version, kind, plural } of versions) {
        try {
          return `${plural ?? (await mapper.mapping(group, version, kind)).plural}.${group}`;
        } catch (error) {
          failure ??= error;
        }
      }
      throw failure;
    }),
  );
}
