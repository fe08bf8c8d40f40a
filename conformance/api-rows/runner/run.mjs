// Runs one row against a server and returns the normalised answers.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { normalise } from "./normalise.mjs";

export const idOf = (name, runId = "") => `x${createHash("sha1").update(`${name}#${runId}`).digest("hex").slice(0, 9)}`;

/** a.b[0].c, a[type=X].b, a["x.y"].b */
export function pathGet(object, text) {
  for (const token of text.match(/\["[^"]*"\]|\[[^\]]*\]|[^.[\]]+/g) ?? []) {
    if (object === undefined || object === null) return undefined;
    if (token.startsWith('["')) object = object[token.slice(2, -2)];
    else if (token.startsWith("[")) {
      const inner = token.slice(1, -1),
        eq = inner.indexOf("=");
      object =
        eq < 0
          ? object[Number(inner)]
          : (Array.isArray(object) ? object : []).find((x) => String(x?.[inner.slice(0, eq)]) === inner.slice(eq + 1));
    } else object = object[token];
  }
  return object;
}

const subst = (value, vars) => {
  if (typeof value === "string")
    return value
      .replace(/%x:(\d+)%/g, (_, n) => "x".repeat(Number(n)))
      .replace(/%([a-zA-Z][a-zA-Z0-9]*)%/g, (all, name) => (name in vars ? vars[name] : all));
  if (Array.isArray(value)) return value.map((v) => subst(v, vars));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [subst(k, vars), subst(v, vars)]));
  return value;
};
const holds = (condition, answer, text) =>
  (condition.status === undefined || answer.status === condition.status) &&
  (condition.contains === undefined || text().includes(condition.contains)) &&
  (condition.path === undefined ||
    (condition.exists !== undefined
      ? (pathGet(answer.body, condition.path) !== undefined) === condition.exists
      : String(pathGet(answer.body, condition.path)) === String(condition.equals)));

