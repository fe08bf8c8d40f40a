import { cloneJson } from "../json/values.ts";
import { deleteObject } from "../registry/delete.ts";
import type { ApiObject, ResourceType, ServedVersion } from "../registry/resource.ts";
import { type Engine, objectKey, parseStored, Scope } from "../registry/scope.ts";
import { type Update, updateObject } from "../registry/write.ts";
import { Query } from "../request/query.ts";
import type { UserInfo } from "../request/request.ts";
import { StatusError } from "../request/status.ts";

/** The type and the name of an object. */
export interface ObjectId {
  type: ResourceType;
  namespace: string;
  name: string;
}

/** Reads and writes objects on behalf of a controller, without HTTP. Admission decides about its writes too. */
export class SystemClient {
  readonly #engine: Engine;
  readonly #user: UserInfo;
  readonly #manager: string;

  /**
   * @param engine - the server
   * @param name - the name of the controller
   * @param manager - the field manager of its writes
   */
  constructor(engine: Engine, name: string, manager = "kube-controller-manager") {
    this.#engine = engine;
    this.#manager = manager;
    const groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"];
    this.#user = { name: `system:serviceaccount:kube-system:${name}`, groups };
  }

  /** @returns the object in its storage version; undefined if it doesn't exist */
  get({ type, namespace, name }: ObjectId): ApiObject | undefined {
    const entry = this.#engine.store.collection(type.collection).get(objectKey(type, namespace, name));
    return entry && parseStored(type, entry.text);
  }

  /**
   * Deletes an object.
   *
   * @param id - the object
   * @param uid - the UID that it must have
   * @param propagationPolicy - what happens to its dependents
   * @throws StatusError if the deletion is refused; an object that is gone isn't an error
   */
  async delete(id: ObjectId, uid: string, propagationPolicy = "Background"): Promise<void> {
    const options = { dryRun: false, propagationPolicy, preconditions: { uid } };
    await ignoreGone(deleteObject(this.#scope(id, "delete", ""), id.name, options));
  }

  /**
   * Changes an object.
   *
   * @param id - the object
   * @param change - receives the present state and changes it
   * @param subresource - the subresource to write
   * @throws StatusError if the change is refused; an object that is gone isn't an error
   */
  async update(id: ObjectId, change: (object: ApiObject) => void, subresource = ""): Promise<void> {
    const scope = this.#scope(id, "update", subresource);
    const update: Update = {
      name: id.name,
      options: { dryRun: false, fieldManager: this.#manager, fieldValidation: "Ignore" },
      forceCreate: false,
      change: async (existing) => {
        const object = cloneJson(existing as ApiObject);
        change(object);
        return scope.fieldManager().update(existing, object, this.#manager);
      },
      validateCreate: async () => {},
      validateUpdate: async () => {},
    };
    await ignoreGone(updateObject(scope, update));
  }

  #scope({ type, namespace, name }: ObjectId, verb: string, subresource: string): Scope {
    const version = (type.versions.get(type.storageVersion) ?? [...type.versions.values()][0]) as ServedVersion;
    const info = {
      isResource: true,
      path: "",
      query: new Query(""),
      verb,
      group: type.group,
      version: version.version,
      resource: type.resource,
      subresource,
      namespace,
      name,
      parts: [type.resource, name],
      fieldSelector: "",
      labelSelector: "",
    };
    const request = { method: "PUT", url: "", headers: { "user-agent": "kube-controller-manager/v1.36.3" } };
    return new Scope(this.#engine, request, info, type, version, this.#user);
  }
}

async function ignoreGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const gone = error instanceof StatusError && (error.reason === "NotFound" || error.reason === "Conflict");
    if (!gone) throw error;
  }
}
