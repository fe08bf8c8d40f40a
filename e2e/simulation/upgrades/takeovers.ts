import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { childOf, finalizer, type Operator, operator, type Pair, remove, Shop, sync } from "./lib.ts";

const rollback = "a rollback works";

const newFinalizer = "simulation.test/new";

/** An operator that protects its shops by one finalizer, and also removes the given ones. */
function finalizing(own: string, ...known: string[]): Operator {
  return operator(
    async (owner, client) => {
      const { finalizers = [] } = owner.metadata;
      const others = finalizers.filter((name) => !known.includes(name));
      if (others.includes(own) && others.length === finalizers.length) return;
      const next = others.includes(own) ? others : [...others, own];
      await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: next } });
    },
    {
      deleted: async (owner, client) => {
        const { finalizers = [] } = owner.metadata;
        const left = finalizers.filter((name) => name !== own && !known.includes(name));
        if (left.length === finalizers.length) return;
        await client.update({ ...owner, metadata: { ...owner.metadata, finalizers: left } });
      },
    },
  );
}

/** Sets the text of the ConfigMap, or only creates it. */
function withText(value: string, isUpdated: boolean): Operator {
  return operator(
    async (owner, client) => {
      const stored = await childOf(client, ConfigMap, "a");
      if (!stored || isUpdated) await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { value } });
    },
    { owns: [ConfigMap] },
  );
}

/** Upgrades that fail because of how one version takes over from the other. */
export const takeovers: readonly Pair[] = [
  {
    name: "the old version doesn't set its fields back",
    class: "rollback keeps the new template",
    rules: [rollback],
    simulation: (isDefective) => ({
      from: { operator: withText("one", !isDefective) },
      operator: withText("two", true),
      upgrade: { variations: ["replace", "rollback"] },
    }),
  },
  {
    name: "the finalizer has another name",
    class: "finalizer renamed or dropped; new one unknown after a rollback",
    rules: ["finalizers complete"],
    simulation: (isDefective) => ({
      from: { operator: finalizing(finalizer, newFinalizer) },
      operator: isDefective ? finalizing(newFinalizer) : finalizing(newFinalizer, finalizer),
      upgrade: { variations: ["replace", "overlap"] },
      faults: ["stale", "crash", "conflict", "lost", "errors", "watch", "time"],
    }),
  },
  {
    name: "the old version doesn't know a new finalizer",
    class: "finalizer renamed or dropped; new one unknown after a rollback",
    rules: [rollback],
    simulation: (isDefective) => ({
      from: { operator: isDefective ? finalizing(finalizer) : finalizing(finalizer, newFinalizer) },
      operator: finalizing(newFinalizer, finalizer),
      upgrade: { variations: ["replace", "rollback"] },
      faults: ["stale", "crash", "conflict", "lost", "errors", "watch", "time"],
    }),
  },
  {
    name: "both versions set an annotation without the lease",
    class: "versions overwrite each other's annotation",
    rules: ["versions don't fight"],
    simulation: (isDefective) => {
      const stamping = (version: string): Operator =>
        operator(
          async (owner, client) => {
            if (owner.metadata.annotations?.version === version) return;
            const annotations = { ...owner.metadata.annotations, version };
            await client.update({ ...owner, metadata: { ...owner.metadata, annotations } });
          },
          { needLeaderElection: !isDefective },
        );
      return {
        from: { name: "v1", operator: stamping("1") },
        operator: stamping("2"),
        upgrade: { variations: ["overlap"] },
      };
    },
  },
  {
    name: "a version that moves the data is skipped",
    class: "skipped version",
    rules: ["an upgrade leaves nothing behind", "converges to the state of the run without faults"],
    simulation: (isDefective) => {
      const named = (name: string, ...removed: string[]): Operator =>
        operator(
          async (owner, client) => {
            await sync(client, owner, ConfigMap, { metadata: { name }, data: { text: owner.spec.text ?? "" } });
            for (const old of removed) await remove(client, ConfigMap, old);
          },
          { owns: [ConfigMap] },
        );
      const next = isDefective ? named("a-third", "a-second") : named("a-third", "a-second", "a-first");
      return {
        from: [
          { name: "v1", operator: named("a-first") },
          { name: "v2", operator: named("a-second", "a-first") },
        ],
        operator: next,
        upgrade: { variations: ["replace", "skip"] },
      };
    },
  },
  {
    name: "a crash in the middle of the migration leaves it unfinished",
    class: "crash in the middle of a rollout",
    rules: ["converges to the state of the run without faults", "an upgrade leaves nothing behind"],
    simulation: (isDefective) => {
      const old = operator(
        (owner, client) => sync(client, owner, ConfigMap, { metadata: { name: "a-old" }, data: { text: "one" } }),
        { owns: [ConfigMap] },
      );
      const mark = async (
        owner: Parameters<Parameters<typeof operator>[0]>[0],
        client: Parameters<Parameters<typeof operator>[0]>[1],
      ) => {
        const present = await client.get(Shop, owner.metadata);
        if (present.metadata.annotations?.moved) return;
        const annotations = { ...present.metadata.annotations, moved: "true" };
        await client.update({ ...present, metadata: { ...present.metadata, annotations } });
      };
      const next = operator(
        async (owner, client) => {
          const isMoved = owner.metadata.annotations?.moved !== undefined;
          if (isDefective && !isMoved) await mark(owner, client);
          await sync(client, owner, ConfigMap, { metadata: { name: "a-new" }, data: { text: "one" } });
          // The old version creates it again after a rollback.
          if (!isMoved || !isDefective) await remove(client, ConfigMap, "a-old");
          if (!isDefective && !isMoved) await mark(owner, client);
        },
        { owns: [ConfigMap] },
      );
      return {
        from: { operator: old },
        operator: next,
        upgrade: { variations: ["replace", "interrupt"] },
        faults: ["stale", "conflict", "watch", "time"],
      };
    },
  },
  {
    name: "the new version expects what a settled old version has written",
    class: "old object without a new field: TypeError",
    rules: ["a reconcile succeeds at last", "an upgrade leaves nothing behind"],
    simulation: (isDefective) => {
      const old = operator(
        async (owner, client) => {
          await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { text: "one" } });
          await sync(client, owner, ConfigMap, { metadata: { name: "a-index" }, data: { a: "1" } });
        },
        { owns: [ConfigMap] },
      );
      const next = operator(
        async (owner, client) => {
          const first = await childOf(client, ConfigMap, "a");
          const index = await childOf(client, ConfigMap, "a-index");
          if (first && !index && isDefective) throw new TypeError("the index of a doesn't exist");
          await sync(client, owner, ConfigMap, { metadata: { name: "a-index" }, data: { a: "1" } });
          await sync(client, owner, ConfigMap, { metadata: { name: "a" }, data: { text: "one" } });
        },
        { owns: [ConfigMap] },
      );
      return {
        from: { operator: old },
        operator: next,
        upgrade: { variations: ["replace", "busy"] },
        faults: ["conflict", "lost", "errors", "time"],
      };
    },
  },
];
