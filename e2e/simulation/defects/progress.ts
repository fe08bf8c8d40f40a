import {
  addFinalizer,
  createOrUpdate,
  type Manager,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { eventually, type World } from "@kubewright/runtime/simulation";
import type { Case } from "../lib.ts";
import { crds, isDeleted, key, lifeOf, manage, Store, store } from "../stores.ts";

const finalizer = "stores.test/directory";
const paused = "stores.test/paused";

async function syncSettings(mgr: Manager, owner: Stored<Store>): Promise<void> {
  const settings: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key } };
  await createOrUpdate(mgr.client, settings, (object) => {
    setControllerReference(owner, object);
    object.data = { ...object.data, members: String(owner.spec.members) };
  });
}

type Conditions = NonNullable<NonNullable<Store["status"]>["conditions"]>;

async function report(mgr: Manager, owner: Stored<Store>, conditions: Conditions): Promise<void> {
  if (JSON.stringify(owner.status?.conditions) === JSON.stringify(conditions)) return;
  await mgr.client.status.update({ ...owner, status: { ...owner.status, conditions } });
}

/** A directory with users. */
class Directory {
  readonly users = new Set<string>();

  async add(name: string): Promise<void> {
    this.users.add(name);
  }

  async remove(name: string): Promise<void> {
    this.users.delete(name);
  }
}

/** Defects of operators that keep what they did in the status or in an annotation. */
export const progress: readonly Case[] = [
  {
    name: "condition that stays after its cause",
    why: "the user corrects the spec, and the operator has nothing else to write",
    simulation: (isDefective) => ({
      crds,
      scenario: lifeOf(store({ members: 3 }), { spec: { members: 0 } }, { spec: { members: 3 } }),
      invariants: [
        eventually("only invalid stores are degraded", (world) => {
          const owner = world.object(Store, key);
          const degraded = owner?.status?.conditions?.find(({ type }) => type === "Degraded")?.status === "True";
          return !owner || degraded === owner.spec.members < 1;
        }),
      ],
      operator: async (mgr) => {
        await manage(mgr, { owned: [ConfigMap] }, async (owner) => {
          if (isDeleted(owner)) return;
          if (owner.spec.members < 1) {
            return report(mgr, owner, [{ type: "Degraded", status: "True", reason: "NoMembers" }]);
          }
          await syncSettings(mgr, owner);
          const isNew = owner.status?.conditions === undefined;
          if (isDefective && !isNew) return;
          await report(mgr, owner, [{ type: "Degraded", status: "False", reason: "AsExpected" }]);
        });
      },
    }),
  },
  {
    name: "paused object that can't be deleted",
    why: "the operator ignores paused objects, also if they are being deleted",
    simulation: (isDefective) => ({
      crds,
      external: () => new Directory(),
      scenario: lifeOf(store({ members: 1, users: ["ann"] }), { metadata: { annotations: { [paused]: "true" } } }),
      operator: async (mgr, world: World) => {
        const directory = world.external as Directory;
        await manage(mgr, {}, async (stored) => {
          const isPaused = stored.metadata.annotations?.[paused] === "true";
          if (isPaused && (isDefective || !isDeleted(stored))) return;
          if (isDeleted(stored)) {
            for (const name of stored.spec.users ?? []) await directory.remove(name);
            if (removeFinalizer(stored, finalizer)) await mgr.client.update(stored);
            return;
          }
          if (addFinalizer(stored, finalizer)) await mgr.client.update(stored);
          for (const name of stored.spec.users ?? []) await directory.add(name);
        });
      },
    }),
  },
  {
    name: "user that stays after its removal from the list",
    why: "the operator creates the users of the present list, and doesn't know those of the previous one",
    simulation: (isDefective) => ({
      crds,
      external: () => new Directory(),
      scenario: lifeOf(
        store({ members: 1, users: ["ann", "bob"] }),
        { spec: { users: ["ann"] } },
        { spec: { users: ["ann", "eve"] } },
      ),
      invariants: [
        eventually("only the users of the store exist", (world) => {
          const wanted = world.object(Store, key)?.spec.users ?? [];
          const { users } = world.external as Directory;
          return [...users].every((name) => wanted.includes(name));
        }),
      ],
      operator: async (mgr, world: World) => {
        const directory = world.external as Directory;
        await manage(mgr, {}, async (stored) => {
          const present = [...directory.users];
          if (isDeleted(stored)) {
            for (const name of isDefective ? (stored.spec.users ?? []) : present) await directory.remove(name);
            if (removeFinalizer(stored, finalizer)) await mgr.client.update(stored);
            return;
          }
          const owner = addFinalizer(stored, finalizer) ? await mgr.client.update(stored) : stored;
          const { users = [] } = owner.spec;
          for (const name of users) await directory.add(name);
          if (isDefective) return;
          for (const name of present) if (!users.includes(name)) await directory.remove(name);
        });
      },
    }),
  },
];
