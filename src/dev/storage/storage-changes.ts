import { isDeepStrictEqual } from "node:util";
import { type DevProblem, withheldId } from "@kubewright/dashboard/protocol";
import { type KubeClient, type KubeObject, statusOf } from "../client/kube-client.ts";
import { lossesOf, type Schema } from "./schema-losses.ts";

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

interface Definition {
  readonly metadata?: { readonly name?: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly Version[];
    readonly conversion?: { readonly strategy?: string };
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

/** Milliseconds for the stored objects to be listed: without a manager, their conversion waits longer. */
const listTime = 5000;
const shownNames = 3;

/**
 * Compares a CRD with the stored objects.
 *
 * @param client - the client of the cluster
 * @param document - the CRD to apply
 * @param isConverted - whether a manager serves the conversion between its versions
 * @returns the problem if the change would drop stored fields, or if the objects can't be read; else `undefined`
 */
export async function storageProblem(
  client: KubeClient,
  document: KubeObject,
  isConverted: boolean,
): Promise<DevProblem | undefined> {
  const after = document as unknown as Definition;
  const name = after.metadata?.name ?? "";
  const resource = await client.resourceOf("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const before = (await client.get(resource, "", name).catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  })) as unknown as Definition | undefined;
  // The server refuses a CRD without versions.
  if (!before?.spec?.versions || !after.spec?.versions || isSame(before, after)) return undefined;
  const stored = before.spec.versions.find(({ storage }) => storage);
  if (!stored) return undefined;
  const withheld = (why: string, hint: string): DevProblem => ({
    phase: "apply",
    id: withheldId,
    message: `CustomResourceDefinition ${name} isn't applied: ${why}`,
    hint: `${hint}. To apply it with the loss: npx scaffold dev apply --accept-loss, or press y`,
  });
  let objects: readonly KubeObject[];
  try {
    objects = await listStored(client, before, stored);
  } catch (error) {
    const why = `its objects can't be compared with it: ${(error as Error).message}`;
    return withheld(why, "it is applied when they can be read: fix the conversion");
  }
  if (objects.length === 0) return undefined;
  const gone = (before.status?.storedVersions ?? []).filter(
    (version) => !after.spec.versions.some((one) => one.name === version),
  );
  if (gone.length > 0) {
    const versions = gone.join(" and ");
    return withheld(
      `objects may be stored as ${versions}, which it doesn't have`,
      `keep ${versions} until all objects were written in another version and status.storedVersions doesn't contain it`,
    );
  }
  const lost = lossesByField(objects, before, after, isConverted);
  if (lost.size === 0) return undefined;
  const fields = [...lost].map(([field, names]) => `${field} of ${namesText([...names])}`);
  const several = after.spec.versions.length > 1;
  return withheld(
    `stored fields would be lost: ${fields.join("; ")}`,
    several && !isConverted
      ? "it is applied when the manager serves a conversion between the versions, or when the types have the fields again"
      : "it is applied when the types have the fields again, or when no object has them",
  );
}

/** Whether nothing changes that concerns stored objects. */
function isSame(before: Definition, after: Definition): boolean {
  const relevant = ({ spec }: Definition) =>
    spec.versions.map(({ name, served, storage, schema }) => ({ name, served, storage, schema }));
  return isDeepStrictEqual(relevant(before), relevant(after));
}

async function listStored(client: KubeClient, { spec }: Definition, stored: Version): Promise<readonly KubeObject[]> {
  const version = stored.served ? stored.name : spec.versions.find(({ served }) => served)?.name;
  if (version === undefined) return [];
  const resource = await client.resourceOf(`${spec.group}/${version}`, spec.names.kind);
  return client.list(resource, "", {}, { timeout: listTime });
}

/** Returns the objects that would lose a field, by `FIELD in VERSION`. */
function lossesByField(
  objects: readonly KubeObject[],
  before: Definition,
  after: Definition,
  isConverted: boolean,
): Map<string, Set<string>> {
  const stored = before.spec.versions.find(({ storage }) => storage)?.name;
  const schemaIn = ({ spec }: Definition, version: string) => spec.versions.find(({ name }) => name === version);
  // With a conversion, each version has its own fields. Without one, objects are read and written with the fields of any.
  const versions = after.spec.versions.filter(
    ({ name, served, storage }) => name === stored || (!isConverted && (served || storage)),
  );
  const lost = new Map<string, Set<string>>();
  for (const object of objects) {
    for (const version of versions) {
      const earlier = schemaIn(before, version.name);
      const earlierLosses = earlier ? lossesOf(object, earlier.schema?.openAPIV3Schema) : new Set();
      // A loss that the cluster already has gets worse only if this version becomes the stored one.
      const isWorse = version.storage && earlier?.storage !== true;
      for (const field of lossesOf(object, version.schema?.openAPIV3Schema)) {
        if (earlierLosses.has(field) && !isWorse) continue;
        const key = `${field} in ${version.name}`;
        const { namespace = "", name = "" } = object.metadata ?? {};
        lost.set(key, (lost.get(key) ?? new Set()).add(namespace === "" ? name : `${namespace}/${name}`));
      }
    }
  }
  return lost;
}

function namesText(names: readonly string[]): string {
  const more = names.length - shownNames;
  return more > 0 ? `${names.slice(0, shownNames).join(", ")} and ${more} more` : names.join(", ");
}
