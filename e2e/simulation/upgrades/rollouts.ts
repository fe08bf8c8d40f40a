import { Deployment, StatefulSet } from "@kubewright/runtime/api/apps/v1";
import { Pod } from "@kubewright/runtime/api/core/v1";
import { childOf, operator, type Pair, selector, setStatus, sync, template } from "./lib.ts";

const rollout = "an upgrade starts no rollout";
const success = "a reconcile succeeds at last";

const withTemplate = (pods: object, labels: Record<string, string> = {}) =>
  operator(
    (owner, client) =>
      sync(client, owner, Deployment, {
        metadata: { name: "a", labels },
        spec: { replicas: owner.spec.size ?? 1, selector, template: pods },
      }),
    { owns: [Deployment] },
  );

/** Upgrades that restart Pods, or whose changes the server rejects. */
export const rollouts: readonly Pair[] = [
  {
    name: "a new variable in the Pod template reaches old Deployments",
    class: "new Pod template rolls out every Pod",
    rules: [rollout],
    simulation: (isDefective) => {
      const env = { env: [{ name: "MODE", value: "fast" }] };
      const kept = operator(
        async (owner, client) => {
          const stored = await childOf(client, Deployment, "a");
          await sync(client, owner, Deployment, {
            metadata: { name: "a" },
            spec: {
              ...{ replicas: owner.spec.size ?? 1, selector },
              ...(stored ? {} : { template: template(env) }),
            },
          });
        },
        { owns: [Deployment] },
      );
      return {
        from: { operator: withTemplate(template()) },
        operator: isDefective ? withTemplate(template(env)) : kept,
      };
    },
  },
  {
    name: "the version of the operator is a label of the Pod template",
    class: "operator version or image in a template's label or hash",
    rules: [rollout],
    simulation: (isDefective) => {
      const version = (value: string) => ({ "simulation.test/version": value });
      const at = (value: string) =>
        isDefective ? withTemplate(template({}, version(value))) : withTemplate(template(), version(value));
      return { from: { name: "v1", operator: at("1") }, operator: at("2") };
    },
  },
  {
    name: "a changed default of the code reaches old objects",
    class: "changed default of a CRD or of the code reaches old objects",
    rules: [rollout],
    simulation: (isDefective) => {
      const sized = (unset: number) =>
        operator(
          async (owner, client) => {
            const stored = await childOf(client, Deployment, "a");
            const replicas = isDefective ? unset : (stored?.spec.replicas ?? unset);
            await sync(client, owner, Deployment, {
              metadata: { name: "a" },
              spec: { replicas, selector, template: template() },
            });
          },
          { owns: [Deployment] },
        );
      return { from: { name: "v1", operator: sized(1) }, operator: sized(2) };
    },
  },
  {
    name: "the new version deletes ready Pods to create them again",
    class: "new Pod template rolls out every Pod",
    rules: [rollout, "an upgrade replaces nothing"],
    simulation: (isDefective) => {
      const pod = (labels: Record<string, string>) => ({
        metadata: { name: "a", labels },
        spec: { containers: [{ name: "main", image: "nginx" }] },
      });
      const old = operator((owner, client) => sync(client, owner, Pod, pod({ app: "a" })), { owns: [Pod] });
      const next = operator(
        async (owner, client) => {
          const stored = await childOf(client, Pod, "a");
          if (stored && !stored.metadata.labels?.part && isDefective) await client.delete(stored);
          await sync(client, owner, Pod, pod({ app: "a", part: "main" }));
        },
        { owns: [Pod] },
      );
      return { from: { operator: old }, operator: next, upgrade: { variations: ["replace", "overlap"] } };
    },
  },
  {
    name: "an immutable field changes",
    class: "immutable field: reconciles fail forever",
    rules: [success],
    simulation: (isDefective) => {
      const withService = (serviceName: string, isKept: boolean) =>
        operator(
          async (owner, client) => {
            const stored = await childOf(client, StatefulSet, "a");
            const name = isKept ? (stored?.spec.serviceName ?? serviceName) : serviceName;
            const spec = { replicas: owner.spec.size ?? 1, serviceName: name, selector, template: template() };
            await sync(client, owner, StatefulSet, { metadata: { name: "a" }, spec });
          },
          { owns: [StatefulSet] },
        );
      return { from: { operator: withService("a", true) }, operator: withService("a-peers", !isDefective) };
    },
  },
  {
    name: "the selector of a Deployment changes",
    class: "changed selector",
    rules: [success],
    simulation: (isDefective) => {
      const selecting = (labels: Record<string, string>, isKept: boolean) =>
        operator(
          async (owner, client) => {
            const stored = await childOf(client, Deployment, "a");
            const wanted =
              isKept && stored ? {} : { selector: { matchLabels: labels }, template: template({}, labels) };
            const spec = { replicas: owner.spec.size ?? 1, ...wanted };
            await sync(client, owner, Deployment, { metadata: { name: "a" }, spec });
          },
          { owns: [Deployment] },
        );
      return {
        from: { operator: selecting({ app: "a" }, true) },
        operator: selecting({ app: "a", part: "web" }, !isDefective),
      };
    },
  },
  {
    name: "an old object lacks a field of the status",
    class: "old object without a new field: TypeError",
    rules: [success],
    simulation: (isDefective) => {
      const old = operator((owner, client) => setStatus(owner, client, { phase: "Ready" }));
      const next = operator(async (owner, client) => {
        const status = owner.status as { phase: string; parts?: string[] } | undefined;
        if (!status) return setStatus(owner, client, { phase: "Ready", parts: [owner.metadata.name] });
        const parts = isDefective ? (status.parts as string[]) : (status.parts ?? []);
        if (parts.length === 0) await setStatus(owner, client, { ...status, parts: [owner.metadata.name] });
        return undefined;
      });
      return { from: { operator: old }, operator: next };
    },
  },
];
