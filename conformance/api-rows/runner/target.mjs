// The server under comparison.
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import { startWebhooks } from "./webhook.mjs";

/**
 * Opens the server at `url`, with a token or with files of a client certificate. `hookCertificate`: the certificate of the
 * webhooks; without it, openssl creates one.
 */
export async function openTarget(options) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "api-diff-"));
  process.on("exit", () => {
    try {
      fs.rmSync(dir, { recursive: true, force: true });
    } catch {}
  });
  const { token } = options;
  const url = options.url.replace(/\/$/, "");
  let ca, cert, key;
  if (options.ca) ca = fs.readFileSync(options.ca, "utf8");
  if (options.clientCert) {
    cert = fs.readFileSync(options.clientCert);
    key = fs.readFileSync(options.clientKey ?? options.clientCert);
  }
  const tls = url.startsWith("https:");
  const agent = tls
    ? new https.Agent({ ca, cert, key, rejectUnauthorized: Boolean(ca), keepAlive: true, maxSockets: 64 })
    : new http.Agent({ keepAlive: true, maxSockets: 64 });
  const hooks = await startWebhooks(path.join(dir, "hooks"), options.hookCertificate);
  const home = path.join(dir, "home");
  fs.mkdirSync(home);
  const kubeconfig = path.join(dir, "kubeconfig");
  fs.writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "main",
      contexts: [{ name: "main", context: { cluster: "main", user: "main", namespace: "default" } }],
      clusters: [
        {
          name: "main",
          cluster: {
            server: url,
            ...(ca
              ? { "certificate-authority-data": Buffer.from(ca).toString("base64") }
              : tls
                ? { "insecure-skip-tls-verify": true }
                : {}),
          },
        },
      ],
      users: [
        {
          name: "main",
          user: {
            ...(token && { token }),
            ...(cert && {
              "client-certificate-data": cert.toString("base64"),
              "client-key-data": key.toString("base64"),
            }),
          },
        },
      ],
    }),
    { mode: 0o600 },
  );

  return { url, dir, home, kubeconfig, hooks, request, stream, ready, stop };

  function headersOf(o) {
    const headers = { accept: "application/json", "user-agent": "api-diff/1.0" };
    if (o.token) headers.authorization = `Bearer ${o.token}`;
    else if (token && !o.anonymous) headers.authorization = `Bearer ${token}`;
    if (o.as) headers["impersonate-user"] = o.as;
    if (o.groups) headers["impersonate-group"] = o.groups;
    for (const [name, value] of Object.entries(o.headers ?? {})) {
      if (value === null) delete headers[name.toLowerCase()];
      else headers[name.toLowerCase()] = value;
    }
    return headers;
  }
  function open(method, requestPath, o, onResponse, onError) {
    const payload =
      o.body === undefined ? undefined : Buffer.from(typeof o.body === "string" ? o.body : JSON.stringify(o.body));
    const headers = headersOf(o);
    if (payload) {
      headers["content-type"] ??= "application/json";
      if (headers["content-type"] === "-") delete headers["content-type"];
      headers["content-length"] = payload.length;
    }
    const request = (tls ? https : http).request(
      url + requestPath,
      {
        method,
        agent: o.stream ? undefined : agent,
        ...(o.stream && tls ? { ca, cert, key, rejectUnauthorized: Boolean(ca), agent: false } : {}),
        headers,
      },
      onResponse,
    );
    request.on("error", onError);
    request.end(payload);
    return request;
  }
  function request(method, requestPath, o = {}) {
    return new Promise((resolve, reject) => {
      const r = open(
        method,
        requestPath,
        o,
        (response) => {
          const chunks = [];
          response
            .on("data", (c) => chunks.push(c))
            .on("error", reject)
            .on("end", () => resolve(answer(response, Buffer.concat(chunks))));
        },
        reject,
      );
      r.setTimeout(60_000, () => r.destroy(new Error("no answer for 60 s")));
    });
  }
  /** A watch: resolves when the headers are there. */
  function stream(requestPath, o = {}) {
    return new Promise((resolve, reject) => {
      const r = open(
        "GET",
        requestPath,
        { ...o, stream: true },
        (response) => {
          const w = {
            status: response.statusCode,
            head: answer(response, Buffer.alloc(0)),
            events: [],
            closed: false,
            raw: "",
            changed: () => {},
            close: () => r.destroy(),
          };
          let rest = "";
          response.setEncoding("utf8");
          response.on("data", (text) => {
            w.raw += text;
            rest += text;
            if (w.status !== 200) return;
            const lines = rest.split("\n");
            rest = lines.pop();
            for (const line of lines) {
              if (line.trim()) {
                try {
                  w.events.push(JSON.parse(line));
                } catch {
                  w.events.push({ unparsable: line });
                }
              }
            }
            w.changed();
          });
          const end = () => {
            if (rest.trim() && w.status === 200) {
              try {
                w.events.push(JSON.parse(rest));
              } catch {
                w.events.push({ unparsable: rest });
              }
            }
            rest = "";
            w.closed = true;
            w.changed();
          };
          response.on("end", end).on("close", end).on("error", end);
          resolve(w);
        },
        (error) => {
          reject(error);
        },
      );
      r.setTimeout(90_000, () => r.destroy());
    });
  }
  async function ready() {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const a = await request("GET", "/api/v1/namespaces/default").catch((error) => ({ error }));
      if (a.status === 200) return;
      if (Date.now() > deadline) throw new Error(`${url}: namespace default is not there: ${a.error ?? a.status}`);
      await new Promise((r) => setTimeout(r, 100));
    }
  }
  async function stop() {
    agent.destroy();
    await hooks.stop();
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

const KEEP_HEADERS = ["allow", "retry-after", "www-authenticate", "location", "x-content-type-options"];
export function answer(response, buffer) {
  const type = (response.headers["content-type"] ?? "").toLowerCase();
  const warnings = [];
  for (let i = 0; i < response.rawHeaders.length; i += 2)
    if (response.rawHeaders[i].toLowerCase() === "warning") warnings.push(response.rawHeaders[i + 1]);
  const headers = Object.fromEntries(
    KEEP_HEADERS.filter((h) => response.headers[h] !== undefined).map((h) => [h, response.headers[h]]),
  );
  let body =
    buffer.length === 0
      ? undefined
      : /protobuf|cbor/.test(type)
        ? `<binary ${type.split(";")[0]}>`
        : buffer.toString("utf8");
  if (/json/.test(type) && buffer.length)
    try {
      body = JSON.parse(body);
    } catch {}
  return {
    status: response.statusCode,
    type,
    headers,
    ...(warnings.length && { warnings }),
    ...(body !== undefined && { body }),
  };
}
