// An operator is developed with many edits, restarts and crashes. No stored field may ever differ from what was written.
// KUBEWRIGHT_DEVELOPMENT_EDITS=200 takes about 17 minutes.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createTransport, loadConfig, type Transport } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { addSpoke, convertedProject, edit, group, useExternalSystem } from "./converted-project.ts";
import { Dev } from "./dev-session.ts";

const count = Number(process.env.KUBEWRIGHT_DEVELOPMENT_EDITS ?? 26);
type Fields = Record<string, unknown>;

let root: string;
let dev: Dev;
let transport: Transport;
let external: Server;
let calls = 0;
/** The written fields, by the names of objects, with the names of fields in v1. */
const written = new Map<string, Fields>();
const seconds: number[] = [];

beforeAll(async () => {
  external = createServer((request, response) => {
    calls++;
    request.resume();
    response.end("{}");
  });
  await new Promise<void>((resolve) => external.listen(0, "127.0.0.1", resolve));
  root = await convertedProject();
  useExternalSystem(root);
  await start();
});
afterAll(async () => {
  await transport?.close();
  await dev?.remove();
  external?.close();
});

async function start(): Promise<void> {
  const url = `http://127.0.0.1:${(external.address() as AddressInfo).port}`;
  dev = new Dev(root, { EXTERNAL_SYSTEM: url }, "--no-samples");
  await dev.event("ready");
  transport = createTransport(await loadConfig({ kubeconfig: join(root, ".kubewright/dev.kubeconfig") }));
}

const path = (version: string, name = "") =>
  `/apis/${group}/${version}/namespaces/default/widgets${name === "" ? "" : `/${name}`}`;

function inVersion(version: string, { nickname, ...spec }: Fields): Fields {
  if (version === "v1") return nickname === undefined ? spec : { ...spec, nickname };
  return nickname === undefined ? spec : { ...spec, displayName: nickname };
}

function inFirst({ displayName, ...spec }: Fields): Fields {
  return displayName === undefined ? spec : { ...spec, nickname: displayName };
}

async function create(name: string, version: string, spec: Fields): Promise<void> {
  const body = {
    apiVersion: `${group}/${version}`,
    kind: "Widget",
    metadata: { name },
    spec: inVersion(version, spec),
  };
  const answer = (await transport.request({ method: "POST", path: path(version), body })).body as { spec: Fields };
  const stored = inFirst(answer.spec);
  // The server must keep all that was sent; the webhook adds a default.
  expect(stored).toMatchObject(spec);
  written.set(name, stored);
}

/** Writes a whole object as a client of one version does. */
async function update(name: string, version: string, changes: Fields): Promise<void> {
  const wanted = { ...written.get(name), ...changes };
  await eventually(async () => {
    const object = (await transport.request({ method: "GET", path: path(version, name) })).body as { spec: Fields };
    const body = { ...object, spec: { ...object.spec, ...inVersion(version, changes) } };
    await transport.request({ method: "PUT", path: path(version, name), body });
  });
  written.set(name, wanted);
}

/** Compares each object in each version with the copy. */
async function compare(step: string): Promise<void> {
  for (const version of ["v1", "v2"]) {
    const { items } = (await transport.request({ method: "GET", path: path(version) })).body as {
      items: { metadata: { name: string }; spec: Fields }[];
    };
    const specs = Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, inFirst(spec)]));
    expect(specs, `${step}, read as ${version}`).toEqual(Object.fromEntries(written));
  }
}

