// The objects and managed fields after random writes by several managers must equal those of kube-apiserver.

import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyPatch, type ManagedKind, updateManagedFields } from "../../packages/apiserver/src/apply/field-manager.ts";
import { managedFieldsAfterScale, managedFieldsOfScale } from "../../packages/apiserver/src/apply/scale.ts";
import { keepTimes } from "../../packages/apiserver/src/apply/times.ts";
import { equalValues } from "../../packages/apiserver/src/apply/typed/values.ts";
import { seededRandom } from "../../packages/runtime/src/json/random.fixture.ts";
import { deployments } from "./builtin-writes.ts";
import { comparable, now, predict, send } from "./outcome.ts";
import { type Kind, kinds, request, scaleType, startServer, stopServer } from "./server.ts";
import { choiceOf, randomSteps, type Step } from "./steps.ts";

beforeAll(startServer, 120_000);
afterAll(stopServer);

let counter = 0;

/** Returns the first difference of a sequence of writes. */
async function difference(
  first: Kind,
  steps: readonly Step[],
  statistics: Record<string, number>,
): Promise<string | undefined> {
  const name = `o${counter++}`;
  let live: JsonObject | undefined;
  // The server stores empty metadata of custom resources, and the next write removes it, which therefore is a change.
  let storedEmpty = false;
  for (const [index, step] of steps.entries()) {
    const kind = (step.second ? first.second : undefined) ?? first;
    live = live && { ...live, apiVersion: kind.apiVersion };
    if (live === undefined ? step.op !== "create" && step.op !== "apply" : step.op === "create") continue;
    // The server completes the status of Pods in updates.
    if (step.subresource !== "" && kind.kind === "Pod" && step.op === "update") continue;
    if (step.subresource !== "" && (live === undefined || kind.kind === "ConfigMap")) continue;
    const answer = await send(kind, name, step, live);
    const count = (what: string) => {
      statistics[what] = (statistics[what] ?? 0) + 1;
    };
    count(`${step.op}${step.subresource && `/${step.subresource}`} ${answer.error?.slice(0, 3) ?? "ok"}`);
    // The test isn't about validation: writes that the server rejects as invalid don't change the object.
    if (answer.error?.startsWith("422") && answer.error.includes("is invalid")) continue;
    const expected = predict(kind, name, step, live, answer);
    const context = `step ${index} (${JSON.stringify(step)})`;
    if (answer.error !== undefined || expected.error !== undefined) {
      if (answer.error !== expected.error) return `${context}: error ${expected.error} instead of ${answer.error}`;
      continue;
    }
    const actual = answer.object as JsonObject;
    const ours = comparable(expected.object as JsonObject);
    const theirs = comparable(actual);
    const fields = (object: JsonObject) => (object.metadata as JsonObject).managedFields ?? null;
    if (!equalValues(fields(ours), fields(theirs))) {
      return `${context}: managed fields\n${JSON.stringify(fields(ours))}\ninstead of\n${JSON.stringify(fields(theirs))}\nlive ${JSON.stringify(live)}`;
    }
    const same = kind.complete ? equalValues(ours, theirs) : contains(written(theirs, step), written(ours, step));
    if (!same)
      return `${context}: object\n${JSON.stringify(ours)}\ninstead of\n${JSON.stringify(theirs)}\nlive ${JSON.stringify(live)}`;
    if (
      kind.complete &&
      live !== undefined &&
      !storedEmpty &&
      !hasEmptyMetadata(expected.merged ?? {}) &&
      expected.changed !== answer.changed
    ) {
      return `${context}: changed ${expected.changed} instead of ${answer.changed}`;
    }
    if (answer.changed) storedEmpty = hasEmptyMetadata(expected.merged ?? {});
    live = actual;
  }
  await remove(first, name, live);
  return undefined;
}

/** Returns the parts of an object that a write to a resource or its status can change. */
function written(object: JsonObject, { subresource }: Step): JsonObject {
  if (subresource === "status") return { status: object.status };
  return { ...object, status: undefined, metadata: { ...(object.metadata as JsonObject), managedFields: undefined } };
}

/** Returns whether a value contains another one. The server adds defaults, and drops nulls and empty values. */
function contains(value: Json | undefined, part: Json | undefined): boolean {
  if (part === undefined || part === null) return true;
  if (Array.isArray(part)) {
    if (part.length === 0 && value === undefined) return true;
    return (
      Array.isArray(value) && value.length === part.length && part.every((item, index) => contains(value[index], item))
    );
  }
  if (isObject(part)) {
    if (value === undefined)
      return Object.keys(part).length === 0 || Object.values(part).every((item) => item === undefined);
    return isObject(value) && Object.keys(part).every((key) => contains(value[key], part[key]));
  }
  // Go drops zero values of most fields.
  return value === part || (value === undefined && !part);
}

function hasEmptyMetadata({ metadata }: JsonObject): boolean {
  return Object.values((metadata ?? {}) as JsonObject).some(
    (part) => part === null || (typeof part === "object" && Object.keys(part).length === 0),
  );
}

/** Removes an object, because there are only so many addresses for Services. */
async function remove(kind: Kind, name: string, live: JsonObject | undefined): Promise<void> {
  if (live === undefined) return;
  const path = `${kind.path}/${name}`;
  const body = { metadata: { finalizers: null } };
  await request("PATCH", path, { contentType: "application/merge-patch+json", body });
  await request("DELETE", path);
}

