import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Deployment } from "../api/apps/v1.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { rawPatch } from "../client/patch.ts";
import type { ApiError } from "../errors/api-error.ts";
import { fakeClient, VirtualClock } from "./index.ts";
import { Sample, sampleCrd, versionedCrd } from "./sample-crd.fixture.ts";

const sample = (spec: object): Sample =>
  ({
    apiVersion: "test.kubewright.io/v1",
    kind: "Sample",
    metadata: { name: "one", namespace: "default" },
    spec,
  }) as Sample;

const key = { namespace: "default", name: "one" };

describe("K14: a fake client with CRDs", () => {
  it("sets defaults, drops unknown fields, and reports all causes of an invalid object", async () => {
    const client = fakeClient({ crds: [sampleCrd] });
    const error = (await client
      .create(sample({ text: "A", count: 99 }))
      .catch((caught: unknown) => caught)) as ApiError;
    expect(error.code).toBe(422);
    expect(error.status.details?.causes).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "spec.count",
        message: "Invalid value: 99: spec.count in body should be less than or equal to 10",
      },
      {
        reason: "FieldValueInvalid",
        field: "spec.text",
        message: 'Invalid value: "A": spec.text in body should be at least 2 chars long',
      },
    ]);
    const { spec } = await client.create(sample({ nested: {}, nope: true }));
    expect(spec).toEqual({ nested: { inner: "in", more: { deep: 7 } }, preset: "set" });
  });

  it("returns initial objects with defaults", async () => {
    const client = fakeClient({ crds: [sampleCrd], objects: [sample({})] });
    expect(await client.get(Sample, { namespace: "default", name: "one" })).toMatchObject({ spec: { preset: "set" } });
  });

  it("converts another version by its schema, and fails if that requires a webhook", async () => {
    const v2: Kind = groupVersion("test.kubewright.io", "v2").kind("Versioned");
    const object = {
      apiVersion: "test.kubewright.io/v1",
      kind: "Versioned",
      metadata: { ...key },
      spec: { old: "a", both: "b" },
    };
    const client = fakeClient({ crds: [versionedCrd], objects: [object] });
    expect(await client.get(v2, key)).toMatchObject({ apiVersion: "test.kubewright.io/v2", spec: { both: "b" } });
    expect((await client.get(v2, key)) as object).not.toHaveProperty("spec.old");

    const crd = structuredClone(versionedCrd) as unknown as { spec: object };
    const webhook = { clientConfig: { url: "https://localhost:1" }, conversionReviewVersions: ["v1"] };
    crd.spec = { ...crd.spec, conversion: { strategy: "Webhook", webhook } };
    const strict = fakeClient({ crds: [crd as never], objects: [object] });
    const refusal = 'Versioned "one" was written as test.kubewright.io/v1 and is used as test.kubewright.io/v2';
    await expect(strict.get(v2, key)).rejects.toThrow(refusal);
    await expect(strict.list(v2)).rejects.toThrow(refusal);
    await expect(strict.apply({ ...object, apiVersion: v2.apiVersion }, { fieldOwner: "one" })).rejects.toThrow(
      refusal,
    );
    await expect(strict.delete(v2, key)).rejects.toThrow(refusal);
    await strict.delete({ ...object });
    expect((await strict.create({ ...object, apiVersion: v2.apiVersion })).apiVersion).toBe(v2.apiVersion);
  });

  it("reads CRDs from files", async () => {
    const directory = mkdtempSync(join(tmpdir(), "kubewright-fake-crds-"));
    try {
      writeFileSync(join(directory, "samples.yaml"), JSON.stringify(sampleCrd));
      const client = fakeClient({ crdDirectoryPaths: [directory] });
      await expect(client.create(sample({ mode: "None" }))).rejects.toThrow('supported values: "Fast", "Slow"');
      expect(() => fakeClient({ crdDirectoryPaths: [join(directory, "none")] })).toThrow("no such file or directory");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("evaluates patterns like API servers, and reports an invalid one", async () => {
    const crd = structuredClone(sampleCrd) as unknown as {
      spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: object } } } } }[] };
    };
    crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec.properties = {
      text: { type: "string", pattern: "^(?=a)" },
      posix: { type: "string", pattern: "(?i)\\A[[:alpha:]_]+\\z" },
    };
    await expect(fakeClient({ crds: [crd as never] }).create(sample({ text: "a" }))).rejects.toThrow(
      'text].pattern: Invalid value: "^(?=a)": must be a valid regular expression',
    );
    const { properties } = crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec;
    delete (properties as { text?: object }).text;
    const client = fakeClient({ crds: [crd as never] });
    await expect(client.create(sample({ posix: "a1" }))).rejects.toThrow("should match");
    await client.create(sample({ posix: "A_b" }));
  });
});

