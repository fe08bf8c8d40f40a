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

import { type Context, type Defaulter, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { Game } from "#api/v1/index.ts";

/** Registers the webhooks for Game with the manager. */
export async function setupGameWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Game).withDefaulter(new GameDefaulter()).withValidator(new GameValidator()).complete();
}

// +kubebuilder:webhook:path=/mutate-myapp-qingwave-github-io-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=mgame-v1.kb.io,admissionReviewVersions=v1

/** GameDefaulter sets default values on Game objects when they are created or updated. */
export class GameDefaulter implements Defaulter<Game> {
  /** Sets defaults in obj before it is validated and stored. If it throws, the request is rejected. */
  async default(ctx: Context, obj: Game): Promise<void> {
    ctx.log.debug("Defaulting", { name: obj.metadata?.name });

    // Your code goes here.
  }
}

// To validate deletions too, change verbs to "verbs=create;update;delete".
// +kubebuilder:webhook:path=/validate-myapp-qingwave-github-io-v1-game,mutating=false,failurePolicy=fail,sideEffects=None,groups=myapp.qingwave.github.io,resources=games,verbs=create;update,versions=v1,name=vgame-v1.kb.io,admissionReviewVersions=v1

/**
 * GameValidator validates Game objects when they are created, updated or deleted.
 * If a method throws, the request is rejected with the message of the error. The user sees returned strings as warnings.
 */
export class GameValidator implements Validator<Game> {
  async validateCreate(ctx: Context, obj: Game): Promise<string[]> {
    ctx.log.debug("Validating creation", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }

  async validateUpdate(ctx: Context, oldObj: Game, newObj: Game): Promise<string[]> {
    ctx.log.debug("Validating update", { name: newObj.metadata?.name, generation: oldObj.metadata?.generation });

    // Your code goes here.
    return [];
  }

  async validateDelete(ctx: Context, obj: Game): Promise<string[]> {
    ctx.log.debug("Validating deletion", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }
}
