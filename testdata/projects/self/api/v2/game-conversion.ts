/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import type { SpokeConverter } from "@kubewright/runtime";
import type { Game as Hub } from "../v1/game-types.ts";
import { Game } from "./game-types.ts";

/**
 * Converts Game between v2 and v1, the hub. A conversion to the hub and back must not lose data.
 * Server-side apply also converts parts of objects: required fields can be missing, and the whole spec.
 */
export const spoke: SpokeConverter<Hub, Game> = {
  kind: Game,

  // The spread copies fields that have the same name and type. The compiler reports the others if they are required.
  // Convert them one by one: spec: { title: obj.spec?.name }
  toHub(obj) {
    return { ...obj, spec: obj.spec && { ...obj.spec } };
  },

  fromHub(hub) {
    return { ...hub, spec: hub.spec && { ...hub.spec } };
  },
};
