import { createHash } from "node:crypto";
import { encodeJson, type JsonObject } from "@kubewright/cel/json";
import { LimitedMap } from "@kubewright/cel/language";
import type { Answer, ApiRequest } from "../model/request.ts";
import { chooseType, parseAccept } from "../request/negotiation.ts";
import { encodeOpenApi } from "./protobuf.ts";
import { encodeOpenApi3 } from "./protobuf3.ts";
import { type Content, serveContent } from "./serve-content.ts";

/** The source of the documents. */
export interface OpenApiSource {
  /** Returns the paths of all group versions, such as `apis/apps/v1`; the same list until something changes. */
  paths(): readonly string[];
  /** Returns the OpenAPI v3 document of a path. */
  v3(path: string): JsonObject;
  /** Returns the OpenAPI v2 document of all group versions. */
  v2(): JsonObject;
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
}

/** A year in milliseconds. */
const year = 365 * 24 * 3_600_000;

type Document = Omit<Required<Content>, "type">;

/** The media types of the OpenAPI v2 document in protobuf: the second one is how clients before Kubernetes 1.26 name it. */
const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const protobufTypes = [protobufType, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"];

/** The same for OpenAPI v3. */
const protobufType3 = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
const protobufTypes3 = [protobufType3, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"];

/** Serves OpenAPI documents. Each is made when it is first requested, and again after a change. */
export class OpenApi {
  readonly #source: OpenApiSource;
  #documents = new Map<string, Document>();
  /** The last version of each document, also of groups that are gone: definitions come and go with names of their authors. */
  readonly #versions = new LimitedMap<string, Pick<Document, "etag" | "modified">>(2000);
  #seen: readonly string[] = [];

  /** @param source - where the documents come from */
  constructor(source: OpenApiSource) {
    this.#source = source;
  }

  /**
   * Answers a request for a document.
   *
   * @param path - the path of the request
   * @param request - the request
   * @returns the answer; 404 for documents that don't exist, and undefined for other paths
   */
  answer(path: string, request: ApiRequest): Answer | undefined {
    const paths = this.#source.paths();
    if (paths !== this.#seen) {
      this.#seen = paths;
      this.#documents = new Map();
    }
    if (path === "/openapi/v2") {
      // The real server escapes only the characters of the other documents.
      const encode = (): string => JSON.stringify(this.#source.v2());
      const vary = { vary: "Accept-Encoding, Accept" };
      const type = chooseType(acceptOf(request), ["application/json", ...protobufTypes]);
      if (type === undefined) return { status: 406, headers: {} };
      const answer =
        type === "application/json"
          ? this.#serve(request, "v2", encode, type, vary)
          : this.#serve(request, "v2 protobuf", () => encodeOpenApi(this.#source.v2()), protobufType, vary);
      return { ...answer, compressible: answer.status === 200 };
    }
    if (path === "/openapi/v3") {
      const { body, modified } = this.#document("v3", () => encodeJson(this.#index()));
      // The index has no hash in the answers of the real server.
      return serveContent(request, { body, modified, type: "text/plain; charset=utf-8" });
    }
    if (!path.startsWith("/openapi/v3/")) return undefined;
    const name = path.slice("/openapi/v3/".length);
    if (!paths.includes(name)) return { status: 404, headers: {} };
    const type = chooseType(acceptOf(request), ["application/json", ...protobufTypes3]);
    if (type === undefined) return { status: parseAccept(acceptOf(request)).length === 0 ? 200 : 406, headers: {} };
    const encodeProtobuf = (): Uint8Array => encodeOpenApi3(this.#source.v3(name));
    const answer =
      type === "application/json"
        ? this.#serve(request, name, () => this.#encoded(name), "application/json")
        : this.#serve(request, `${name} protobuf`, encodeProtobuf, protobufType3);
    return this.#withHash(request, name, answer);
  }

  #index(): JsonObject {
    const entries = this.#source.paths().map((path) => {
      const hash = this.#document(path, () => this.#encoded(path)).etag.slice(1, -1);
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    });
    return { paths: Object.fromEntries(entries) as JsonObject };
  }

  /** A path with the hash of its document, as in the index, never changes its answer. */
  #withHash(request: ApiRequest, name: string, answer: Answer): Answer {
    const asked = new URLSearchParams(request.url.split("?")[1]).get("hash") ?? "";
    const { headers } = answer;
    const hash = this.#document(name, () => this.#encoded(name)).etag.slice(1, -1);
    if (asked === "") return answer;
    if (asked !== hash) {
      const { "content-type": type = "application/json", etag = `"${hash}"` } = headers;
      const location = `/openapi/v3/${name}?hash=${hash}`;
      return { status: 301, headers: { "content-type": type, etag, vary: "Accept", location } };
    }
    const expires = new Date(this.#source.now() + year).toUTCString().replace("GMT", "UTC");
    return { ...answer, headers: { ...headers, "cache-control": "public, immutable", expires } };
  }

  #encoded(path: string): string {
    return encodeJson(this.#source.v3(path));
  }

  #document(name: string, make: () => string | Uint8Array): Document {
    let document = this.#documents.get(name);
    if (document === undefined) {
      const body = make();
      const etag = `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"`;
      document = { body, etag, modified: this.#modified(name, etag) };
      this.#documents.set(name, document);
      this.#versions.set(name, { etag, modified: document.modified });
    }
    return document;
  }

  /** The time of a new version. Dates in headers have seconds, so that two versions need different ones. */
  #modified(name: string, etag: string): number {
    const before = this.#versions.get(name);
    if (before?.etag === etag) return before.modified;
    return Math.max(this.#source.now(), before === undefined ? 0 : before.modified + 1000);
  }

  #serve(
    request: ApiRequest,
    name: string,
    make: () => string | Uint8Array,
    type: string,
    headers: Answer["headers"] = { vary: "Accept" },
  ): Answer {
    return serveContent(request, { ...this.#document(name, make), type }, headers);
  }
}

function acceptOf(request: ApiRequest): string {
  return String(request.headers.accept ?? "");
}
