import { cloneJson } from "@kubewright/cel/json";
import { releaseOf } from "../data/versions.ts";
import type { UserInfo } from "../model/request.ts";
import type { ApiObject, ResourceType, ServedVersion } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import type { WriteOptions } from "../model/write-options.ts";
import { storageForm, store } from "../registry/commit.ts";
import { deleteObject } from "../registry/delete.ts";
import { admitChange, admitNew, trackOwners, validatorOfNew, validatorOfUpdate } from "../registry/handlers.ts";
import { type Engine, objectKey, Scope, type Step, stateOf } from "../registry/scope.ts";
import { createObject, type Update, updateObject } from "../registry/write.ts";
import { Query } from "../request/query.ts";

/** The type and the name of an object. */
export interface ObjectId {
  type: ResourceType;
  namespace: string;
  name: string;
}

/** The user and the field manager of writes. */
export interface SystemIdentity {
  user: UserInfo;
  manager: string;
}

/** The server itself. */
export const serverIdentity: SystemIdentity = {
  user: { name: "system:apiserver", groups: ["system:authenticated", "system:masters"] },
  manager: "kube-apiserver",
};

function controllerIdentity(name: string, manager: string): SystemIdentity {
  const groups = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"];
  return { user: { name: `system:serviceaccount:kube-system:${name}`, groups }, manager };
}

/** Reads and writes objects on behalf of a component of the system, without HTTP. Admission decides about its writes too. */
export class SystemClient {
  readonly #engine: Engine;
  readonly #identity: SystemIdentity;
  /** Undefined for the server, whose writes are parts of requests. */
  readonly #step: Step | undefined;

  /**
   * @param engine - the server
   * @param identity - who writes, or the name of a controller
   * @param manager - the field manager of a controller
   */
  constructor(engine: Engine, identity: SystemIdentity | string, manager = "kube-controller-manager") {
    this.#engine = engine;
    this.#identity = typeof identity === "string" ? controllerIdentity(identity, manager) : identity;
    this.#step = this.#identity.user === serverIdentity.user ? undefined : engine.newSteps?.();
  }

  /** Returns the object in its storage version, which must not be changed; undefined if it doesn't exist. */
  get({ type, namespace, name }: ObjectId): ApiObject | undefined {
    const entry = this.#engine.store.collection(type.collection).get(objectKey(type, namespace, name));
    return entry && stateOf(type, entry);
  }

  /**
   * Creates an object of a built-in kind.
   *
   * @param type - the resource
   * @param object - the object in the storage version; it isn't changed
   * @returns the stored object
   * @throws StatusError if it is refused or exists
   */
  async create(type: ResourceType, object: ApiObject): Promise<ApiObject> {
    if (this.#step !== undefined) await this.#step();
    const { namespace = "", name = "" } = object.metadata;
    const scope = this.#scope({ type, namespace, name }, "create", "");
    const options = this.#options();
    const given = { apiVersion: scope.apiVersion, kind: type.kind, ...cloneJson(object) };
    const decoded = scope.version.codec.decode(given).object;
    const admitted = await admitNew(scope, decoded, options);
    return createObject(scope, admitted, options, validatorOfNew(scope, options, "CreateOptions"));
  }

  /**
   * Deletes an object.
   *
   * @param id - the object
   * @param uid - the UID that it must have
   * @param propagationPolicy - what happens to its dependents; undefined for the default of its kind
   * @param gracePeriodSeconds - the grace period; undefined for the default of the object
   * @throws StatusError if the deletion is refused; an object that is gone isn't an error
   */
  async delete(
    id: ObjectId,
    uid: string,
    propagationPolicy: string | undefined = "Background",
    gracePeriodSeconds?: number,
  ): Promise<void> {
    if (this.#step !== undefined) await this.#step();
    const options = {
      dryRun: false,
      preconditions: { uid },
      ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    };
    await ignoreGone(deleteObject(this.#scope(id, "delete", ""), id.name, options));
  }

  /**
   * Changes an object.
   *
   * @param id - the object
   * @param change - receives the present state and changes it
   * @param subresource - the subresource to write
   * @returns the stored object; undefined if it is gone
   * @throws StatusError if the change is refused; an object that is gone isn't an error
   */
  async update(id: ObjectId, change: (object: ApiObject) => void, subresource = ""): Promise<ApiObject | undefined> {
    if (this.#step !== undefined) await this.#step();
    const scope = this.#scope(id, "update", subresource);
    const options = this.#options();
    const validateUpdate = validatorOfUpdate(scope, options);
    const update: Update = {
      name: id.name,
      options,
      forceCreate: false,
      change: async (existing) => {
        const object = cloneJson(existing as ApiObject);
        change(object);
        const owned = await trackOwners(scope, existing, object, options);
        return scope.type.custom ? owned : admitChange(scope, owned, existing, options);
      },
      validateCreate: async () => {},
      validateUpdate: scope.type.custom ? async () => {} : validateUpdate,
    };
    return (await ignoreGone(updateObject(scope, update)))?.object;
  }

  /**
   * Applies fields to an object, and takes them from other managers.
   *
   * @param id - the object
   * @param applied - the fields
   * @param subresource - the subresource to write
   * @throws StatusError if the change is refused; an object that is gone isn't an error
   */
  async apply(id: ObjectId, applied: ApiObject, subresource: string): Promise<void> {
    if (this.#step !== undefined) await this.#step();
    const scope = this.#scope(id, "patch", subresource);
    const options = this.#options();
    const update: Update = {
      name: id.name,
      options,
      forceCreate: false,
      needsOwners: true,
      change: async (existing) => {
        const owned = await scope.fieldManager().apply(existing, cloneJson(applied), this.#identity.manager, true);
        return admitChange(scope, owned, existing, options);
      },
      validateCreate: async () => {},
      validateUpdate: validatorOfUpdate(scope, options),
    };
    await ignoreGone(updateObject(scope, update));
  }

  /**
   * Assigns a Pod to a node. As in kube-apiserver, the fields of this write have no owner.
   *
   * @param id - the Pod
   * @param change - receives the present state and changes it
   */
  bind(id: ObjectId, change: (pod: ApiObject) => void): void {
    const scope = this.#scope(id, "create", "binding");
    const present = this.get(id);
    if (present === undefined) return;
    const pod = cloneJson(present);
    change(pod);
    store(scope, objectKey(id.type, id.namespace, id.name), pod, storageForm(pod), { dryRun: false });
  }

  #options(): WriteOptions {
    return { dryRun: false, fieldManager: this.#identity.manager, fieldValidation: "Ignore" };
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
    const request = {
      method: "PUT",
      url: "",
      headers: { "user-agent": `${this.#identity.manager}/${releaseOf(this.#engine.kubernetes)}` },
    };
    return new Scope(this.#engine, request, info, type, version, this.#identity.user);
  }
}

async function ignoreGone<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    const gone = error instanceof StatusError && (error.reason === "NotFound" || error.reason === "Conflict");
    if (!gone) throw error;
    return undefined;
  }
}
