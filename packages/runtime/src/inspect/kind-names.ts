import type { RequestInfo } from "./request-info.ts";

type Resource = Pick<RequestInfo, "group" | "plural">;

/** The kinds of resources, learned from discovery and from objects: paths of requests contain only plurals. */
export class KindNames {
  readonly #kinds = new Map<string, string>();

  of(resource: Resource): string | undefined {
    return this.#kinds.get(keyOf(resource));
  }

  set(resource: Resource, kind: string): void {
    this.#kinds.set(keyOf(resource), kind);
  }

  /** Learns from the answer to a request of discovery. Other answers are ignored. */
  learn(path: string, body: unknown): void {
    const group = /^\/(?:api|apis\/([^/]+))\/[^/]+\/?$/.exec(path);
    const { kind, resources } = (body ?? {}) as { kind?: string; resources?: { name?: string; kind?: string }[] };
    if (!group || kind !== "APIResourceList" || !Array.isArray(resources)) return;
    for (const { name, kind: of } of resources) {
      if (name && of && !name.includes("/")) this.set({ group: group[1] ?? "", plural: name }, of);
    }
  }
}

function keyOf({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}
