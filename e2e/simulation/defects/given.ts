import { ignoreNotFound, isConflict, jsonPatch, type Stored } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import type { World } from "@kubewright/runtime/simulation";
import { addFinalizer, type Case, finalizer, key, operator, removeFinalizer, Shop, setStatus, shop } from "../lib.ts";

const registry = { namespace: "default", name: "registry" };
const objects = [{ apiVersion: "v1", kind: "ConfigMap", metadata: registry } satisfies ConfigMap];

async function lifeOfTwo({ client, settled }: World): Promise<void> {
  for (const name of ["a", "b"]) await client.create(shop(name));
  await settled();
  await client.patch(Shop, key, { spec: { text: "two" } });
  await settled();
  for (const name of ["a", "b"]) await client.delete(Shop, { namespace: "default", name });
}

/** Returns the data that contains a shop as it should be. */
function withShop({ data = {} }: Stored<ConfigMap>, { metadata, spec }: Stored<Shop>): Record<string, string> {
  const { [metadata.name]: _, ...others } = data;
  return metadata.deletionTimestamp ? others : { ...others, [metadata.name]: spec.text ?? "" };
}

/** Defects in the treatment of objects that exist before the operator, such as a shared registry. */
export const given: readonly Case[] = [
  {
    name: "conflict at a shared object treated as success",
    why: "the entry is missing, and no event of the unwatched object repeats the reconcile",
    simulation: (isDefective) => ({
      objects,
      scenario: lifeOfTwo,
      operator: operator(() => async (owner, client, _ctx, { apiReader }) => {
        const { deletionTimestamp, finalizers = [] } = owner.metadata;
        if (deletionTimestamp && !finalizers.includes(finalizer)) return;
        const current = deletionTimestamp ? owner : await addFinalizer(owner, client);
        const config = await apiReader.get(ConfigMap, registry);
        const data = withShop(config, current);
        if (JSON.stringify(data) !== JSON.stringify(config.data ?? {})) {
          await client.update({ ...config, data }).catch((error: unknown) => {
            if (!isDefective || !isConflict(error)) throw error;
          });
        }
        if (deletionTimestamp) await removeFinalizer(current, client);
      }),
    }),
  },
  {
    name: "annotations of a shared object replaced",
    why: "the patch contains all annotations of an older state, and removes what others have added since",
    simulation: (isDefective) => ({
      objects,
      scenario: lifeOfTwo,
      operator: operator(() => async (owner, client, _ctx, { apiReader }) => {
        if (owner.metadata.deletionTimestamp || owner.status?.phase === owner.spec.text) return;
        const config = await ignoreNotFound(apiReader.get(ConfigMap, registry));
        if (!config) return;
        const annotations = { ...config.metadata.annotations, "simulation.test/seen": "true" };
        if (isDefective) {
          await client.patch(config, jsonPatch([{ op: "add", path: "/metadata/annotations", value: annotations }]));
        } else if (config.metadata.annotations?.["simulation.test/seen"] === undefined) {
          await client.update({ ...config, metadata: { ...config.metadata, annotations } });
        }
        await setStatus(owner, client, { phase: owner.spec.text ?? "" });
      }),
    }),
  },
];
