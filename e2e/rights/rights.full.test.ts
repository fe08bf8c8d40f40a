// The other golden projects as they are, with what their markers give them.
import { describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { testRights } from "./rights.ts";

describe("webhooks", () => {
  testRights({ project: "webhooks", controllers: 2 }, ({ kubectl, process }) => {
    it("reconciles", async () => {
      await kubectl().apply(`apiVersion: crew.example.com/v1
kind: Captain
metadata: { name: sample, namespace: default }
spec: {}
`);
      await eventually(() => expect(process().output).toMatch(/"name":"sample".*"Reconciling"/));
    });
  });
});

describe("multigroup, of one namespace", () => {
  testRights({ project: "multigroup", controllers: 2 }, ({ kubectl, process, namespace }) => {
    it("reconciles in its namespace, and objects of none", async () => {
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
        await eventually(() => expect(process().output).toMatch(new RegExp(`"name":"${name}".*"Reconciling"`)));
      }
    });

    it("has no right beyond its namespace but to what belongs to none", async () => {
      const roles = JSON.parse(await kubectl().run("get", "clusterrolebindings", "-o", "json")) as {
        items: { roleRef: { name: string }; subjects?: { namespace?: string; name: string }[] }[];
      };
      const own = roles.items.filter(({ subjects = [] }) =>
        subjects.some((each) => each.namespace === namespace && each.name !== "scraper"),
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
  });
});
