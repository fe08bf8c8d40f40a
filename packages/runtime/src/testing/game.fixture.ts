import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";

export interface Game extends KubernetesObject {
  spec?: { replicas?: number; ports?: number[]; nested?: Record<string, unknown> };
  status?: { phase?: string; replicas?: number; selector?: string };
}

export const Game: Kind<Game> = groupVersion("games.example.com", "v1").kind<Game>("Game");
export const Deployment: Kind<Game> = groupVersion("apps", "v1").kind<Game>("Deployment");
export const Namespace: Kind = groupVersion("", "v1").kind("Namespace");
export const Pod: Kind = groupVersion("", "v1").kind("Pod");

/** Creates a Game with one replica. `metadata` and `rest` override the defaults. */
export const game = (metadata: ObjectMeta = {}, rest: Partial<Game> = {}): Game => ({
  apiVersion: "games.example.com/v1",
  kind: "Game",
  metadata: { name: "one", namespace: "default", ...metadata },
  spec: { replicas: 1 },
  ...rest,
});
export const key: { namespace: string; name: string } = { namespace: "default", name: "one" };
export const withStatus: { statusSubresource: Kind[] } = { statusSubresource: [Game] };
