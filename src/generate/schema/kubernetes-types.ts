import type { KnownTypes } from "../source/known-types.ts";
import { clientNodeName } from "./builder.ts";
import { coreDeclarations } from "./core-declarations.ts";
import { coreTypeOf } from "./core-type-identity.ts";
import { aliasRefs, scalarSchemas } from "./model/known-types.ts";

const runtimeApi = /^@kubewright\/runtime(\/api(\/meta\/v1)?)?$/;

/** Types that are resolved without reading files: those of the runtime's API, and equivalents in other libraries. */
export const kubernetesTypes: KnownTypes = {
  has(specifier, name) {
    if (runtimeApi.test(specifier) && isOwn(name)) return true;
    if (specifier === "@kubernetes/client-node" && clientNodeName(name) !== undefined) return true;
    return coreTypeOf(specifier, name) !== undefined;
  },
  declarations: coreDeclarations,
};

function isOwn(name: string): boolean {
  return scalarSchemas.has(name) || aliasRefs.has(name) || name === "KubernetesObject" || name === "KubernetesList";
}
