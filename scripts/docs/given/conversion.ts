// Two versions of Game with different names for the same field.
import { groupVersion } from "@kubewright/runtime";
import type { KubernetesObject } from "@kubewright/runtime/api";

export interface GameV1 extends KubernetesObject {
  spec: { name: string; players?: number };
}
export const GameV1 = groupVersion("myapp.example.com", "v1").kind<GameV1>("Game");

export interface GameV2 extends KubernetesObject {
  spec: { title: string };
}
export const GameV2 = groupVersion("myapp.example.com", "v2").kind<GameV2>("Game");
