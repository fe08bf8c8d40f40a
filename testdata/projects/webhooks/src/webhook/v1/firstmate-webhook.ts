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

import { type Manager, newWebhookManagedBy } from "@kubewright/runtime";
import { converter } from "#api/v1/firstmate-conversion.ts";
import { FirstMate } from "#api/v1/index.ts";

/** Registers the webhooks for FirstMate with the manager. */
export async function setupFirstMateWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, FirstMate).withConverter(converter).complete();
}