async function post(route: string): Promise<void> {
  const file = readFileSync(join(root, ".kubewright/dev/session.json"), "utf8");
  const { url, token } = JSON.parse(file) as { url: string; token: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  expect((await fetch(`${url}${route}`, { method: "POST", headers, body: "{}" })).status).toBe(200);
}

const controller = "src/controller/widget-controller.ts";
const webhook = "src/webhook/v1/widget-webhook.ts";
const spec = /^export interface WidgetSpec \{\n/m;
const stored = "// +kubebuilder:storageversion\n";
const typesOf = (version: string) => `api/${version}/widget-types.ts`;
const text = (file: string) => readFileSync(join(root, file), "utf8");
const write = (file: string, content: string) => writeFileSync(join(root, file), content);
const next = async (event: string, after: number, wanted?: (line: { [key: string]: unknown }) => boolean) => {
  await dev.event(event, wanted, after);
};
const versions = () => (text("PROJECT").includes("version: v3") ? ["v1", "v2", "v3"] : ["v1", "v2"]);

/** The edits. Each returns when the session has handled it. */
const edits: Record<string, (step: number) => Promise<void>> = {
  async code(step) {
    const { length } = dev.lines;
    write(
      controller,
      `${text(controller).replace(/\nprocess\.env\.STEP = .*\n/, "\n")}\nprocess.env.STEP = "${step}";\n`,
    );
    await next("started", length);
  },
  async types(step) {
    const { length } = dev.lines;
    for (const version of versions())
      edit(root, typesOf(version), spec, `export interface WidgetSpec {\n  field${step}?: string;\n`);
    await next("applied", length);
    await eventually(() =>
      create(`typed-${step}`, "v1", { size: step, [`field${step}`]: "kept" }).catch(async (error) => {
        if ((error as { code?: number }).code !== 409) {
          await transport.request({ method: "DELETE", path: path("v1", `typed-${step}`) }).catch(() => undefined);
        }
        throw error;
      }),
    );
  },
  async webhook(step) {
    const { length } = dev.lines;
    edit(root, webhook, /stamp \?\?= ".*"/, `stamp ??= "step-${step}"`);
    await next("started", length);
    await create(`stamped-${step}`, "v1", { size: step });
    expect(written.get(`stamped-${step}`)).toMatchObject({ stamp: `step-${step}` });
  },
  async conversion(step) {
    const { length } = dev.lines;
    write("api/v2/widget-conversion.ts", `${text("api/v2/widget-conversion.ts")}process.env.CONVERSION = "${step}";\n`);
    await next("started", length);
  },
  async tests(step) {
    const file = "src/webhook/v1/widget-webhook.test.ts";
    const { length } = dev.lines;
    write(file, `${text(file)}export const step${step}: string = ${step};\n`);
    await next("changed", length);
    await dev.event("error", ({ phase }) => phase === "types", length);
    const { length: later } = dev.lines;
    write(file, text(file).replace(`export const step${step}: string = ${step};\n`, ""));
    await next("fixed", later);
  },
  async markers(step) {
    const { length } = dev.lines;
    const column = `// +kubebuilder:printcolumn:name="C${step}",type=string,JSONPath=".spec.stamp"\n`;
    edit(root, typesOf("v1"), "// +kubebuilder:subresource:status\n", `// +kubebuilder:subresource:status\n${column}`);
    await next("applied", length);
  },
  async restart() {
    const { length } = dev.lines;
    await post("/api/restart");
    await next("started", length);
  },
  async "kill -9 of the manager"() {
    const { pid } = dev.lines.findLast(({ event }) => event === "started") as unknown as { pid: number };
    const { length } = dev.lines;
    process.kill(pid, "SIGKILL");
    const name = [...written.keys()][0];
    // It waits for the next manager.
    const late = name === undefined ? undefined : update(name, "v2", { size: pid });
    await dev.event("error", ({ phase }) => phase === "manager", length);
    await post("/api/restart");
    await next("started", length);
    await late;
  },
  async "an error in the code"(step) {
    const { length } = dev.lines;
    const before = text(controller);
    write(controller, `${before}export const wrong${step}: string = ${step};\n`);
    await dev.event("error", ({ phase }) => phase === "types", length);
    await compare("with an error in the code");
    const { length: later } = dev.lines;
    write(controller, before);
    await next("fixed", later);
  },
  async "kill -9 of the session"() {
    dev.child.kill("SIGKILL");
    await dev.ended;
    await transport.close();
    await start();
  },
  async "another storage version"() {
    const [from, to] = text(typesOf("v1")).includes(stored) ? ["v1", "v2"] : ["v2", "v1"];
    const { length } = dev.lines;
    edit(root, typesOf(from as string), stored, "");
    await next("changed", length);
    edit(
      root,
      typesOf(to as string),
      "// +kubebuilder:object:root=true\n",
      `// +kubebuilder:object:root=true\n${stored}`,
    );
    await next("applied", length);
  },
  async "a new version"(step) {
    if (text("PROJECT").includes("version: v3")) return this.code?.(step);
    const { length } = dev.lines;
    await scaffold(
      root,
      "create",
      "api",
      "--group",
      "shop",
      "--kind",
      "Widget",
      "--version",
      "v3",
      "--controller=false",
    );
    await next("applied", length);
    await compare("before the conversion of the new version");
    const { length: later } = dev.lines;
    await addSpoke(root, "v3");
    await next("started", later);
    // The manager may have started with the scaffolded conversion, which would lose the renamed field of what is written in v3.
    await eventually(async () => {
      const { items } = (await transport.request({ method: "GET", path: path("v3") })).body as {
        items: { spec: Fields }[];
      };
      const names = (fields: Fields) => "displayName" in fields || "nickname" in fields;
      expect(items.filter(({ spec }) => names(spec))).toHaveLength([...written.values()].filter(names).length);
    });
    for (const name of [...written.keys()].slice(0, 3)) await update(name, "v3", { size: step });
  },
  async "a field that objects have is removed, and comes back"() {
    const [, name] = /^ {2}(field\d+)\?: string;\n/m.exec(text(typesOf("v1"))) ?? [];
    if (name === undefined) return this.types?.(0);
    const before = versions().map((version) => [typesOf(version), text(typesOf(version))] as const);
    const { length } = dev.lines;
    for (const [file, content] of before) write(file, content.replace(`  ${name}?: string;\n`, ""));
    await dev.event(
      "error",
      ({ id, message }) => id === "withheld-storage-change" && String(message).includes(name),
      length,
    );
    await compare("with a field that isn't in the types");
    const { length: later } = dev.lines;
    for (const [file, content] of before) write(file, content);
    await next("fixed", later);
  },
};

it(
  "keeps each stored field through all edits",
  async () => {
    for (const name of ["a", "b", "c"]) await create(name, "v1", { size: 1, nickname: `nick of ${name}` });
    await create("d", "v2", { size: 2, nickname: "written in v2" });
    const names = Object.keys(edits);
    const begin = performance.now();
    for (let step = 0; step < count; step++) {
      const name = names[step % names.length] as string;
      const since = performance.now();
      await edits[name]?.(step);
      const version = step % 2 === 0 ? "v1" : "v2";
      await update([...written.keys()][step % written.size] as string, version, { nickname: `step ${step}` });
      if (step % 4 === 0) await create(`step-${step}`, version, { size: step, nickname: `made in ${step}` });
      await compare(`${step}: ${name}`);
      seconds.push((performance.now() - since) / 1000);
      console.log(`${step + 1}/${count} ${name}: ${seconds.at(-1)?.toFixed(1)} s, ${written.size} objects`);
    }
    const total = Math.round((performance.now() - begin) / 1000);
    console.log(
      `${count} edits in ${total} s, ${written.size} objects, ${calls} calls of the external system, no difference`,
    );
    expect(calls).toBeGreaterThan(0);
  },
  Math.max(30, count) * 60_000,
);
