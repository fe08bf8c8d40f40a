// Follows the tutorial about an external API (docs/tutorials/dns.md) with the real provider and `scaffold dev`.
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/test-support/free-port.ts";
import { eventually } from "../lib/eventually.ts";
import { type Background, Walk } from "./walk.ts";

const walk = new Walk("dns", "dns-operator");
const controller = "src/controller/dnsrecord-controller.ts";
let port: number;
let provider: Background;

interface Entry {
  readonly id: string;
  readonly address: string;
}
const records = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/records`)).text();
const entries = async (): Promise<Entry[]> => JSON.parse(await records());
const startProvider = async () => {
  provider = walk.start(["provider/server.mjs"], { PORT: String(port) });
  await provider.prints("listening");
};

beforeAll(async () => {
  port = await freePort();
  await walk.scaffold(
    "init --domain example.com --repo example.com/dns-operator",
    "create api --group dns --version v1 --kind DnsRecord --resource --controller --kstatus=false",
  );
  await walk.install();
});
afterAll(() => walk.end());

it("the provider starts", async () => {
  walk.take("examples/dnsrecord/provider", "provider");
  await startProvider();
  await walk.shows("provider", provider.output.replace(String(port), "8700"));
  const body = JSON.stringify({ host: "test.example.com", address: "192.0.2.1" });
  const post = () => fetch(`http://127.0.0.1:${port}/records`, { method: "POST", body });
  await post();
  await post();
  await walk.shows("twice", await records());
  await provider.stop();
  await startProvider();
});

it("the session installs the kind", async () => {
  walk.take("examples/dnsrecord/api", "api");
  walk.take("examples/dnsrecord/config", "config");
  await walk.dev({ PROVIDER_URL: `http://127.0.0.1:${port}` });
  await walk.showsStart("DnsRecord default/chess");
});

it("the operator creates the record", async () => {
  const output = await walk.during(/created record[\s\S]*reconciled.* 1 write.*\n/, () => {
    walk.take("examples/dnsrecord/src/provider", "src/provider");
    walk.take("testdata/tutorials/dns/create/dnsrecord-controller.ts", controller);
  });
  await walk.shows("create", Walk.lines(output, /created record|reconciled.* 1 write/));
  await walk.becomes("created", records, /chess/);
  await walk.becomes("get", () => walk.kubectl("get", "dnsrecords"), /Synced/);
  expect(await entries()).toHaveLength(1);
});

it("another reconcile creates nothing", async () => {
  const output = await walk.during(/requested by you.*\n/, () => walk.ask("reconcile", "dnsrecord/chess"));
  await walk.shows("again", Walk.lines(output, /requested by you/));
  expect(await entries()).toHaveLength(1);
});

it("the operator applies a change of the spec", async () => {
  const patch = JSON.stringify({ spec: { address: "192.0.2.20" } });
  const output = await walk.during(/updated record[\s\S]*reconciled.*\n/, () =>
    walk.kubectl("patch", "dnsrecord", "chess", "--type=merge", "--patch", patch),
  );
  await walk.shows("update", Walk.lines(output, /updated record|spec.address/));
  expect((await entries()).map(({ address }) => address)).toEqual(["192.0.2.20"]);
});

it("without a finalizer, the record remains after a deletion", async () => {
  await walk.kubectl("delete", "dnsrecord", "chess");
  await walk.shows("leaked", await records());
  expect(await entries()).toHaveLength(1);
});

it("with a finalizer, the operator removes the record", async () => {
  await walk.during("started", () => walk.take("testdata/tutorials/dns/finalizer/dnsrecord-controller.ts", controller));
  await provider.stop();
  await startProvider();
  const applied = await walk.during(/created record[\s\S]*reconciled.*\n/, () =>
    walk.kubectl("apply", "-f", "config/samples/dns_v1_dnsrecord.yaml"),
  );
  expect(applied).toContain("2 writes");
  const output = await walk.during(/removed record[\s\S]*reconciled.* 1 write.*\n/, () =>
    walk.kubectl("delete", "dnsrecord", "chess"),
  );
  await walk.shows("remove", Walk.lines(output, /removed record|reconciled.* 1 write/));
  await walk.shows("removed", await records());
});

it("a deleted object remains while the provider is down, and is removed afterwards", async () => {
  await walk.during(/created record[\s\S]*reconciled.*\n/, () =>
    walk.kubectl("apply", "-f", "config/samples/dns_v1_dnsrecord.yaml"),
  );
  await provider.stop();
  await walk.during("failed", () => walk.kubectl("delete", "dnsrecord", "chess", "--wait=false"));
  const get = () => walk.kubectl("get", "dnsrecord", "chess", "--output", "jsonpath={.metadata.finalizers}");
  await walk.shows("finalizers", await get());
  await startProvider();
  await eventually(async () => expect(await walk.kubectl("get", "dnsrecords", "--output=name")).toBe(""));
});

it("the operator reverts drift, and reports an unavailable provider", async () => {
  await walk.during("started", () => walk.take("examples/dnsrecord/src/controller", "src/controller"));
  await walk.during(/created record[\s\S]*2 writes[\s\S]*no writes.*\n/, () =>
    walk.kubectl("apply", "-f", "config/samples/dns_v1_dnsrecord.yaml"),
  );
  const [{ id } = { id: "" }] = await entries();
  const drift = await walk.during(/created record[\s\S]*reconciled.*\n/, () =>
    fetch(`http://127.0.0.1:${port}/records/${id}`, { method: "DELETE" }),
  );
  await walk.shows("drift", Walk.lines(drift, /created record|requeued/));
  const failing = await walk.during(/failed[^\n]* DnsRecord/, () => provider.stop());
  await walk.shows(
    "fail",
    // The log of the manager can come before it.
    Walk.lines(failing, /failed.* DnsRecord/)
      .split("\n")[0]
      ?.replace(String(port), "8700") ?? "",
  );
  await walk.becomes("failing", () => walk.kubectl("get", "dnsrecords"), /ProviderFailed/);
  await startProvider();
  await walk.becomes("recovered", () => walk.kubectl("get", "dnsrecords"), /Synced/);
});

it("the project passes its tests and its simulation", () => walk.showsTests());
