import { equalJson } from "@kubewright/cel/json";
import { splitApiVersion } from "@kubewright/cel/validation";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { AccessRequest, Authorizer } from "../../model/authorizer.ts";
import type { ResourceType } from "../../model/resource.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";

interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  blockOwnerDeletion?: boolean;
}

/**
 * Needs the permission to delete an object for changes of its owners, and the permission to update the finalizers of an owner
 * whose deletion it blocks.
 */
export class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  readonly name = "OwnerReferencesPermissionEnforcement";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #authorizer: Authorizer;
  readonly #resources: () => Iterable<ResourceType>;

  /**
   * @param authorizer - decides about the permissions
   * @param resources - returns all resources
   */
  constructor(authorizer: Authorizer, resources: () => Iterable<ResourceType>) {
    this.#authorizer = authorizer;
    this.#resources = resources;
  }

  validate(attributes: AdmissionAttributes): void {
    const { type, subresource, object, oldObject } = attributes;
    if (object === undefined || (type.collection === "pods" && subresource === "status")) return;
    const before = referencesOf(oldObject);
    const after = referencesOf(object);
    if (equalJson(before as never, after as never)) return;
    if (attributes.operation !== "CREATE") {
      const { group, resource } = type;
      const { namespace, name } = attributes;
      const decision = this.#ask(attributes, "delete", { group, resource, subresource, namespace, name });
      if (!decision.allowed) {
        throw refused(attributes, `cannot set an ownerRef on a resource you can't delete: ${decision.reason}, <nil>`);
      }
    }
    const blocking = after.filter(
      (ownerReference) => ownerReference.blockOwnerDeletion === true && !wasBlocking(before, ownerReference),
    );
    if (blocking.length === 0) return;
    const all = { group: "*", resource: "*", subresource: "finalizers", namespace: "", name: "*" };
    if (this.#ask(attributes, "update", all).allowed) return;
    for (const reference of blocking) this.#checkOwner(attributes, reference);
  }

  #checkOwner(attributes: AdmissionAttributes, { apiVersion, kind, name }: OwnerReference): void {
    const [group, version] = splitApiVersion(apiVersion);
    const owners = [...this.#resources()].filter(
      (type) => type.group === group && type.kind === kind && type.versions.has(version),
    );
    if (owners.length === 0) {
      const problem = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
      const what = "cannot set blockOwnerDeletion in this case because cannot find RESTMapping";
      throw refused(attributes, `${what} for APIVersion ${apiVersion} Kind ${kind}: ${problem}`);
    }
    for (const { resource, namespaced } of owners) {
      const namespace = namespaced ? attributes.namespace : "";
      const decision = this.#ask(attributes, "update", { group, resource, subresource: "finalizers", namespace, name });
      if (decision.allowed) continue;
      const what =
        "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
      throw refused(attributes, `${what}: ${decision.reason}, <nil>`);
    }
  }

  #ask(
    { user }: AdmissionAttributes,
    verb: string,
    target: Pick<AccessRequest, "group" | "resource" | "subresource" | "namespace" | "name">,
  ): { allowed: boolean; reason: string } {
    return this.#authorizer.authorize({ ...target, user, verb, isResource: true, path: "", version: "*" });
  }
}

function referencesOf(object: AdmissionAttributes["object"]): OwnerReference[] {
  return (object?.metadata.ownerReferences ?? []) as unknown as OwnerReference[];
}

function wasBlocking(before: readonly OwnerReference[], { uid }: OwnerReference): boolean {
  return before.some((ownerReference) => ownerReference.uid === uid && ownerReference.blockOwnerDeletion === true);
}
