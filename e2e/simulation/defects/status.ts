import { isConflict, rawPatch } from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { always, eventually } from "@kubewright/runtime/simulation";
import { type Case, key, lifeOfShop, operator, Shop, setStatus, syncChild } from "../lib.ts";

const owns = [ConfigMap];

/** Defects of operators that report a status. */
export const status: readonly Case[] = [
  {
    name: "status before the child",
    why: "a crash in between leaves a status that isn't true",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "replicas", "conflict", "lost", "errors", "watch", "time"],
      scenario: async (world) => {
        await lifeOfShop(world);
      },
      invariants: [
        always("a ready Shop has its ConfigMap", (world) => {
          const shop = world.object(Shop, key);
          return !shop?.status?.ready || world.object(ConfigMap, key) !== undefined;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (isDefective) await setStatus(owner, client, { ready: true });
          await syncChild(owner, client);
          if (!isDefective) await setStatus(owner, client, { ready: true });
        },
        { owns },
      ),
    }),
  },
  {
    name: "observedGeneration of another read",
    why: "the spec comes from the cache, the generation from a later read",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "time", "replicas"],
      scenario: async (world) => {
        await lifeOfShop(world);
      },
      invariants: [
        always("the observed generation is applied", (world) => {
          const shop = world.object(Shop, key);
          if (!shop || shop.status?.observedGeneration !== shop.metadata.generation) return true;
          return world.object(ConfigMap, key)?.data?.text === shop.spec.text;
        }),
      ],
      operator: operator(
        () => async (owner, client, _ctx, mgr) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client);
          const now = isDefective ? await mgr.apiReader.get(Shop, key) : owner;
          await setStatus(now, client, { observedGeneration: now.metadata.generation });
        },
        { owns },
      ),
    }),
  },
  {
    name: "observedGeneration ahead",
    why: "the operator counts a write of its own that doesn't change the generation",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        const { generation = 0, deletionTimestamp } = owner.metadata;
        if (deletionTimestamp) return;
        await setStatus(owner, client, { observedGeneration: isDefective ? generation + 1 : generation });
      }),
    }),
  },
  {
    name: "condition without observedGeneration",
    why: "readers interpret the condition of the old spec as that of the new one",
    simulation: (isDefective) => ({
      faults: ["stale", "crash", "watch", "time", "errors"],
      scenario: lifeOfShop,
      invariants: [
        always("a current Ready condition is true", (world) => {
          const shop = world.object(Shop, key);
          const ready = shop?.status?.conditions?.find(({ type }) => type === "Ready");
          if (!shop || ready?.status !== "True") return true;
          if ((ready.observedGeneration ?? shop.metadata.generation) !== shop.metadata.generation) return true;
          return world.object(ConfigMap, key)?.data?.text === shop.spec.text;
        }),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          await syncChild(owner, client);
          const { generation } = owner.metadata;
          const condition = {
            type: "Ready",
            status: "True",
            ...(isDefective ? {} : { observedGeneration: generation }),
          };
          await setStatus(owner, client, { conditions: [condition] });
        },
        { owns },
      ),
    }),
  },
  {
    name: "counter in the status",
    why: "each reconcile changes the status, which causes the next reconcile",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        await setStatus(owner, client, { count: isDefective ? (owner.status?.count ?? 0) + 1 : 1 });
      }),
    }),
  },
  {
    name: "time in the status",
    why: "a reconcile of a settled object writes the time again",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        if (owner.metadata.deletionTimestamp) return;
        const checked = isDefective ? new Date().toISOString() : (owner.status?.checked ?? new Date().toISOString());
        await setStatus(owner, client, { checked });
      }),
    }),
  },
  {
    name: "ignored conflict",
    why: "the write is lost, and nothing repeats it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          try {
            await syncChild(owner, client);
          } catch (error) {
            if (!isDefective || !isConflict(error)) throw error;
          }
        },
        // With a watch, the change of the other client causes the next attempt.
        isDefective ? {} : { owns },
      ),
    }),
  },
  {
    name: "patch with the whole stale object",
    why: "the patch contains the spec of the cache, and undoes the change of a user",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(() => async (owner, client) => {
        if (owner.metadata.deletionTimestamp || owner.metadata.labels?.seen === owner.spec.text) return;
        const labels = { ...owner.metadata.labels, seen: owner.spec.text ?? "" };
        const whole = { metadata: { labels }, spec: owner.spec };
        if (isDefective) await client.patch(owner, rawPatch("application/merge-patch+json", whole));
        else await client.update({ ...owner, metadata: { ...owner.metadata, labels } });
      }),
    }),
  },
  {
    name: "phase before its work",
    why: "after a crash, the phase reports that the work was done",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          const phase = `Created ${owner.spec.text}`;
          if (isDefective) {
            if (owner.status?.phase === phase) return;
            await setStatus(owner, client, { phase });
            await syncChild(owner, client);
          } else {
            await syncChild(owner, client);
            await setStatus(owner, client, { phase });
          }
        },
        { owns },
      ),
    }),
  },
  {
    name: "status treated as the truth",
    why: "the status reports that the child exists, although somebody has deleted it",
    simulation: (isDefective) => ({
      scenario: lifeOfShop,
      invariants: [
        eventually(
          "the ConfigMap exists",
          (world) => !world.object(Shop, key) || world.object(ConfigMap, key) !== undefined,
        ),
      ],
      operator: operator(
        () => async (owner, client) => {
          if (owner.metadata.deletionTimestamp) return;
          if (isDefective && owner.status?.phase === owner.spec.text) return;
          await syncChild(owner, client);
          await setStatus(owner, client, { phase: owner.spec.text ?? "" });
        },
        { owns },
      ),
    }),
  },
];
