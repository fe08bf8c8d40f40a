import { expect, it } from "vitest";
import { defaultsOf } from "./defaults.ts";

it("a PodCertificateRequest is valid for a day by default", () => {
  const request = { apiVersion: "certificates.k8s.io/v1", kind: "PodCertificateRequest", metadata: {} };
  const withDefaults = (spec: object) => {
    const object = { ...request, spec: { ...spec } };
    defaultsOf("certificates.k8s.io", "v1", "PodCertificateRequest")?.(object);
    return object.spec;
  };
  expect(withDefaults({})).toEqual({ maxExpirationSeconds: 86_400 });
  expect(withDefaults({ maxExpirationSeconds: 3600 })).toEqual({ maxExpirationSeconds: 3600 });
});
