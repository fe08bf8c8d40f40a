// The tutorial's Game, with the parts that the blocks need.
import { groupVersion, type Stored } from "@kubewright/runtime";
import type { Int32, Int64, KubernetesObject } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";

export interface GameSpec {
  replicas?: Int32;
  image?: string;
  host?: string;
}

export interface GameStatus {
  phase?: string;
  conditions?: Condition[];
  observedGeneration?: Int64;
}

export interface Game extends KubernetesObject {
  spec: GameSpec;
  status?: GameStatus;
}
export const Game = groupVersion("myapp.example.com", "v1").kind<Game>("Game");

export declare const game: Stored<Game>;
