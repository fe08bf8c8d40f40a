import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../../../server/server.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of all kinds
type Body = any;

const services = "/api/v1/namespaces/default/services";
let server: ApiServer;

beforeEach(async () => {
  server = await startApiServer({ http: false, authorization: "always-allow" });
});
afterEach(() => server.stop());

async function send(method: string, url: string, body?: object): Promise<Body> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const text = body ? { body: JSON.stringify(body) } : {};
  return JSON.parse(String((await server.handle({ method, url, headers: { "content-type": type }, ...text })).body));
}

function create(name: string, spec: object, query = ""): Promise<Body> {
  const ports = [{ port: 80 }];
  const service = { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports, ...spec } };
  return send("POST", `${services}${query}`, service);
}

it("dry runs assign nothing, and accept an address that is already used", async () => {
  const clusterIP = "10.0.0.14";
  await create("a", { clusterIP });
  expect((await create("b", { clusterIP }, "?dryRun=All")).spec.clusterIPs).toEqual([clusterIP]);
  expect((await create("b", {}, "?dryRun=All")).spec.clusterIP).toBe("10.0.0.0");
  expect(await create("b", { clusterIP: "192.168.0.1" }, "?dryRun=All")).toMatchObject({ code: 422 });
  expect((await create("b", { clusterIP })).message).toContain("provided IP is already allocated");
});

it("an update frees the addresses and node ports that it removes", async () => {
  const { spec } = await create("a", { type: "NodePort", clusterIP: "10.0.0.14" });
  await send("PATCH", `${services}/a`, { spec: { type: "ClusterIP", ports: [{ port: 80 }] } });
  const ports = [{ port: 80, nodePort: spec.ports[0].nodePort }];
  expect(await create("b", { type: "NodePort", ports })).toMatchObject({ spec: { ports } });
  const external = { type: "ExternalName", externalName: "example.com", clusterIP: null, clusterIPs: null };
  await send("PATCH", `${services}/a`, { spec: external });
  expect(await create("c", { clusterIP: "10.0.0.14" })).toMatchObject({ kind: "Service" });
});

it("copies a changed clusterIP to clusterIPs", async () => {
  await create("a", { clusterIP: "10.0.0.14" });
  expect((await send("PATCH", `${services}/a`, { spec: { clusterIP: "10.0.0.9" } })).message).toBe(
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set',
  );
});

it("a headless Service without a selector has both IP families", async () => {
  const headless = { clusterIP: "None" };
  expect((await create("a", headless)).spec).toMatchObject({
    ipFamilies: ["IPv4", "IPv6"],
    ipFamilyPolicy: "RequireDualStack",
  });
  expect((await create("b", { ...headless, ipFamilies: ["IPv6"] })).spec.ipFamilies).toEqual(["IPv6", "IPv4"]);
  expect((await create("c", { ...headless, ipFamilyPolicy: "SingleStack" })).spec.ipFamilies).toEqual(["IPv4"]);
  expect((await create("d", { ...headless, selector: { a: "b" } })).spec.ipFamilies).toEqual(["IPv4"]);
});

it("assigns addresses before it checks anything else, and frees them when that fails", async () => {
  const clusterIP = "10.0.0.14";
  const wrong = { sessionAffinity: "Other" };
  expect((await create("a", { clusterIP, ...wrong })).message).toContain("spec.sessionAffinity: Unsupported value");
  await create("a", { clusterIP });
  expect((await create("b", { clusterIP, ...wrong })).message).toBe(
    'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.14"]: failed to allocate IP 10.0.0.14: provided IP is already allocated',
  );
});

it("ports with the same number share a node port", async () => {
  const ports = [
    { name: "a", port: 80, protocol: "UDP" },
    { name: "b", port: 80, nodePort: 30009 },
  ];
  const { spec } = await create("a", { type: "NodePort", ports });
  expect(spec.ports.map(({ nodePort }: Body) => nodePort)).toEqual([30009, 30009]);
});

it("an update keeps the node ports of ports with the same name", async () => {
  const ports = [
    { name: "a", port: 80, nodePort: 30009 },
    { name: "b", port: 81, nodePort: 30010 },
  ];
  await create("a", { type: "NodePort", ports });
  const [first, second] = ports.map(({ name, port }) => ({ name, port: port + 1, nodePort: null }));
  const patched = await send("PATCH", `${services}/a`, { spec: { ports: [second, first] } });
  expect(patched.spec.ports).toMatchObject([{ nodePort: 30010 }, { nodePort: 30009 }]);
});

it("assigns a health check node port, and frees it", async () => {
  const balanced = { type: "LoadBalancer", externalTrafficPolicy: "Local", allocateLoadBalancerNodePorts: false };
  const { spec } = await create("a", balanced);
  const { healthCheckNodePort } = spec;
  expect(healthCheckNodePort).toBeGreaterThanOrEqual(30_000);
  expect((await create("b", { ...balanced, healthCheckNodePort })).message).toBe(
    `Internal error occurred: failed to allocate requested HealthCheck NodePort ${healthCheckNodePort}: provided port is already allocated`,
  );
  await send("PATCH", `${services}/a`, { spec: { externalTrafficPolicy: "Cluster" } });
  expect((await create("b", { ...balanced, healthCheckNodePort })).spec).toMatchObject({ healthCheckNodePort });
});

it("dry runs assign node ports out of the range", async () => {
  const ports = [80, 81].map((port) => ({ name: `p${port}`, port }));
  const { spec } = await create("a", { type: "NodePort", ports }, "?dryRun=All");
  expect(spec.ports).toMatchObject([{ nodePort: 32_768 }, { nodePort: 32_769 }]);
});

it.each([
  [
    "clusterIPs must begin with clusterIP",
    { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.2"] },
    'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
  ],
  [
    "a Service must have at most one address per IP family",
    { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1", "10.0.0.2"] },
    'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
  ],
  ["IP families must be unique", { ipFamilies: ["IPv4", "IPv4"] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
])("%s", async (_rule, spec, error) => {
  expect((await create("a", spec)).message).toBe(`Service "a" is invalid: ${error}`);
});

it("a Service that is created again has another address and node port, as in a cluster", async () => {
  const given = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const { spec } = await create("a", { type: "NodePort" });
    given.add(`${spec.clusterIP} ${spec.ports[0].nodePort}`);
    await send("DELETE", `${services}/a`);
  }
  expect(given.size).toBeGreaterThan(5);
});
