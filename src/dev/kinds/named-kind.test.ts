import { describe, expect, it } from "vitest";
import type { KubeResource } from "../client/kube-client.ts";
import { fullName, kindsNamed, namedKinds } from "./named-kind.ts";

const resource = (
  group: string,
  version: string,
  kind: string,
  plural: string,
  ...shortNames: string[]
): KubeResource => ({
  group,
  version,
  kind,
  plural,
  singular: kind.toLowerCase(),
  shortNames,
  namespaced: true,
  verbs: [],
  subresources: [],
});

const kinds = namedKinds(
  [
    resource("", "v1", "Service", "services", "svc"),
    resource("batch", "v1", "Job", "jobs"),
    resource("serving.example.com", "v1", "Service", "services", "ksvc"),
    resource("serving.example.com", "v1beta1", "Service", "services", "ksvc"),
    resource("example.com", "v2", "Svc", "svcs"),
  ],
  [],
);
const named = (text: string) => kindsNamed(kinds, text).map(({ group, kind }) => `${kind}.${group}`);

describe("the forms of kubectl", () => {
  it.each([
    ["Job", ["Job.batch"]],
    ["job", ["Job.batch"]],
    ["JOBS", ["Job.batch"]],
    ["jobs.batch", ["Job.batch"]],
    ["job.batch", ["Job.batch"]],
    ["job.v1.batch", ["Job.batch"]],
    ["jobs.v2.batch", []],
    ["jobs.apps", []],
    ["service", ["Service.", "Service.serving.example.com"]],
    ["services.v1.", ["Service."]],
    ["services.v1", ["Service."]],
    ["ksvc", ["Service.serving.example.com"]],
    ["ksvc.serving.example.com", ["Service.serving.example.com"]],
    ["service.v1beta1.serving.example.com", ["Service.serving.example.com"]],
    // A name comes before a short name.
    ["svc", ["Svc.example.com"]],
    ["svc.v1.", ["Service."]],
    ["none", []],
    ["", []],
  ])("%s", (text, expected) => expect(named(text)).toEqual(expected));

  it("have one that is unique for each kind", () => {
    for (const kind of kinds) expect(kindsNamed(kinds, fullName(kind))).toEqual([kind]);
  });
});

describe("kinds of records", () => {
  it("are found by their kind and group, also without a cluster", () => {
    const recorded = namedKinds([], [{ apiVersion: "example.com/v1", kind: "Game" }]);
    for (const text of ["game", "Game.example.com", "game.v1.example.com"])
      expect(kindsNamed(recorded, text)).toEqual(recorded);
    expect(recorded.map(fullName)).toEqual(["game.example.com"]);
  });

  it("without a version are those of the cluster", () => {
    expect(namedKinds([resource("example.com", "v1", "Game", "games")], [{ kind: "Game" }])).toHaveLength(1);
    expect(namedKinds([], [{ kind: "Game" }, { kind: "" }])).toMatchObject([{ kind: "Game", group: "" }]);
  });
});
