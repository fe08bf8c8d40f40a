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

import {
  type Context,
  type CustomDefaulter,
  type CustomValidator,
  type Manager,
  newWebhookManagedBy,
} from "@kubewright/runtime";
import { converter } from "../../../api/v1/game-conversion.ts";
import { Game } from "../../../api/v1/index.ts";

/** Registers the webhooks of Game with the manager, which serves them. */
export async function setupGameWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Game)
    .withDefaulter(new GameCustomDefaulter())
    .withValidator(new GameCustomValidator())
    .withConverter(converter)
    .complete();
}

// +kubebuilder:webhook:path=/mutate-crew-example-com-v1-game,mutating=true,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=games,verbs=create;update,versions=v1,name=mgame-v1.kb.io,admissionReviewVersions=v1

/** GameCustomDefaulter fills in what users leave out of a Game. */
export class GameCustomDefaulter implements CustomDefaulter<Game> {
  /** Changes the object that it is given, before it is validated and stored. An error that is thrown refuses it. */
  async default(ctx: Context, obj: Game): Promise<void> {
    ctx.log.debug("Defaulting", { name: obj.metadata?.name });

    // Your code goes here.
  }
}

// For a say in deletions too: verbs=create;update;delete
// +kubebuilder:webhook:path=/validate-crew-example-com-v1-game,mutating=false,failurePolicy=fail,sideEffects=None,groups=crew.example.com,resources=games,verbs=create;update,versions=v1,name=vgame-v1.kb.io,admissionReviewVersions=v1

/**
 * GameCustomValidator decides which games are stored. An error that is thrown refuses the request
 * with its message; the texts that are returned reach the user as warnings.
 */
export class GameCustomValidator implements CustomValidator<Game> {
  async validateCreate(ctx: Context, obj: Game): Promise<string[]> {
    ctx.log.debug("Validating a new object", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }

  async validateUpdate(ctx: Context, oldObj: Game, newObj: Game): Promise<string[]> {
    ctx.log.debug("Validating a change", { name: newObj.metadata?.name, generation: oldObj.metadata?.generation });

    // Your code goes here.
    return [];
  }

  async validateDelete(ctx: Context, obj: Game): Promise<string[]> {
    ctx.log.debug("Validating a deletion", { name: obj.metadata?.name });

    // Your code goes here.
    return [];
  }
}
