import type { KubernetesObject } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import type { Client, Stored } from "../client/client.ts";
import { type InterceptorFuncs, interceptor } from "../client/wrappers/interceptor.ts";
import type { Context } from "../reconcile/context.ts";
import { fakeClient } from "../testing/fake-client.ts";
import { testContext } from "../testing/test-context.ts";

export interface Game extends KubernetesObject {
  spec: { replicas?: number };
  status?: {
    conditions?: { type: string; status: string; reason: string; message: string }[];
    observedGeneration?: number;
  };
}
export const Game: Kind<Game> = groupVersion("example.com", "v1").kind<Game>("Game", {
  plural: "games",
  scope: "Namespaced",
});
export const ctx: Context = testContext();
export const labels: Record<string, string> = { app: "chess" };

/** The fields of a Deployment. */
export function deploymentSpec(
  image = "nginx",
  replicas?: number,
): {
  replicas?: number;
  selector: { matchLabels: Record<string, string> };
  template: {
    metadata: { labels: Record<string, string> };
    spec: { containers: { name: string; image: string; ports: { containerPort: number; protocol?: string }[] }[] };
  };
} {
  return {
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "game", image, ports: [{ containerPort: 80 }] }] } },
  };
}

/** A client that lists its requests, such as `apply Deployment chess`, and can fail. */
export interface RecordingClient extends Client {
  requests: string[];
}

export function recording(inner: Client, funcs: InterceptorFuncs = {}): RecordingClient {
  const requests: string[] = [];
  const record = (verb: string, kind: string, name = ""): void => {
    requests.push(`${verb} ${kind}${name ? ` ${name}` : ""}`);
  };
  const client = interceptor.newClient(inner, {
    get: (next, kind, key, options) => {
      record("get", kind.kind, key.name);
      return funcs.get ? funcs.get(next, kind, key, options) : next.get(kind, key, options as never);
    },
    list: (next, kind, options) => {
      record("list", kind.kind);
      return funcs.list ? funcs.list(next, kind, options) : next.list(kind, options as never);
    },
    create: (next, object, options) => {
      record(options?.dryRun ? "dry-run" : "create", object.kind, object.metadata?.name);
      return funcs.create ? funcs.create(next, object, options) : next.create(object, options);
    },
    patch: (next, object, patch, options) => {
      record("patch", object.kind, object.metadata?.name);
      return funcs.patch ? funcs.patch(next, object, patch, options) : next.patch(object, patch, options);
    },
    apply: (next, object, options) => {
      record("apply", object.kind, object.metadata?.name);
      return funcs.apply ? funcs.apply(next, object, options) : next.apply(object, options);
    },
    delete: (next, object, options) => {
      record("delete", object.kind, object.metadata?.name);
      return funcs.delete ? funcs.delete(next, object, options) : next.delete(object, options);
    },
  });
  return Object.assign(client, { requests });
}

/** The writes of a client since the last call. */
export function writesOf(client: RecordingClient): string[] {
  return client.requests.splice(0).filter((request) => !/^(get|list) /.test(request));
}

/** A client with a game, and the game. */
export async function setUp(
  objects: readonly KubernetesObject[] = [],
  funcs: InterceptorFuncs = {},
): Promise<{ client: RecordingClient; server: Client; game: Stored<Game> }> {
  const owner: Game = {
    apiVersion: "example.com/v1",
    kind: "Game",
    metadata: { namespace: "default", name: "chess" },
    spec: {},
  };
  const server = fakeClient({ objects: [...objects, owner], statusSubresource: [Game] });
  return {
    client: recording(server, funcs),
    server,
    game: await server.get(Game, { namespace: "default", name: "chess" }),
  };
}

export const key: { namespace: string; name: string } = { namespace: "default", name: "chess" };

/** Returns the results as lines, such as `deployment created`. */
export function lines(results: readonly { child: string; action: string; name: string }[]): string[] {
  return results.map(({ child, action, name }) => `${child} ${name} ${action}`);
}
