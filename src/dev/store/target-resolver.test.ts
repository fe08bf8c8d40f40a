import type { ObjectRef } from "@kubewright/dashboard/protocol";
import { describe, expect, it } from "vitest";
import type { KubeResource } from "../client/kube-client.ts";
import { matches } from "./records.ts";
import { type NamedObject, TargetResolver } from "./target-resolver.ts";

const resource = (apiVersion: string, kind: string, plural: string, namespaced = true): KubeResource => ({
  group: apiVersion.includes("/") ? (apiVersion.split("/")[0] as string) : "",
  version: apiVersion.split("/").at(-1) as string,
  kind,
  plural,
  singular: kind.toLowerCase(),
  shortNames: [],
  namespaced,
  verbs: [],
  subresources: [],
});

const job = (namespace: string, name: string, apiVersion = "batch/v1") => ({
  apiVersion,
  kind: "Job",
  namespace,
  name,
});
const own = "game.example.com/v1";

/** A resolver for a cluster with two kinds Job, of which the project has one. */
function resolver({ live = [], past = [] }: { live?: ObjectRef[]; past?: ObjectRef[] } = {}, served = true) {
  let resources = [
    resource("v1", "Node", "nodes", false),
    resource("batch/v1", "Job", "jobs"),
    resource(own, "Job", "jobs"),
  ];
  if (!served) resources = [];
  const of = (refs: ObjectRef[]) => (filter: object) =>
    refs.filter((ref) => matches({ namespace: "", ...ref }, filter));
  let discoveries = 0;
  const targets = new TargetResolver(
    {
      allResources: async () => {
        discoveries++;
        return resources;
      },
      forgetResources: () => {},
    },
    {
      live: of(live),
      past: of(past),
      kinds: () => past,
      isOwn: ({ group }) => group === "game.example.com",
    },
  );
  const resolve = (kind: string, name: string, rest: Partial<NamedObject> = {}) =>
    targets.resolve({ kind, name, ...rest });
  return { targets, resolve, discoveries: () => discoveries };
}

describe("an ambiguous kind", () => {
  it("is that of the object with the name", async () => {
    const { resolve } = resolver({
      live: [job("default", "a"), job("default", "b", own)],
      past: [job("default", "c", own)],
    });
    expect(await resolve("job", "a")).toEqual(job("default", "a"));
    expect(await resolve("jobs", "b")).toEqual(job("default", "b", own));
    expect(await resolve("Job", "c")).toEqual(job("default", "c", own));
  });

  it("is one of the project if no object has the name", async () => {
    const { resolve, targets } = resolver();
    expect(await resolve("job", "none")).toEqual({ apiVersion: own, kind: "Job", name: "none" });
    expect(await resolve("jobs.batch", "none")).toEqual({ apiVersion: "batch/v1", kind: "Job", name: "none" });
    expect(await targets.resolveKind("job")).toEqual({ apiVersion: own, kind: "Job" });
  });

  it("is reported with the forms to choose from if several objects have the name", async () => {
    const { resolve } = resolver({ live: [job("default", "chess"), job("default", "chess", own)] });
    await expect(resolve("job", "chess")).rejects.toMatchObject({
      status: 409,
      message: "job/chess is ambiguous: jobs.batch and jobs.game.example.com have an object with this name",
      hint: "use jobs.batch/chess or jobs.game.example.com/chess",
    });
    expect(await resolve("jobs.batch", "chess")).toEqual(job("default", "chess"));
    expect(await resolve("job.v1.game.example.com", "chess")).toEqual(job("default", "chess", own));
    expect(await resolve("Job", "chess", { apiVersion: "game.example.com/v2" })).toEqual(job("default", "chess", own));
  });

  it("is the one that a request is meant for", async () => {
    const { targets } = resolver({ live: [job("default", "chess"), job("default", "chess", own)] });
    const isReconciled = ({ group }: { group: string }) => group === "game.example.com";
    expect(await targets.resolve({ kind: "job", name: "chess" }, isReconciled)).toEqual(job("default", "chess", own));
  });
});

describe("an object", () => {
  it("in several namespaces needs one", async () => {
    const { resolve } = resolver({ live: [job("b", "chess"), job("a", "chess")] });
    await expect(resolve("job", "chess")).rejects.toMatchObject({
      message: "job/chess is ambiguous: the namespaces a and b have an object with this name",
      hint: "use --namespace a or --namespace b",
    });
    expect(await resolve("job", "chess", { namespace: "b" })).toEqual(job("b", "chess"));
  });

  it("that exists comes before deleted ones", async () => {
    const { resolve } = resolver({ live: [job("a", "chess")], past: [job("b", "chess"), job("a", "chess", own)] });
    expect(await resolve("job", "chess")).toEqual(job("a", "chess"));
  });

  it("of a cluster-scoped kind has no namespace, even if a request has one", async () => {
    const node = { apiVersion: "v1", kind: "Node", name: "one" };
    expect(await resolver({ live: [node] }).resolve("node", "one", { namespace: "default" })).toEqual({
      ...node,
      namespace: "",
    });
    expect(await resolver().resolve("nodes", "two", { namespace: "default" })).toEqual({
      ...node,
      name: "two",
      namespace: "",
    });
  });

  it("of records without a version is found", async () => {
    const { resolve } = resolver({ past: [{ kind: "Job", namespace: "default", name: "chess" }] });
    expect(await resolve("jobs.batch", "chess")).toEqual(job("default", "chess"));
  });

  it("is found without a cluster", async () => {
    expect(await resolver({ past: [job("default", "chess", own)] }, false).resolve("job", "chess")).toEqual(
      job("default", "chess", own),
    );
  });
});

it("reports an unknown kind with a similar one, after another discovery", async () => {
  const { resolve, discoveries } = resolver();
  await expect(resolve("jbo", "chess")).rejects.toMatchObject({
    status: 404,
    message: "no kind jbo in the cluster",
    hint: "did you mean job?",
  });
  expect(discoveries()).toBe(2);
});