export async function runScenario(target, scenario, { runId = "" } = {}) {
  const id = idOf(scenario.name, runId);
  const vars = {
    id,
    ns: `${id}-ns`,
    ns2: `${id}-ns2`,
    group: `${id}.example.com`,
    hook: `${target.hooks.url}/${id}`,
    ca: target.hooks.ca,
  };
  const prefixes = new Set(JSON.stringify(scenario.steps).match(/(?<="generateName":")[^"]+/g) ?? []);
  const results = [],
    watches = new Map(),
    created = [],
    began = Date.now();
  const work = path.join(target.dir, id);
  let broken,
    crdRefused = false;
  const limit = scenario.limitMs ?? 120_000;
  const admin = (method, p, o) => target.request(method, p, o).catch((error) => ({ status: 0, error }));
  const mkns = async (name) => {
    const a = await admin("POST", "/api/v1/namespaces", {
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { "api-diff": id } } },
    });
    if (a.status !== 201)
      throw new Error(`namespace ${name}: ${a.status} ${JSON.stringify(a.body ?? String(a.error))}`);
    for (let i = 0; i < 50; i++) {
      const b = await admin("GET", `/api/v1/namespaces/${name}`);
      if (b.status === 200) return;
      await sleep(50);
    }
  };
  try {
    const text = JSON.stringify(scenario.steps);
    await mkns(vars.ns);
    if (text.includes("%ns2%")) await mkns(vars.ns2);
    for (const raw of scenario.steps) {
      if (Date.now() - began > limit) throw new Error(`scenario ran past ${limit / 1000} s`);
      const step = subst(raw, vars);
      const result = await perform(step);
      results.push(step.quiet ? null : result);
    }
  } catch (error) {
    broken = `${error.message}`.split("\n")[0];
  }
  for (const w of watches.values()) w.close();
  // Remaining cluster-scoped objects would disturb or slow down other rows.
  for (const p of created.reverse()) await admin("DELETE", p);
  admin("DELETE", `/api/v1/namespaces/${vars.ns}`);
  if (fs.existsSync(work)) fs.rmSync(work, { recursive: true, force: true });
  target.hooks.forget(id);
  return normalise(
    { results, ...(broken && { broken }) },
    { vars, target, prefixes: [...prefixes], steps: scenario.steps },
  );

  async function perform(step) {
    if (step.sleep) {
      await sleep(step.sleep);
      return null;
    }
    if (step.hook !== undefined) {
      target.hooks.set(`${id}/${step.hook}`, step.respond);
      return null;
    }
    if (step.hookCalls !== undefined) return { calls: target.hooks.calls(`${id}/${step.hookCalls}`) };
    if (step.kubectl !== undefined) return kubectl(step);
    if (step.watchEnd !== undefined) return collect(step);
    const query =
      step.query && Object.keys(step.query).length
        ? `?${Object.entries(step.query)
            .flatMap(([k, v]) =>
              (Array.isArray(v) ? v : [v]).map((x) => `${encodeURIComponent(k)}=${encodeURIComponent(x)}`),
            )
            .join("&")}`
        : "";
    const where = step.path + query;
    if (step.watch !== undefined) {
      let w = await target.stream(where, step);
      for (let i = 0; w.status === 429 && i < 40; i++) {
        await sleep(250);
        w.close();
        w = await target.stream(where, step);
      }
      watches.set(step.watch, w);
      if (w.status !== 200) {
        for (let i = 0; i < 100 && !w.closed; i++) await sleep(20);
        let body = w.raw;
        try {
          body = JSON.parse(w.raw);
        } catch {}
        return { ...w.head, body };
      }
      return w.head;
    }
    let a;
    if (step.until) {
      // The definition will never be served, so waiting is useless.
      if (step.quiet && crdRefused) throw new Error("the definition was refused");
      const deadline = Date.now() + (step.until.ms ?? 20_000);
      for (;;) {
        a = await target.request(step.method, where, step);
        if (holds(step.until, a, () => (typeof a.body === "string" ? a.body : JSON.stringify(a.body ?? "")))) break;
        if (Date.now() > deadline) {
          a.timedOut = true;
          break;
        }
        await sleep(60);
      }
      if (a.timedOut && step.quiet)
        throw new Error(`waiting for ${step.path} ${JSON.stringify(step.until)}: timed out`);
    } else
      for (let i = 0; i < 40; i++) {
        a = await target.request(step.method, where, step);
        // The real server is in this state for a moment after a change of a definition.
        if (a.status !== 429 || !/storage is \(re\)initializing/.test(a.body?.message ?? "")) break;
        await sleep(250);
      }
    if (
      step.method === "POST" &&
      a.status === 201 &&
      /\/(customresourcedefinitions|\w+webhookconfigurations|\w+admissionpolic\w+|apiservices)$/.test(step.path)
    )
      created.push(`${step.path}/${a.body?.metadata?.name}`);
    if (step.method === "POST" && step.path.endsWith("/customresourcedefinitions") && !step.query?.dryRun)
      crdRefused = a.status !== 201 && a.status !== 409;
    for (const [name, p] of Object.entries(step.save ?? {})) vars[name] = String(pathGet(a.body, p));
    if (step.only === "status") return { status: a.status };
    if (step.only === "type") return { status: a.status, type: a.type };
    if (step.pick) return { ...a, body: Object.fromEntries(step.pick.map((p) => [p, pathGet(a.body, p)])) };
    return a;
  }

  async function collect(step) {
    const w = watches.get(step.watchEnd);
    const real = () =>
      w.events.filter((e) => e.type !== "BOOKMARK" || (step.bookmarks && e.object?.metadata?.annotations)).length;
    const deadline = Date.now() + (step.ms ?? 8000);
    while (!w.closed && Date.now() < deadline && (step.closed || real() < step.count)) await sleep(20);
    // Waits for events beyond the requested number.
    if (!w.closed && !step.closed) await sleep(step.quietMs ?? 150);
    const result = { events: w.events.slice(), closed: w.closed };
    // The times of plain bookmarks vary, so the result contains only the first one. The bookmark that ends the initial
    // events has a fixed position.
    const plain = (e) => e.type === "BOOKMARK" && !e.object?.metadata?.annotations;
    if (step.bookmarks && step.closed) result.bookmark = result.events.find(plain) ?? "none";
    result.events = result.events.filter((e) => (step.bookmarks ? !plain(e) : e.type !== "BOOKMARK"));
    if (step.events === "ends")
      // The events in between depend on the server's own controllers.
      result.events = [result.events[0], result.events.at(-1)].map((e) => e && `${e.type} ${e.object?.metadata?.name}`);
    if (step.events === "types")
      result.events = result.events.map((e) => `${e.type} ${e.object?.metadata?.name ?? e.object?.message ?? ""}`);
    w.close();
    watches.delete(step.watchEnd);
    return result;
  }

  function kubectl(step) {
    fs.mkdirSync(work, { recursive: true });
    for (const [name, text] of Object.entries(step.files ?? {})) {
      fs.mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
      fs.writeFileSync(path.join(work, name), typeof text === "string" ? text : JSON.stringify(text), { mode: 0o755 });
    }
    const args = Array.isArray(step.kubectl) ? step.kubectl : split(step.kubectl);
    const home = path.join(target.home, id);
    fs.mkdirSync(home, { recursive: true });
    return new Promise((resolve) => {
      const child = spawn("kubectl", [...(step.as ? ["--as", step.as] : []), ...args], {
        cwd: work,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          KUBECONFIG: target.kubeconfig,
          TMPDIR: work,
          LANG: "C",
          ...step.env,
        },
        stdio: ["pipe", "pipe", "pipe"],
      });
      let stdout = "",
        stderr = "";
      child.stdout.on("data", (d) => (stdout += d));
      child.stderr.on("data", (d) => (stderr += d));
      child.stdin.on("error", () => {});
      child.stdin.end(
        step.stdin === undefined ? "" : typeof step.stdin === "string" ? step.stdin : JSON.stringify(step.stdin),
      );
      const timer = setTimeout(() => child.kill("SIGKILL"), step.timeoutMs ?? 60_000);
      child.on("error", (error) => {
        clearTimeout(timer);
        resolve({ code: -1, stderr: String(error) });
      });
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        const clean = (s) => s.replaceAll(work, "<dir>").replaceAll(home, "<home>");
        resolve({ code: code ?? signal, stdout: clean(stdout), stderr: clean(stderr) });
      });
    });
  }
}

function split(line) {
  const out = [];
  for (const m of line.matchAll(/((?:[^\s'"]+|'[^']*'|"[^"]*")+)/g))
    out.push(m[1].replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b));
  return out;
}
