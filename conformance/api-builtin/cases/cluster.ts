import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const networking = "networking.k8s.io/v1";

const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCRjE2NGU1S08vOVBUbE1Ld1krRGs0MkZiZ2VsTTFqaVl1QjJ4NlpFZXh4TDQ5UU5pdk0wSksyMkR6V0JjZ05NCjFYcUZLOElVZXNtVnFJTnVvTlNiOHN1Z0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpRUE5NnhFY1hXTjdUYWwKeWVBb3JxZWVzeTc0VTJPNHlHeUVzV1V5QXNQdC9kSUNJRWM0dEtBK0N3Szl2WEZGb2c5aVQ0RkpxOGxXakFCaQpoVHdPblV6V2kzQUUKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/** The cases of addresses, API services and certificate requests. */
export const clusterKinds: KindCases[] = [
  {
    path: `/apis/${networking}/ipaddresses`,
    object: {
      apiVersion: networking,
      kind: "IPAddress",
      metadata: { name: "192.168.5.5" },
      spec: { parentRef: { resource: "services", name: "a", namespace: "default" } },
    },
    creations: {
      ...each("metadata/name", "x", "192.168.005.6", "::ffff:1.2.3.4", "2001:DB8::1", "192.168.5.7"),
      "no reference": { "metadata/name": "192.168.5.8", "spec/parentRef": undefined },
      "an empty reference": { "metadata/name": "192.168.5.8", "spec/parentRef": {} },
      "a bad reference": {
        "metadata/name": "192.168.5.8",
        "spec/parentRef": { group: "A b", resource: "a/b", name: "c/d", namespace: "e/f" },
      },
    },
    pairs: {
      "another reference": [
        { "metadata/name": "192.168.5.9" },
        { "spec/parentRef": { resource: "services", name: "b", namespace: "default" } },
      ],
      "a label": [{ "metadata/name": "192.168.5.9" }, { "metadata/labels": { a: "b" } }],
    },
  },
  {
    ...kind(networking, "ServiceCIDR", { spec: { cidrs: ["192.168.0.0/24"] } }, false),
    creations: each(
      "spec/cidrs",
      undefined,
      [],
      ["x"],
      ["192.168.0.1/24"],
      ["192.168.000.0/24"],
      ["192.168.0.0/24", "192.168.1.0/24"],
      ["192.168.0.0/24", "fd00::/64"],
      ["192.168.0.0/24", "fd00::/64", "fd01::/64"],
      ["2001:DB8::/64"],
    ),
    updates: each("spec/cidrs", ["192.168.1.0/24"], ["192.168.0.0/24", "fd00::/64"], []),
    statuses: each("status", { conditions: [{ type: "Ready", status: "True" }] }, { conditions: [] }),
  },
  {
    path: "/apis/apiregistration.k8s.io/v1/apiservices",
    object: {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1.a.example.com" },
      spec: {
        group: "a.example.com",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "none" },
      },
    },
    creations: Object.fromEntries(
      Object.entries({
        ...each("metadata/name", "other"),
        ...each("spec/group", "", "A b"),
        ...each("spec/version", "", "V1"),
        ...each("spec/groupPriorityMinimum", 0, 20_001),
        ...each("spec/versionPriority", 0, 1001),
        ...each(
          "spec/service",
          undefined,
          {},
          { namespace: "a", name: "b", port: 0 },
          { namespace: "a", name: "b", port: 99_999 },
        ),
        ...each("spec/caBundle", "eA=="),
        ...each("spec/insecureSkipTLSVerify", false),
      }).map(([name, changes]) => [name, { "metadata/name": "v1.a.example.com", ...changes }]),
    ),
    changesAtOnce: true,
  },
  {
    ...kind(
      "certificates.k8s.io/v1",
      "CertificateSigningRequest",
      {
        spec: { request: certificateRequest, signerName: "example.com/a", usages: ["client auth"] },
      },
      false,
    ),
    creations: {
      ...each("spec/request", undefined, "eA=="),
      ...each("spec/signerName", undefined, "a", "A b/c", "example.com/", `example.com/${"x".repeat(600)}`),
      ...each("spec/usages", undefined, [], ["other"], ["client auth", "client auth"]),
      ...each("spec/expirationSeconds", 0, 599, 600),
    },
    updates: each("spec/usages", ["server auth"]),
    statuses: {
      ...each("status/certificate", "eA==", certificateRequest),
      ...each("status/conditions", [{ type: "Failed", status: "True" }], [{ type: "Approved", status: "True" }], [{}]),
    },
    subresources: {
      approval: each(
        "status/conditions",
        [],
        [{ type: "Approved", status: "True" }],
        [{ type: "Approved", status: "False" }],
        [{ type: "Approved" }],
        [{ type: "Other", status: "True", reason: "a" }],
        [
          { type: "Approved", status: "True" },
          { type: "Denied", status: "True" },
        ],
        [
          { type: "Approved", status: "True" },
          { type: "Approved", status: "True" },
        ],
        [{}],
      ),
    },
  },
];
