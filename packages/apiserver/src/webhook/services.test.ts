import { expect, test } from "vitest";
import { Store } from "../storage/store.ts";
import { serviceResolver } from "./services.ts";

const store = new Store({ now: () => 0 });
const put = (name: string, spec: object): void => {
  store.put(store.collection("services"), `ns/${name}`, () => JSON.stringify({ metadata: { name }, spec }));
};
put("hook", { type: "ClusterIP", clusterIP: "10.0.0.9", ports: [{ port: 443 }] });
put("headless", { type: "ClusterIP", clusterIP: "None", ports: [{ port: 443 }] });
put("external", { type: "ExternalName", externalName: "hook.example.com" });
const resolve = serviceResolver(store);

test("a Service resolves to its cluster IP, an external one to its name", () => {
  expect(resolve("ns", "hook", 443)).toEqual({ host: "10.0.0.9", port: 443 });
  expect(resolve("ns", "external", 8443)).toEqual({ host: "hook.example.com", port: 8443 });
});

test.each([
  ["none", 443, 'service "none" not found'],
  ["hook", 80, 'no service port 80 found for service "hook"'],
  ["headless", 443, 'cannot route to service with ClusterIP "None"'],
])("the service %s with port %d can't be called", (name, port, message) => {
  expect(() => resolve("ns", name, port)).toThrow(message);
});
