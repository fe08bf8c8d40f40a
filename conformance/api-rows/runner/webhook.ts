// An HTTPS server for admission and conversion webhooks. Its responses are data, by `/<scenario id>/<path>`.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Json, JsonObject } from "@kubewright/cel/json";
import type { HookResponse } from "./row.ts";

/** In PEM. */
export interface Certificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface Webhooks {
  readonly url: string;
  /** The CA bundle for the server, in base64. */
  readonly ca: string;
  set(path: string, response: HookResponse): void;
  calls(path: string): JsonObject[];
  /** Forgets the webhooks of a scenario. */
  forget(id: string): void;
  stop(): Promise<void>;
}

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: {
    readonly uid?: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly CustomObject[];
  };
}

interface CustomObject {
  apiVersion?: string;
  metadata: { name?: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
}

/** Starts the server. Without a certificate, openssl creates one in the directory. */
export async function startWebhooks(directory: string, certificate?: Certificate): Promise<Webhooks> {
  const { cert, key } = certificate ?? createCertificate(directory);
  const responses = new Map<string, HookResponse>();
  const calls = new Map<string, JsonObject[]>();
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname, search } = new URL(request.url ?? "/", "https://x");
      const path = pathname.slice(1);
      const review = parsed(Buffer.concat(chunks).toString());
      const { "content-type": contentType, accept } = request.headers;
      // As JSON, because absent values are compared, too.
      const call: JsonObject = JSON.parse(JSON.stringify({ query: search, contentType, accept, review }));
      calls.set(path, [...(calls.get(path) ?? []), call]);
      const wanted = responses.get(path) ?? { allowed: true };
      setTimeout(() => respond(response, wanted, review as Review | undefined), wanted.delayMs ?? 0);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: Buffer.from(cert).toString("base64"),
    set: (path, response) => void responses.set(path, response),
    calls: (path) => calls.get(path) ?? [],
    forget: (id) => {
      for (const paths of [responses, calls]) {
        for (const path of paths.keys()) if (path.startsWith(`${id}/`)) paths.delete(path);
      }
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function respond(response: ServerResponse, wanted: HookResponse, review: Review | undefined): void {
  if (wanted.http !== undefined) {
    response.writeHead(wanted.http, { "content-type": wanted.type ?? "text/plain" });
    response.end(wanted.raw ?? "webhook says no");
    return;
  }
  response.writeHead(200, { "content-type": "application/json" });
  const answer = review?.kind === "ConversionReview" ? conversion : admission;
  response.end(wanted.raw ?? JSON.stringify(answer(wanted, review)));
}

function admission(wanted: HookResponse, review: Review | undefined): object {
  const { allowed = true, message, code, reason, details, patch, patchType = "JSONPatch", echo } = wanted;
  const request = review?.request ?? {};
  const hasStatus = [message, code, reason, details].some((value) => value !== undefined);
  const status = echo === undefined ? { message, code, reason, details } : { message: repeated(request, echo) };
  const patchText = typeof patch === "string" ? patch : JSON.stringify(patch);
  return {
    apiVersion: wanted.apiVersion ?? review?.apiVersion ?? "admission.k8s.io/v1",
    kind: wanted.kind ?? "AdmissionReview",
    response: {
      uid: wanted.uid ?? request.uid,
      allowed: echo === undefined && allowed,
      ...(hasStatus || echo !== undefined ? { status } : {}),
      warnings: wanted.warnings,
      auditAnnotations: wanted.auditAnnotations,
      ...(patch === undefined ? {} : { patch: Buffer.from(patchText).toString("base64") }),
      ...(patch === undefined || patchType === "none" ? {} : { patchType }),
    },
  };
}

/** Returns the values at paths of a request as text. */
function repeated(request: object, paths: string): string {
  const valueAt = (path: string): unknown =>
    path
      .split(".")
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], request);
  return paths
    .split(",")
    .map((path) => `${path}=${JSON.stringify(valueAt(path)) ?? "none"}`)
    .join(" ");
}

function conversion(wanted: HookResponse, review: Review | undefined): object {
  const { uid, desiredAPIVersion = "", objects = [] } = review?.request ?? {};
  const fails = wanted.convert === "fail";
  return {
    apiVersion: review?.apiVersion,
    kind: "ConversionReview",
    response: {
      uid: wanted.uid ?? uid,
      result: fails ? { status: "Failed", message: wanted.message ?? "cannot convert" } : { status: "Success" },
      convertedObjects: fails ? [] : convertedObjects(wanted.convert, objects, desiredAPIVersion),
    },
  };
}

/** Converts objects with the error or change that a scenario sets. */
function convertedObjects(
  convert: HookResponse["convert"],
  objects: readonly CustomObject[],
  apiVersion: string,
): readonly CustomObject[] {
  if (convert === "same") return objects;
  const converted = objects.map((object) => ({ ...structuredClone(object), apiVersion }));
  if (convert === "short") return converted.slice(1);
  for (const object of converted) {
    if (convert === "meta") object.metadata.name = "other";
    if (convert === "labels") {
      object.metadata.labels = { ...object.metadata.labels, converted: `to-${apiVersion.split("/")[1]}` };
    }
    if (convert === "rename" && object.spec !== undefined) {
      const [from, to] = apiVersion.endsWith("/v2") ? (["size", "width"] as const) : (["width", "size"] as const);
      if (!(from in object.spec)) continue;
      object.spec[to] = object.spec[from];
      delete object.spec[from];
    }
  }
  return converted;
}

function createCertificate(directory: string): Certificate {
  mkdirSync(directory, { recursive: true });
  const at = (name: string): string => join(directory, name);
  writeFileSync(
    at("hook.cnf"),
    "[req]\ndistinguished_name=dn\nx509_extensions=v3\nprompt=no\n[dn]\nCN=api-diff-webhooks\n[v3]\nsubjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=critical,CA:TRUE\n",
  );
  const options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-config", at("hook.cnf")];
  execFileSync("openssl", ["req", ...options, "-keyout", at("hook.key"), "-out", at("hook.crt")], { stdio: "ignore" });
  return { cert: readFileSync(at("hook.crt")), key: readFileSync(at("hook.key")) };
}
