import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTransport, loadConfig, type Transport } from "@kubewright/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { variants } from "../../scripts/test-support/thorough.ts";
import { eventually } from "../lib/eventually.ts";
import { create, get, label, strategies } from "./converted-objects.ts";
import { convertedProject } from "./converted-project.ts";
import { Dev } from "./dev-session.ts";

let root: string;
let dev: Dev;
beforeAll(async () => {
  root = await convertedProject();
  dev = new Dev(root, {}, "--no-samples");
  await dev.event("ready");
});
afterAll(async () => {
  await dev?.remove();
});

async function connect(): Promise<Transport> {
  return createTransport(await loadConfig({ kubeconfig: join(root, ".kubewright/dev.kubeconfig") }));
}

const controller = "src/controller/widget-controller.ts";

fullTest(
  "serves conversion from the first manager on, whatever happens to the managers, and in the next session",
  async () => {
    let transport = await connect();
    let watch = await strategies(transport);
    const a = await create(transport, "v1", "a", { size: 1, nickname: "first" });
    expect(a.spec).toEqual({ size: 1, nickname: "first", stamp: "defaulted" });
    const whole = { size: 1, nickname: "first", stamp: "defaulted" };

    const restarts: Record<string, () => Promise<number>> = {
      "a change of the code": async () =>
        dev.edit(controller, "export class", 'process.env.CHANGED = "1";\nexport class'),
      "a demanded restart": async () => {
        const { length } = dev.lines;
        await fetchApi("/api/restart");
        return length;
      },
      "kill -9": async () => {
        const { pid } = dev.lines.findLast(({ event }) => event === "started") as unknown as { pid: number };
        const { length } = dev.lines;
        process.kill(pid, "SIGKILL");
        await dev.event("error", ({ phase }) => phase === "manager", length);
        const waiting = label(transport, "a", "outage");
        await fetchApi("/api/restart");
        await waiting;
        return length;
      },
      "an error in its code": async () => {
        const { length } = dev.lines;
        const text = readFileSync(join(root, controller), "utf8");
        writeFileSync(join(root, controller), `${text}\nconst wrong: string = 1;\n`);
        await dev.event("error", ({ phase }) => phase === "types", length);
        await label(transport, "a", "type-error");
        writeFileSync(join(root, controller), `${text}\nprocess.env.CHANGED = "2";\n`);
        return length;
      },
    };
    for (const [name, restart] of Object.entries(restarts)) {
      const after = await restart();
      const labels = (async () => {
        for (let count = 0; count < 10; count++) await label(transport, "a", `${count}`);
      })();
      await dev.event("started", undefined, after);
      await labels;
      expect((await get(transport, "v1", "a")).spec, name).toEqual(whole);
      expect((await get(transport, "v2", "a")).spec.displayName, name).toBe("first");
    }
    // The first one is that of the list.
    expect(watch.seen.length, JSON.stringify(watch.seen)).toBeGreaterThan(0);
    expect(new Set(watch.seen)).toEqual(new Set(["Webhook"]));
    await watch.close();
    await transport.close();

    // The session is killed with everything.
    dev.child.kill("SIGKILL");
    await dev.ended;
    dev = new Dev(root, {}, "--no-samples");
    // As soon as the server answers, with the managers of the last session gone.
    await eventually(async () => {
      transport = await connect();
      await transport.request({ method: "GET", path: "/version", maxRetries: 0 });
    });
    watch = await strategies(transport);
    await label(transport, "a", "next");
    expect((await get(transport, "v1", "a")).spec).toEqual(whole);
    await dev.event("ready");
    expect(new Set(watch.seen)).toEqual(new Set(["Webhook"]));
    await watch.close();
    await transport.close();
  },
);

fullTest("serves lists and watches by the changed code of a conversion", async () => {
  const transport = await connect();
  const conversion = "api/v2/widget-conversion.ts";
  const listed = async () => {
    const path = "/apis/shop.example.com/v2/namespaces/default/widgets";
    const { items } = (await transport.request({ method: "GET", path })).body as {
      items: { metadata: { name: string }; spec: { displayName?: string } }[];
    };
    return items.find(({ metadata }) => metadata.name === "named")?.spec.displayName;
  };
  await create(transport, "v1", "named", { size: 1, nickname: "first" });
  expect(await listed()).toBe("first");
  const before = dev.edit(conversion, "displayName: nickname", "displayName: nickname.toUpperCase()");
  await dev.event("started", undefined, before);
  expect(await listed()).toBe("FIRST");
  const after = dev.edit(conversion, "displayName: nickname.toUpperCase()", "displayName: nickname");
  await dev.event("started", undefined, after);
  expect(await listed()).toBe("first");
  // Other code leaves the definition as it is.
  const { length } = dev.lines;
  const other = dev.edit(controller, "export class", 'process.env.OTHER = "1";\nexport class');
  await dev.event("started", undefined, other);
  expect(dev.lines.slice(length).filter(({ event }) => event === "applied")).toEqual([]);
  await transport.close();
});

fullTest("returns the reason of a failed conversion if no manager comes", async () => {
  const { pid } = dev.lines.findLast(({ event }) => event === "started") as unknown as { pid: number };
  const { length } = dev.lines;
  process.kill(pid, "SIGKILL");
  await dev.event("error", ({ phase }) => phase === "manager", length);
  const transport = await connect();
  await expect(get(transport, "v2", "a")).rejects.toThrow(/no manager answers: the manager ended with SIGKILL/);
  await transport.close();
});

it.each(variants([1, 2, 3], 1))(
  "creates objects with defaults and validation from the moment of ready, start %i",
  async (start) => {
    dev.child.kill(start % 2 === 0 ? "SIGKILL" : "SIGTERM");
    await dev.ended;
    dev = new Dev(root, {}, "--no-samples");
    await dev.event("ready");
    const transport = await connect();
    const [created, refused] = await Promise.allSettled([
      create(transport, "v1", `start-${start}`, { size: 1 }),
      create(transport, "v1", `wrong-${start}`, { size: -1 }),
    ]);
    expect(created).toMatchObject({ value: { spec: { size: 1, stamp: "defaulted" } } });
    expect(refused).toMatchObject({
      reason: { code: 403, message: expect.stringContaining("size must not be negative") },
    });
    await transport.close();
  },
);

async function fetchApi(route: string): Promise<void> {
  // Packages of tests are shared, so the session's files are in the project.
  const file = readFileSync(join(root, ".kubewright/dev/session.json"), "utf8");
  const { url, token } = JSON.parse(file) as { url: string; token: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  expect((await fetch(`${url}${route}`, { method: "POST", headers, body: "{}" })).status).toBe(200);
}
