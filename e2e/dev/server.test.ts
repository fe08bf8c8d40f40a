// The server of `scaffold dev`, with the Game of the tutorial.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { createTransport, loadConfig } from "@kubewright/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { scaffoldBin } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Dev, gameProject, type Line } from "./dev-session.ts";
import { send } from "./requests.ts";

const games = "/apis/myapp.qingwave.github.io/v1/namespaces/default/games";

let dev: Dev;
let ready: Line;
let transport: ReturnType<typeof createTransport>;

beforeAll(async () => {
  dev = new Dev(await gameProject());
  ready = await dev.event("ready");
  transport = createTransport(loadConfig({ kubeconfig: String(ready.kubeconfig) }));
});

afterAll(async () => {
  await transport?.close();
  await dev?.remove();
});

interface Found {
  readonly metadata: { readonly uid: string };
  readonly spec: object;
  readonly status: object;
}
const get = async (path: string) => (await transport.request({ method: "GET", path })).body as Found;
const patch = (path: string, body: object, fieldManager = "a-person") =>
  transport.request({
    method: "PATCH",
    path,
    query: { fieldManager },
    contentType: "application/merge-patch+json",
    body,
  });

describe("the server", () => {
  const session = () =>
    JSON.parse(readFileSync(join(dev.root, ".kubewright/dev/session.json"), "utf8")) as { url: string; token: string };
  const authorized = () => ({ authorization: `Bearer ${session().token}` });
  const api = (path: string, body?: object) =>
    send(`${session().url}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...authorized(), ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  it("D16: rejects requests without a token, and with a wrong one", async () => {
    const { url } = session();
    expect((await send(`${url}/api/objects`)).status).toBe(401);
    expect((await send(`${url}/api/objects`, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    expect((await send(`${url}/api/objects`, { headers: { cookie: "kubewright-dev=wrong" } })).status).toBe(401);
    expect((await send(url)).status).toBe(401);
    expect((await send(`${url}/api/objects`, { headers: authorized() })).status).toBe(200);
  });

  it("D17: rejects other hosts (DNS rebinding) and other origins, even with the token", async () => {
    const { url } = session();
    const { port } = new URL(url);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1:${Number(port) + 1}`,
      "127.0.0.1.evil.example",
    ]) {
      expect((await send(`${url}/api/status`, { headers: { ...authorized(), host } })).status, host).toBe(421);
    }
    for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`, "http://localhost:1"]) {
      expect((await send(`${url}/api/status`, { headers: { ...authorized(), origin } })).status, origin).toBe(403);
    }
    const own = { ...authorized(), origin: `http://127.0.0.1:${port}` };
    expect((await send(`${url}/api/status`, { headers: own })).status).toBe(200);
    const crossSite = { ...authorized(), "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    expect((await send(`${url}/api/status`, { headers: crossSite })).status).toBe(403);
  });

  it("D18: exchanges the token in the dashboard's URL once for a cookie that scripts can't read, and its key", async () => {
    const first = await send(String(ready.dashboard));
    expect(first).toMatchObject({ status: 303, headers: { "referrer-policy": "no-referrer" } });
    const [cookie = ""] = first.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^kubewright-dev=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await send(String(ready.dashboard))).status).toBe(401);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    const key = /^\/#key=([\w-]{43})$/.exec(String(first.headers.location))?.[1] ?? "";
    // The cookie, which browsers send to all ports, isn't sufficient.
    expect((await send(`${session().url}/api/status`, { headers })).status).toBe(401);
    expect(
      (await send(`${session().url}/api/status`, { headers: { ...headers, "x-kubewright-key": key } })).status,
    ).toBe(200);
    const page = await send(session().url, { headers });
    expect(page.status).toBe(200);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'; script-src 'self'");
  });

  fullTest("D36: open prints a new link for each call, which works once", async () => {
    const links = [await dev.ask<{ url: string }>("open"), await dev.ask<{ url: string }>("open")];
    for (const { url } of links) {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
      expect((await send(url)).status).toBe(303);
      expect((await send(url)).status).toBe(401);
    }
    const { stdout, code } = await run(process.execPath, [scaffoldBin, "dev", "open"], { cwd: dev.root });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/)]);
  });

  it("D19: rejects forms of other sites", async () => {
    const { url } = session();
    const headers = { ...authorized(), "content-type": "text/plain" };
    const body = JSON.stringify({ kind: "Game", name: "game-sample", namespace: "default" });
    expect((await send(`${url}/api/delete`, { method: "POST", headers, body })).status).toBe(415);
    expect((await get(`${games}/game-sample`)).metadata.uid).toBeDefined();
  });

  it("D20: serves no files outside of the dashboard's directory", async () => {
    const { url } = session();
    const { hostname, port } = new URL(url);
    for (const path of ["/../../package.json", "/%2e%2e/%2e%2e/package.json", "/..%2f..%2fpackage.json", "/a%00.js"]) {
      const answer = await new Promise<number>((resolve, reject) => {
        const sent = request({ hostname, port, path, headers: authorized(), agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        sent.on("error", reject).end();
      });
      expect(answer, path).toBe(404);
    }
  });

  it("D21: hides the values of Secrets, shows changes, and never writes the mask", async () => {
    const owner = (await get(`${games}/game-sample`)).metadata.uid;
    const ownerReferences = [
      { apiVersion: "myapp.qingwave.github.io/v1", kind: "Game", name: "game-sample", uid: owner },
    ];
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "hidden", ownerReferences } };
    const path = "/api/v1/namespaces/default/secrets";
    await transport.request({ method: "POST", path, body: { ...secret, stringData: { password: "hunter2-first" } } });
    await patch(`${path}/hidden`, { stringData: { password: "hunter2-second" } });
    const detail = () => api("/api/object?kind=Secret&namespace=default&name=hidden");
    await eventually(async () =>
      expect((JSON.parse((await detail()).body) as { revisions: unknown[] }).revisions).toHaveLength(2),
    );
    const { body } = await detail();
    expect(body).toContain("+  password: (hidden, changed)");
    const everything = [body, (await api("/api/objects")).body, (await api("/api/revisions")).body].join();
    for (const value of ["hunter2-first", "hunter2-second"]) {
      expect(everything).not.toContain(value);
      expect(everything).not.toContain(Buffer.from(value).toString("base64"));
    }
    const { yaml } = JSON.parse(body) as { yaml: string };
    expect((await api("/api/apply", { yaml })).status).toBe(422);
    expect((await api("/api/apply", { yaml, replace: true })).status).toBe(422);
  });

  fullTest("D22: applies, edits with a conflict, scales, deletes and pauses", async () => {
    const yaml =
      "apiVersion: myapp.qingwave.github.io/v1\nkind: Game\nmetadata:\n  name: second\nspec:\n  replicas: 1\n  image: x\n  host: y.io\n";
    expect(JSON.parse((await api("/api/apply", { yaml })).body)).toEqual({
      objects: [{ kind: "Game", name: "second", namespace: "default", action: "created" }],
    });
    const ref = { kind: "Game", namespace: "default", name: "second" };
    const reconciledIn = async (milliseconds: number) => {
      const from = dev.lines.length;
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return dev.lines.slice(from).filter(({ event, name }) => event === "reconciled" && name === ref.name);
    };
    await eventually(async () =>
      expect((await api("/api/object?kind=Game&namespace=default&name=second")).status).toBe(200),
    );
    const { yaml: old } = JSON.parse((await api("/api/object?kind=Game&namespace=default&name=second")).body) as {
      yaml: string;
    };
    expect((await api("/api/scale", { ...ref, replicas: 2 })).status).toBe(200);
    expect((await get(`${games}/second`)).spec).toMatchObject({ replicas: 2 });
    expect((await api("/api/apply", { yaml: old.replace("host: y.io", "host: z.io"), replace: true })).status).toBe(
      409,
    );
    expect((await api("/api/scale", { ...ref, replicas: -1 })).status).toBe(400);
    expect((await api("/api/apply", { yaml: "kind: [" })).status).toBe(400);
    expect((await api("/api/pause", { paused: true })).status).toBe(200);
    // Running reconciles continue to their end.
    while ((await reconciledIn(1000)).length > 0);
    const before = dev.lines.length;
    await patch(`${games}/second`, { spec: { replicas: 3 } });
    expect(await reconciledIn(300)).toEqual([]);
    expect((await api("/api/pause", { paused: false })).status).toBe(200);
    await dev.event("reconciled", ({ name }) => name === "second", before);
    expect((await api("/api/delete", ref)).status).toBe(200);
    await eventually(async () => expect((await api("/api/objects")).body).not.toContain('"second"'));
  });

  fullTest("D30: can pause while the manager restarts, and the new manager begins paused", async () => {
    const before = dev.lines.length;
    expect((await api("/api/restart", {})).status).toBe(200);
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      statuses.push((await api("/api/pause", { paused: count % 2 === 0 })).status);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await dev.event("started", undefined, before);
    expect((await api("/api/pause", { paused: true })).status).toBe(200);
    const paused = dev.lines.length;
    expect((await api("/api/restart", {})).status).toBe(200);
    await dev.event("started", undefined, paused);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(dev.lines.slice(paused).filter(({ event }) => event === "reconciled")).toEqual([]);
    expect((await api("/api/pause", { paused: false })).status).toBe(200);
    await dev.event("reconciled", ({ name }) => name === "game-sample", paused);
  });

  fullTest(
    "D35: a fault that is injected while the manager restarts has its effect on the new manager, and so on the next",
    async () => {
      const fault = { fault: "conflict", count: 2, kind: "Deployment" };
      const kept = [{ fault: "conflict", left: 2, kind: "Deployment", apiVersion: "apps/v1" }];
      for (const isFirst of [true, false]) {
        const { length: before } = dev.lines;
        await api("/api/restart", {});
        // The first one reaches the old manager, the one that is loaded, or none: the session decides.
        if (isFirst) expect(await api("/api/faults", fault)).toMatchObject({ status: 200 });
        await dev.event("started", undefined, before);
        expect(JSON.parse((await api("/api/faults")).body)).toEqual({ faults: kept });
      }
      await patch(`${games}/game-sample`, { spec: { replicas: 3 } });
      for (const left of [1, 0]) {
        await dev.event("reconciled", ({ error }) => String(error).includes("object has been modified"));
        if (left === 0) await dev.event("reconciled", ({ error, writes }) => error === undefined && Number(writes) > 0);
      }
      await expect.poll(async () => JSON.parse((await api("/api/faults")).body)).toEqual({ faults: [] });
    },
  );

  fullTest("D23: restores the cluster to an earlier revision", async () => {
    const { revision } = JSON.parse((await api("/api/revisions")).body) as { revision: number };
    await patch(`${games}/game-sample`, { spec: { host: "changed.io" } });
    const restored = dev.lines.length;
    expect((await api("/api/restore", { revision })).status).toBe(200);
    expect((await get(`${games}/game-sample`)).spec).toMatchObject({ host: "mygame.io" });
    expect((await api("/api/restore", { revision: 10 ** 9 })).status).toBe(400);
    await dev.event("started", undefined, restored);
    await dev.event("reconciled", ({ name }) => name === "game-sample", restored);
    await eventually(async () =>
      expect((await api("/api/object?kind=Game&namespace=default&name=game-sample")).body).toContain("host: mygame.io"),
    );
  });

  fullTest("D24: streams events, and repeats events that a client has missed", async () => {
    const read = async (last: string | undefined, until: string, opened = () => {}): Promise<string> => {
      const signal = AbortSignal.timeout(60_000);
      const headers = { ...authorized(), ...(last ? { "last-event-id": last } : {}) };
      const response = await fetch(`${session().url}/api/stream`, { headers, signal });
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        opened();
        if (text.includes(until)) break;
      }
      return text;
    };
    let listening = Promise.resolve("");
    await new Promise<void>((resolve) => {
      listening = read(undefined, '"type":"reconcile"', resolve);
    });
    await dev.ask("reconcile", "game/game-sample");
    const first = await listening;
    expect(first).toContain('{"type":"reset"}');
    const id = /id: (\d+)\ndata: \{"type":"reset"/.exec(first)?.[1];
    expect(await read(id, '"type":"reconcile"')).not.toContain('"type":"reset"');
    expect(await read("1", "data:")).toContain('"type":"reset"');
  });

  it("D41: sends the end of the session to open streams", async () => {
    const { body } = await fetch(`${session().url}/api/stream`, { headers: authorized() });
    let text = "";
    const reading = (async () => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
    })();
    dev.child.kill("SIGINT");
    await reading;
    expect(text).toMatch(/"event":"stopped".*"reason":"interrupted"/);
    expect(await dev.ended).toBe(0);
  });
});