describe("a fake client without CRDs", () => {
  const deployment = (more: object = {}): Deployment => ({
    apiVersion: Deployment.apiVersion,
    kind: Deployment.kind,
    metadata: { ...key },
    spec: {
      selector: { matchLabels: { app: "a" } },
      template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "main", image: "x" }] } },
      ...more,
    },
  });

  it("sets defaults of built-in kinds, and validates them", async () => {
    const client = fakeClient();
    const { spec } = await client.create(deployment());
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: "RollingUpdate" } });
    await expect(client.create({ ...deployment({ replicas: -1 }), metadata: { ...key, name: "two" } })).rejects.toThrow(
      'Deployment.apps "two" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  it("merges the lists of built-in kinds by keys, for strategic merge patches and apply", async () => {
    const client = fakeClient({ objects: [deployment()] });
    const containers = [{ name: "sidecar", image: "y" }];
    const patch = { spec: { template: { spec: { containers } } } };
    const patched = await client.patch(deployment(), rawPatch("application/strategic-merge-patch+json", patch));
    const names = ({ spec }: Deployment) => spec?.template.spec?.containers.map(({ name }) => name);
    expect(names(patched)).toEqual(["sidecar", "main"]);
    const { apiVersion, kind } = Deployment;
    const third = {
      apiVersion,
      kind,
      metadata: key,
      spec: { template: { spec: { containers: [{ name: "third" }] } } },
    };
    const applied = await client.apply(third as unknown as Deployment, { fieldOwner: "me" }).catch((error) => error);
    expect((applied as ApiError).message).toContain("spec.template.spec.containers[2].image: Required value");
  });

  it("returns managedFields, so that fields can be extracted", async () => {
    const client = fakeClient();
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { ...key }, data: { a: "1" } };
    const applied = await client.apply(map, { fieldOwner: "me" });
    expect(applied.metadata.managedFields).toMatchObject([{ manager: "me", operation: "Apply" }]);
  });

  it("uses its clock for timestamps", async () => {
    const clock = new VirtualClock(new Date("2030-01-01T00:00:00Z"));
    const client = fakeClient({ clock, objects: [deployment()] });
    expect((await client.get(Deployment, key)).metadata.creationTimestamp).toBe("2030-01-01T00:00:00Z");
    await clock.advance(90_000);
    const created = await client.create({ ...deployment(), metadata: { ...key, name: "later" } });
    expect(created.metadata.creationTimestamp).toBe("2030-01-01T00:01:30Z");
  });
});

it("a fake client evaluates CEL rules", async () => {
  const crd = structuredClone(sampleCrd) as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: object } } } }[] };
  };
  Object.assign(crd.spec.versions[0]!.schema.openAPIV3Schema.properties.spec, {
    "x-kubernetes-validations": [{ rule: "!has(self.count) || self.count < 5", message: "too many" }],
  });
  const client = fakeClient({ crds: [crd as never] });
  await client.create(sample({ count: 4 }));
  await expect(client.update({ ...(await client.get(Sample, key)), spec: { count: 6 } })).rejects.toThrow("too many");
});