async function shrink(kind: Kind, steps: Step[]): Promise<Step[]> {
  let best = steps;
  for (let index = best.length - 1; index >= 0; index--) {
    const shorter = best.filter((_, at) => at !== index);
    if ((await difference(kind, shorter, {})) !== undefined) best = shorter;
  }
  return best;
}

describe("random writes", () => {
  const seed = Number(process.env.KUBEWRIGHT_SEED ?? 20261123);
  const rounds = Number(process.env.KUBEWRIGHT_FUZZ ?? 60);
  it.each(["Widget", "Deployment", "Service", "ConfigMap", "Pod"])(
    "to a %s have the same results as on the server",
    async (name) => {
      const kind = kinds.get(name) as Kind;
      const choice = choiceOf(seededRandom(seed));
      const statistics: Record<string, number> = {};
      for (let round = 0; round < rounds; round++) {
        const steps = randomSteps(choice, kind.generator, 12);
        const problem = await difference(kind, steps, statistics);
        if (problem === undefined) continue;
        const shrunk = await shrink(kind, steps);
        const last = (await difference(kind, shrunk, {})) ?? problem;
        expect.fail(`seed ${seed}, round ${round}: ${last}\nof ${JSON.stringify(shrunk, undefined, 1)}`);
      }
      expect(Object.keys(statistics).length).toBeGreaterThan(5);
      if (process.env.KUBEWRIGHT_FUZZ) console.log(name, statistics);
    },
  );
});

describe("scale", () => {
  const replicasPaths = { "apps/v1": ["spec", "replicas"] };
  const scaleKind: ManagedKind = {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    subresource: "scale",
    typeOf: (apiVersion) => (apiVersion === "autoscaling/v1" ? scaleType : undefined),
    empty: () => ({ apiVersion: "autoscaling/v1", kind: "Scale", metadata: {}, spec: {}, status: { replicas: 0 } }),
  };

  function scaleOf(deployment: JsonObject): JsonObject {
    const { name, namespace, uid, managedFields } = deployment.metadata as JsonObject;
    const entries = managedFieldsOfScale(managedFields, replicasPaths);
    const replicas = (deployment.spec as JsonObject).replicas as number;
    return {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name, namespace, uid, ...(entries ? { managedFields: entries } : {}) } as JsonObject,
      spec: replicas === 0 ? {} : { replicas },
      status: { replicas: 0, selector: "app=a" },
    };
  }

  it("has the same managed fields as on the server", async () => {
    const kind = kinds.get("Deployment") as Kind;
    const choice = choiceOf(seededRandom(Number(process.env.KUBEWRIGHT_SEED ?? 5)));
    for (let round = 0; round < 20; round++) {
      const name = `scale${round}`;
      const create: Step = {
        op: "apply",
        manager: "owner",
        subresource: "",
        force: false,
        second: false,
        body: deployments.object(choice, 0.5),
      };
      const answer = await send(kind, name, create, undefined);
      if (answer.error) continue;
      let live = answer.object as JsonObject;
      const steps: string[] = [];
      for (let i = 0; i < 6; i++) {
        const manager = choice.of(["owner", "scaler", "other"]);
        const replicas = choice.below(3) + 1;
        const query = { fieldManager: manager };
        const path = `${kind.path}/${name}/scale`;
        const scale = scaleOf(live);
        let expected: JsonObject;
        const op = choice.of(["put", "patch", "apply", "deployment"] as const);
        steps.push(`${op} ${manager} ${replicas}`);
        if (op === "deployment") {
          const step: Step = {
            op: "merge",
            manager,
            subresource: "",
            force: false,
            second: false,
            body: { spec: { replicas } },
          };
          live = (await send(kind, name, step, live)).object as JsonObject;
          continue;
        }
        if (op === "apply") {
          const body = {
            apiVersion: "autoscaling/v1",
            kind: "Scale",
            metadata: { name, namespace: "default" },
            spec: { replicas },
          };
          await request("PATCH", path, {
            query: { ...query, force: true },
            contentType: "application/apply-patch+yaml",
            body,
          });
          expected = applyPatch(scaleKind, { live: scale, patch: body, manager, force: true, now }).object;
        } else {
          if (op === "patch")
            await request("PATCH", path, {
              query,
              contentType: "application/merge-patch+json",
              body: { spec: { replicas } },
            });
          else {
            const body = {
              apiVersion: "autoscaling/v1",
              kind: "Scale",
              metadata: { name, namespace: "default" },
              spec: { replicas },
            };
            await request("PUT", path, { query, body });
          }
          const { managedFields: _, ...metadata } = scale.metadata as JsonObject;
          const updated = { ...scale, metadata, spec: { replicas } };
          expected = updateManagedFields(scaleKind, { live: scale, updated, manager, now });
        }
        const entries = managedFieldsAfterScale(
          (live.metadata as JsonObject).managedFields,
          (expected.metadata as JsonObject).managedFields,
          "apps/v1",
          replicasPaths,
        );
        const next = await request("GET", `${kind.path}/${name}`);
        const scaled = {
          ...live,
          metadata: { ...(live.metadata as JsonObject), managedFields: entries ?? null },
          spec: { ...(live.spec as JsonObject), replicas },
        };
        const written = keepTimes(scaled, live, true).metadata as JsonObject;
        const ours = comparable({ metadata: { managedFields: written.managedFields ?? null } });
        const theirs = comparable({ metadata: { managedFields: (next.metadata as JsonObject).managedFields ?? null } });
        expect(
          ours,
          `${steps.join(", ")}\nfrom ${JSON.stringify((live.metadata as JsonObject).managedFields)}`,
        ).toEqual(theirs);
        live = next;
      }
    }
  });
});
