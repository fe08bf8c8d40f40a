import { isObject, type JsonObject } from "@kubewright/cel/json";
import { type ObjectId, SystemClient } from "../client/system-client.ts";
import { WorkQueue } from "../client/work-queue.ts";
import { isConditionTrue } from "../crd/validate-definition.ts";
import { type Condition, setCondition } from "../model/conditions.ts";
import { timestamp } from "../model/metadata.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { StatusError } from "../model/status.ts";
import type { Engine } from "../registry/scope.ts";

const definitions = "customresourcedefinitions";
/** Time in milliseconds in which the resource of a migration may still appear. */
const patience = 60_000;
const recheck = 1000;
const running = { type: "Running", status: "True", reason: "MigrationRunning" } as const;

/**
 * Runs StorageVersionMigrations, one after another: rewrites the objects of a resource in the storage version, and then
 * removes the other versions from the status of its definition.
 */
export class StorageVersionMigrations {
  readonly #engine: Engine;
  readonly #type: ResourceType;
  readonly #client: SystemClient;
  readonly #queue: WorkQueue;

  /**
   * @param engine - the server
   * @param type - the resource of the migrations
   */
  constructor(engine: Engine, type: ResourceType) {
    this.#engine = engine;
    this.#type = type;
    this.#client = new SystemClient(engine, "storage-version-migrator-controller");
    this.#queue = new WorkQueue(engine, (name) => this.#process(name));
  }

  /**
   * Begins to follow the migrations.
   *
   * @returns a function that ends it
   */
  start(): () => void {
    const collection = this.#engine.store.collection(this.#type.collection);
    for (const { key } of collection.list("")) this.#queue.add(key);
    return collection.follow((name, entry) => {
      if (entry === undefined) this.#queue.forget(name);
      else this.#queue.add(name);
    });
  }

  async #process(name: string): Promise<void> {
    const id = { type: this.#type, namespace: "", name };
    const migration = this.#client.get(id);
    if (migration === undefined) return;
    if (hasEnded(migration)) {
      if (isConditionTrue(migration, "Running")) await this.#finish(id, migration);
      return;
    }
    const type = this.#resourceOf(migration);
    if (type === undefined) {
      const age = this.#engine.now() - Date.parse(migration.metadata.creationTimestamp as string);
      if (age < patience) this.#queue.addAfter(name, recheck);
      else await this.#fail(id, "resource does not exist in discovery");
      return;
    }
    await this.#begin(id);
    await this.#migrate(id, type);
  }

  /** Returns the resource of a migration; undefined if it isn't served. */
  #resourceOf(migration: ApiObject): ResourceType | undefined {
    const { group: name, resource } = resourceNames(migration);
    return this.#engine.resource(name, resource);
  }

  async #begin(id: ObjectId): Promise<void> {
    const migration = this.#client.get(id);
    if (migration === undefined || isConditionTrue(migration, "Running")) return;
    await this.#changeDefinition(migration, (definition) => {
      this.#setMigrating(definition, "True", "MigrationRunning", `Migration ${id.name} is running`);
    });
    await this.#report(id, (status) => {
      status.resourceVersion ??= String(this.#engine.store.revision);
      this.#set(status, { ...running, message: "The migration is running" });
    });
  }

  async #migrate(id: ObjectId, type: ResourceType): Promise<void> {
    const entries = this.#engine.store.collection(type.collection).list("");
    let remaining = entries.length;
    const progress = (problem = ""): Condition => {
      const left = remaining > 0 ? `${remaining}/${entries.length} objects not yet migrated` : "";
      const count = left || `${entries.length} objects verified migrated`;
      return { ...running, message: `The migration is running${entries.length > 0 ? `, ${count}` : ""}${problem}` };
    };
    for (const { key } of entries) {
      const slash = key.indexOf("/");
      const namespace = slash < 0 ? "" : key.slice(0, slash);
      try {
        await this.#client.update({ type, namespace, name: key.slice(slash + 1) }, () => {});
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (error.code >= 500 || error.code === 429) {
          await this.#report(id, (status) => this.#set(status, progress(`; transient error: ${error.message}`)));
          throw error;
        }
        if (error.code !== 404 && error.code !== 409) {
          const count = `${remaining}/${entries.length} not yet migrated. `;
          await this.#fail(id, `${count}migration encountered unhandled error: ${error.message}`);
          return;
        }
      }
      remaining--;
    }
    await this.#report(id, (status) => {
      this.#set(status, progress());
      const reason = "StorageVersionMigrationSucceeded";
      this.#set(status, { type: "Succeeded", status: "True", reason, message: "Migration completed" });
    });
  }

  async #fail(id: ObjectId, message: string): Promise<void> {
    const reason = "StorageVersionMigrationFailed";
    await this.#report(id, (status) => this.#set(status, { type: "Failed", status: "True", reason, message }));
  }

  /** Brings the status of the definition up to date, and then that of the migration. */
  async #finish(id: ObjectId, migration: ApiObject): Promise<void> {
    const isDone = isConditionTrue(migration, "Succeeded");
    await this.#changeDefinition(migration, (definition) => {
      if (!isDone) {
        this.#setMigrating(definition, "False", "MigrationFailed", "The migration has failed");
        return;
      }
      const status = definition.status as JsonObject;
      const conditions = (status.conditions ?? []) as JsonObject[];
      const begun = conditions.find(({ type }) => type === "StorageMigrating")?.observedGeneration;
      // After a change of the definition, there may be objects in other versions again.
      const isSame = begun === definition.metadata.generation;
      const versions = ((definition.spec as JsonObject).versions ?? []) as JsonObject[];
      const stored = versions.find(({ storage }) => storage === true)?.name;
      if (isSame && stored !== undefined) status.storedVersions = [stored];
      const outcome = isSame
        ? "and the stored versions have been updated"
        : "but the stored versions have not been updated due to a generation mismatch";
      this.#setMigrating(definition, "False", "MigrationSucceeded", `The migration has succeeded ${outcome}`);
    });
    await this.#report(id, (status) => {
      const reason = "MigrationCompleted";
      this.#set(status, { type: "Running", status: "False", reason, message: "Migration completed" });
    });
  }

  async #changeDefinition(migration: ApiObject, change: (definition: ApiObject) => void): Promise<void> {
    const type = this.#engine.resource("apiextensions.k8s.io", definitions) as ResourceType;
    const { group: name, resource } = resourceNames(migration);
    await this.#client.update({ type, namespace: "", name: `${resource}.${name}` }, change, "status");
  }

  #setMigrating(definition: ApiObject, status: Condition["status"], reason: string, message: string): void {
    const observedGeneration = definition.metadata.generation as number;
    const condition = { type: "StorageMigrating", status, reason, message, observedGeneration };
    setCondition(definition as unknown as JsonObject, condition, timestamp(this.#engine.now()));
  }

  async #report(id: ObjectId, change: (status: JsonObject) => void): Promise<void> {
    const write = (object: ApiObject): void => {
      const status = isObject(object.status) ? object.status : {};
      object.status = status;
      change(status);
    };
    await this.#client.update(id, write, "status");
  }

  #set(status: JsonObject, condition: Condition): void {
    const holder: JsonObject = { status };
    setCondition(holder, condition, timestamp(this.#engine.now()));
  }
}

function hasEnded(migration: ApiObject): boolean {
  return isConditionTrue(migration, "Succeeded") || isConditionTrue(migration, "Failed");
}

function resourceNames(migration: ApiObject): { group: string; resource: string } {
  const { resource: target } = migration.spec as { resource: { group?: string; resource: string } };
  return { group: target.group ?? "", resource: target.resource };
}
