import { expect } from "vitest";
import { definition, withoutDescriptions } from "../lib/definitions.ts";
import { group, jobSpecFields, names, specOf, statusFields } from "./facts.ts";

/** Returns the schemas of `spec` and `status` in a version of a CRD, without descriptions. */
export function schemasOf(crd: string, version: string) {
  const { spec } = withoutDescriptions(definition(crd));
  const served = spec.versions.find(({ name }: { name: string }) => name === version);
  const { required, properties } = served.schema.openAPIV3Schema;
  const { jobTemplate, ...own } = properties.spec.properties;
  const { conditions, ...status } = properties.status.properties;
  return {
    spec,
    version: served,
    required,
    jobTemplate,
    requiredOfSpec: properties.spec.required,
    own,
    conditions,
    status,
  };
}

/** Expects that a version of the CRD is the same as in the book. */
export function expectBooksSchema(crd: string, version: string): void {
  const { spec, required, requiredOfSpec, jobTemplate, own, conditions, status } = schemasOf(crd, version);
  expect(spec).toMatchObject({ group, names, scope: "Namespaced" });
  expect(required).toEqual(["spec"]);
  expect(own).toEqual(specOf[version]);
  expect(requiredOfSpec).toEqual(["jobTemplate", "schedule"]);
  expect(Object.keys(jobTemplate.properties.spec.properties)).toEqual(jobSpecFields);
  expect(jobTemplate.properties.spec.required).toEqual(["template"]);
  expect(status).toEqual(statusFields);
  expect(conditions).toMatchObject({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"] });
}
