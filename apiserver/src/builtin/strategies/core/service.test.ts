import { afterEach, beforeEach, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../../server.ts";

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

it("dry runs assign nothing, and accept an address that is taken", async () => {
  const clusterIP = "10.0.0.14";
  await create("a", { clusterIP });
  expect((await create("b", { clusterIP }, "?dryRun=All")).spec.clusterIPs).toEqual([clusterIP]);
  expect((await create("b", {}, "?dryRun=All")).spec.clusterIP).toBe("10.0.0.0");
  expect(await create("b", { clusterIP: "192.168.0.1" }, "?dryRun=All")).toMatchObject({ code: 422 });
  expect((await create("b", { clusterIP })).message).toContain("provided IP is already allocated");
});

it("an update gives back addresses and node ports that it drops", async () => {
  const { spec } = await create("a", { type: "NodePort", clusterIP: "10.0.0.14" });
  await send("PATCH", `${services}/a`, { spec: { type: "ClusterIP", ports: [{ port: 80 }] } });
  const ports = [{ port: 80, nodePort: spec.ports[0].nodePort }];
  expect(await create("b", { type: "NodePort", ports })).toMatchObject({ spec: { ports } });
  const external = { type: "ExternalName", externalName: "example.com", clusterIP: null, clusterIPs: null };
  await send("PATCH", `${services}/a`, { spec: external });
  expect(await create("c", { clusterIP: "10.0.0.14" })).toMatchObject({ kind: "Service" });
});

it("takes a changed clusterIP for a changed clusterIPs", async () => {
  await create("a", { clusterIP: "10.0.0.14" });
  expect((await send("PATCH", `${services}/a`, { spec: { clusterIP: "10.0.0.9" } })).message).toBe(
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set',
  );
});

it("a headless service without a selector has both versions of the Internet Protocol", async () => {
  const headless = { clusterIP: "None" };
  expect((await create("a", headless)).spec).toMatchObject({
    ipFamilies: ["IPv4", "IPv6"],
    ipFamilyPolicy: "RequireDualStack",
  });
  expect((await create("b", { ...headless, ipFamilies: ["IPv6"] })).spec.ipFamilies).toEqual(["IPv6", "IPv4"]);
  expect((await create("c", { ...headless, ipFamilyPolicy: "SingleStack" })).spec.ipFamilies).toEqual(["IPv4"]);
  expect((await create("d", { ...headless, selector: { a: "b" } })).spec.ipFamilies).toEqual(["IPv4"]);
});
