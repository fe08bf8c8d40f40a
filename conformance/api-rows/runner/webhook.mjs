// HTTPS server for admission and conversion webhooks. The answers are data: /<scenario id>/<path> -> respond.
//   respond: { allowed, message, code, reason, warnings, patch (JSON patch), patchType, auditAnnotations, delayMs, http (status), raw (text), uid, apiVersion,
//              convert: "copy" | "fail" | "short" | "rename", from, to, echo (the message repeats these fields of the request) }
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import https from "node:https";
import path from "node:path";

/** Starts the server. `certificate`: `{ cert, key }` in PEM; without it, openssl creates one in the directory. */
export async function startWebhooks(dir, certificate) {
  const { cert, key } = certificate ?? createCertificate(dir);
  const rules = new Map(),
    calls = new Map();
  const server = https.createServer({ cert, key }, (request, response) => {
    const chunks = [];
    request
      .on("data", (c) => chunks.push(c))
      .on("end", () => {
        const url = new URL(request.url, "https://x");
        const where = url.pathname.slice(1);
        let review;
        try {
          review = JSON.parse(Buffer.concat(chunks).toString());
        } catch {
          review = undefined;
        }
        const rule = rules.get(where) ?? { allowed: true };
        if (!calls.has(where)) calls.set(where, []);
        calls.get(where).push({
          query: url.search.replace(/^\?timeout=.*$/, (s) => s),
          contentType: request.headers["content-type"],
          accept: request.headers.accept,
          review,
        });
        const send = () => {
          if (rule.http) {
            response.writeHead(rule.http, { "content-type": rule.type ?? "text/plain" });
            return response.end(rule.raw ?? "webhook says no");
          }
          if (rule.raw !== undefined) {
            response.writeHead(200, { "content-type": "application/json" });
            return response.end(rule.raw);
          }
          response.writeHead(200, { "content-type": "application/json" });
          response.end(
            JSON.stringify(review?.kind === "ConversionReview" ? conversion(rule, review) : admission(rule, review)),
          );
        };
        if (rule.delayMs) setTimeout(send, rule.delayMs);
        else send();
      });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${server.address().port}`,
    ca: Buffer.from(cert).toString("base64"),
    set: (where, rule) => rules.set(where, rule),
    calls: (where) => calls.get(where) ?? [],
    forget: (id) => {
      for (const m of [rules, calls]) for (const key of m.keys()) if (key.startsWith(`${id}/`)) m.delete(key);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

function admission(rule, review) {
  const request = review?.request ?? {};
  const response = { uid: rule.uid ?? request.uid, allowed: rule.allowed ?? true };
  if (rule.message !== undefined || rule.code !== undefined || rule.reason !== undefined || rule.details)
    response.status = {
      ...(rule.message !== undefined && { message: rule.message }),
      ...(rule.code !== undefined && { code: rule.code }),
      ...(rule.reason !== undefined && { reason: rule.reason }),
      ...(rule.details && { details: rule.details }),
    };
  if (rule.echo) {
    response.allowed = false;
    response.status = {
      message: rule.echo
        .split(",")
        .map((p) => `${p}=${JSON.stringify(p.split(".").reduce((o, k) => o?.[k], request)) ?? "none"}`)
        .join(" "),
    };
  }
  if (rule.warnings) response.warnings = rule.warnings;
  if (rule.auditAnnotations) response.auditAnnotations = rule.auditAnnotations;
  if (rule.patch !== undefined) {
    response.patch = Buffer.from(typeof rule.patch === "string" ? rule.patch : JSON.stringify(rule.patch)).toString(
      "base64",
    );
    response.patchType = rule.patchType ?? "JSONPatch";
    if (rule.patchType === "none") delete response.patchType;
  }
  return {
    apiVersion: rule.apiVersion ?? review?.apiVersion ?? "admission.k8s.io/v1",
    kind: rule.kind ?? "AdmissionReview",
    response,
  };
}

function conversion(rule, review) {
  const { uid, desiredAPIVersion, objects } = review.request;
  let result = { status: "Success" },
    converted = objects.map((o) => ({ ...structuredClone(o), apiVersion: desiredAPIVersion }));
  if (rule.convert === "fail") {
    result = { status: "Failed", message: rule.message ?? "cannot convert" };
    converted = [];
  }
  if (rule.convert === "short") converted = converted.slice(1);
  if (rule.convert === "same") converted = objects;
  if (rule.convert === "meta") for (const o of converted) o.metadata.name = "other";
  if (rule.convert === "labels")
    for (const o of converted)
      o.metadata.labels = { ...o.metadata.labels, converted: `to-${desiredAPIVersion.split("/")[1]}` };
  if (rule.convert === "rename")
    for (const o of converted) {
      const toV2 = desiredAPIVersion.endsWith("/v2");
      const [from, to] = toV2 ? ["size", "width"] : ["width", "size"];
      if (o.spec && from in o.spec) {
        o.spec[to] = o.spec[from];
        delete o.spec[from];
      }
    }
  return {
    apiVersion: review.apiVersion,
    kind: "ConversionReview",
    response: { uid: rule.uid ?? uid, result, convertedObjects: converted },
  };
}

function createCertificate(dir) {
  const cnf = path.join(dir, "hook.cnf");
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(
    cnf,
    "[req]\ndistinguished_name=dn\nx509_extensions=v3\nprompt=no\n[dn]\nCN=api-diff-webhooks\n[v3]\nsubjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=critical,CA:TRUE\n",
  );
  const files = { key: path.join(dir, "hook.key"), cert: path.join(dir, "hook.crt") };
  const options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-config", cnf];
  execFileSync("openssl", ["req", ...options, "-keyout", files.key, "-out", files.cert], { stdio: "ignore" });
  return { cert: fs.readFileSync(files.cert), key: fs.readFileSync(files.key) };
}
