import type { AdmissionAttributes } from "../model/admission.ts";
import { refused, requestKind } from "../model/admission-request.ts";
import type { ApiObject } from "../model/resource.ts";
import { forbidden, notFound, StatusError } from "../model/status.ts";
import { ParsedCollection } from "../storage/parsed-collection.ts";
import type { Store } from "../storage/store.ts";
import type { AdmissionPlugin, Operation } from "./plugin/plugin.ts";

const immortal = new Set(["default", "kube-system", "kube-public"]);

/** Refuses new objects in namespaces that don't exist or are being deleted, and the deletion of some namespaces. */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = "NamespaceLifecycle";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE", "DELETE"]);
  readonly #namespaces: ParsedCollection<{ terminating: boolean }>;

  /** @param store - where the namespaces are */
  constructor(store: Store) {
    this.#namespaces = new ParsedCollection(store.collection("namespaces"), (object) => {
      const { status } = object as ApiObject & { status?: { phase?: string } };
      return { terminating: status?.phase === "Terminating" };
    });
  }

  admit(attributes: AdmissionAttributes): void {
    const { operation, namespace, name, type } = attributes;
    const { group, kind } = requestKind(attributes);
    const isNamespace = group === "" && kind === "Namespace";
    if (isNamespace) {
      if (operation !== "DELETE" || !immortal.has(name)) return;
      throw forbidden({ group: type.group, resource: type.resource }, name, "this namespace may not be deleted");
    }
    if (namespace === "" || operation === "DELETE") return;
    // An answer about the namespace would tell those who may only review access which namespaces exist.
    if (type.group === "authorization.k8s.io" && type.resource === "localsubjectaccessreviews") return;
    const stored = this.#namespaces.get(namespace);
    if (stored === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
    if (operation !== "CREATE" || !stored.terminating) return;
    const problem = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const error = refused(attributes, problem);
    const message = `namespace ${namespace} is being terminated`;
    throw new StatusError(error.code, error.reason, error.message, {
      ...error.details,
      causes: [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }],
    });
  }
}
