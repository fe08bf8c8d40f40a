import { ignoreNotFound, isAlreadyExists } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { eventually } from "@kubewright/runtime/simulation";
import {
  type Case,
  child,
  isOwnedBy,
  key,
  lifeOfShop,
  operator,
  other,
  Shop,
  setStatus,
  shop,
  syncChild,
} from "../lib.ts";

const owns = [ConfigMap];

/** Defects in the treatment of errors, and state of the process. */
export const errors: readonly Case[] = [
  {
    name: "swallowed error",
    why: "the error is logged, the reconcile succeeds, and nothing repeats it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client, ctx) => {
          if (owner.metadata.deletionTimestamp) return;
          try {
            await syncChild(owner, client);
          } catch (error) {
            ctx.log.error(error, "Failed to write the ConfigMap");
            if (!isDefective) throw error;
          }
        },
        { owns },
      ),
    }),
  },
  {
    name: "create that fails when repeated",
    why: "after a lost response or a crash, the object exists, and each attempt fails",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (owner.status?.phase === "Created") {
            await syncChild(owner, client);
            return;
          }
          if (isDefective) await client.create(child(owner));
          else await syncChild(owner, client);
          await setStatus(owner, client, { phase: "Created" });
        },
        { owns },
      ),
    }),
  },
  {
    name: "AlreadyExists treated as success",
    why: "the existing object belongs to the predecessor, and disappears with it",
    simulation: (isDefective) => ({
      faults: ["gc", "recreate", "stale", "watch", "crash"],
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.delete(Shop, key);
        await world.client.create(shop());
        await world.settled();
      },
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp || owner.status?.phase === owner.metadata.uid) {
            if (!isDefective && !owner.metadata.deletionTimestamp) await syncChild(owner, client);
            return;
          }
          if (isDefective) {
            await client.create(child(owner)).catch((error: unknown) => {
              if (!isAlreadyExists(error)) throw error;
            });
          } else await syncChild(owner, client);
          await setStatus(owner, client, { phase: owner.metadata.uid });
        },
        { owns },
      ),
    }),
  },
  {
    name: "promise without await",
    why: "its error ends the process of many programs",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const written = syncChild(owner, client);
          if (!isDefective) await written;
        },
        { owns },
      ),
    }),
  },
  {
    name: "wait inside of a reconcile",
    why: "the object that it waits for is deleted, and the worker never ends",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client, _ctx, mgr) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client);
          if (!isDefective) return;
          for (;;) {
            const configMap = await mgr.apiReader.get(ConfigMap, key).catch(() => undefined);
            if (configMap?.data?.text === owner.spec.text) return;
            await new Promise((resolve) => setTimeout(resolve, 1000));
          }
        },
        { owns },
      ),
    }),
  },
  {
    name: "counter in memory",
    why: "after a restart, the numbers begin again, and two objects have the same one",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop("a", { text: "x", port: 1 }));
        await world.settled();
        await world.client.create(shop("ab", { text: "x", port: 2 }));
        await world.settled();
      },
      invariants: [
        eventually("ports are unique", (world) => {
          const ports = world.list(Shop).flatMap(({ status }) => (status?.port === undefined ? [] : [status.port]));
          return new Set(ports).size === ports.length;
        }),
      ],
      faults: ["crash", "stale", "replicas", "watch"],
      operator: operator(() => {
        let last = 0;
        return async (owner, client) => {
          if (owner.status?.port !== undefined) return;
          await setStatus(owner, client, { port: isDefective ? ++last : (owner.spec.port ?? 0) });
        };
      }),
    }),
  },
  {
    name: "work that begins once per process",
    why: "a flag in memory reports that the setup is done, although somebody has undone it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          let isDone = false;
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp || (isDone && isDefective)) return;
            await syncChild(owner, client);
            isDone = owner.spec.text === "two";
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "retries that end",
    why: "after three failures, the operator gives up, and an outage takes longer",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const failures = new Map<string, number>();
          return async (owner, client) => {
            if (owner.metadata.deletionTimestamp) return;
            const { name } = owner.metadata;
            if (isDefective && (failures.get(name) ?? 0) >= 3) return;
            try {
              await syncChild(owner, client);
              failures.delete(name);
            } catch (error) {
              failures.set(name, (failures.get(name) ?? 0) + 1);
              throw error;
            }
          };
        },
        { owns },
      ),
    }),
  },
  {
    name: "children of all owners in one update",
    why: "the reconcile of one object writes the child of another from an old cache",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop("a", { text: "one" }));
        await world.client.create(shop("ab", { text: "one" }));
        await world.settled();
        await world.client.delete(Shop, other);
        await world.settled();
      },
      invariants: [
        eventually(
          "no ConfigMap without its Shop",
          (world) => !world.object(ConfigMap, other) || world.object(Shop, other) !== undefined,
        ),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client);
          if (!isDefective || owner.metadata.name !== "a") return;
          const { ownerReferences: _, ...metadata } = child(owner, "ab").metadata ?? {};
          const otherMap = await client.get(ConfigMap, other).catch(() => undefined);
          if (!otherMap) await client.create({ ...child(owner, "ab"), metadata });
        },
        { owns },
      ),
    }),
  },
  {
    name: "field that the code expects",
    why: "an object without the field passes the schema, and each reconcile of it fails with a TypeError",
    simulation: (isDefective) => ({
      scenario: async (world) => {
        await world.client.create(shop());
        await world.settled();
        await world.client.patch(Shop, key, { spec: { text: null } });
        await world.settled();
        await world.client.delete(Shop, key);
      },
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const { text } = owner.spec as { text: string };
          const name = isDefective ? text.trim() : (text?.trim() ?? "");
          await syncChild({ ...owner, spec: { ...owner.spec, text: name } }, client);
        },
        { owns },
      ),
    }),
  },
  {
    name: "step that fails after the others",
    why: "after a lost response, the create fails forever, although all objects are as they should be",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => {
          const created = new Set<string>();
          return async (owner, client) => {
            const { uid, deletionTimestamp } = owner.metadata;
            if (deletionTimestamp || (isDefective && created.has(uid))) return;
            const configMap = isDefective ? undefined : await ignoreNotFound(client.get(ConfigMap, key));
            if (configMap && !isOwnedBy(configMap, owner))
              throw new Error("the ConfigMap of a predecessor is being deleted");
            if (!configMap) await client.create({ ...child(owner), data: { text: "constant" } });
            created.add(uid);
          };
        },
        { owns },
      ),
    }),
  },
];
