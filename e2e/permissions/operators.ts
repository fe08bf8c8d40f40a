// The operators of the golden projects, and how each uses its permissions.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import type { OperatorUnderTest } from "./permissions.ts";

const children = ["deployment", "service", "ingress"];

/** The Game operator of the docs. */
export const game: OperatorUnderTest = {
  project: "game",
  prepare: (root) => cpSync(join(checkout, "examples/game"), root, { recursive: true }),
  controllers: 1,
  tests: ({ kubectl, process }) => {
    it("creates children, and writes the status", async () => {
      await kubectl().apply(`apiVersion: myapp.qingwave.github.io/v1
kind: Game
metadata: { name: sample, namespace: default }
spec: { image: nginx, host: a.example.com }
`);
      await eventually(async () => {
        for (const child of children) await kubectl().get(child, "sample");
        expect((await kubectl().get("game", "sample")).status).toMatchObject({ phase: "NotReady" });
      });
      expect(process().output).not.toContain("Missing permission");
    });
  },
};

/** An operator with all types of webhooks. */
export const webhooks: OperatorUnderTest = {
  project: "webhooks",
  controllers: 2,
  tests: ({ kubectl, process }) => {
    it("reconciles", async () => {
      await kubectl().apply(`apiVersion: crew.example.com/v1
kind: Captain
metadata: { name: sample, namespace: default }
spec: {}
`);
      await eventually(() => expect(process().output).toMatch(/"Reconciling".*"name":"sample"/));
    });
  },
};

/** An operator with several groups, in one namespace. */
export const multigroup: OperatorUnderTest = {
  project: "multigroup",
  controllers: 2,
  tests: ({ kubectl, process, namespace }) => {
    it("reconciles objects in its namespace and cluster-scoped objects", async () => {
      await kubectl().apply(`apiVersion: ship.qingwave.github.io/v1
kind: Log
metadata: { name: own, namespace: ${namespace} }
spec: {}
---
apiVersion: crew.pay.qingwave.github.io/v1
kind: Log
metadata: { name: everywhere }
spec: {}
`);
      for (const name of ["own", "everywhere"]) {
        await eventually(() => expect(process().output).toMatch(new RegExp(`"Reconciling".*"name":"${name}"`)));
      }
    });

    it("has permissions outside of its namespace only for cluster-scoped objects", async () => {
      const roles = JSON.parse(await kubectl().run("get", "clusterrolebindings", "-o", "json")) as {
        items: { roleRef: { name: string }; subjects?: { namespace?: string; name: string }[] }[];
      };
      const own = roles.items.filter(({ subjects = [] }) =>
        subjects.some((subject) => subject.namespace === namespace && subject.name !== "scraper"),
      );
      expect(own.map(({ roleRef }) => roleRef.name).sort()).toEqual([
        "multigroup-manager-role",
        "multigroup-metrics-auth-role",
      ]);
      const role = JSON.parse(await kubectl().run("get", "clusterrole", "multigroup-manager-role", "-o", "json"));
      expect(new Set(role.rules.flatMap((rule: { apiGroups: string[] }) => rule.apiGroups))).toEqual(
        new Set(["crew.pay.qingwave.github.io"]),
      );
    });
  },
};
