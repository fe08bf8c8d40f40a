// The options of config/default that kubebuilder has too, and all valid combinations of them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOn, type Part, switchOff, switchOn } from "../../src/scaffold/kustomize/switch.ts";
import {
  certManagerParts,
  injectionParts,
  metricsCertsParts,
  networkPolicyParts,
  type Option,
  prometheusCertsParts,
  prometheusParts,
  shardingParts,
  webhookParts,
} from "../../src/scaffold/parts/config-options.ts";

const needs: Partial<Record<Option, Option>> = { "cert-manager": "webhook", "metrics-certs": "cert-manager" };
const all: readonly Option[] = ["webhook", "cert-manager", "metrics-certs", "prometheus", "network-policy"];

/**
 * All valid combinations: the dependencies of each option are on. Without cert-manager, webhooks have another source of
 * certificates.
 */
export const choices: readonly (readonly Option[])[] = Array.from({ length: 2 ** all.length }, (_, bits) =>
  all.filter((_option, index) => (bits & (1 << index)) !== 0),
).filter((set) => set.every((option) => needs[option] === undefined || set.includes(needs[option])));

/** Returns the name of a combination in the recorded results. */
export function nameOf(choice: readonly Option[]): string {
  return choice.length === 0 ? "none" : choice.join("+");
}

const kustomization = "config/default/kustomization.yaml";
const prometheus = "config/prometheus/kustomization.yaml";

/** Switches a project's options. CA injection stays configured for the same webhooks. */
export function choose(root: string, base: Base, choice: readonly Option[]): void {
  const has = (option: Option) => choice.includes(option);
  const set = (file: string, text: string, parts: readonly (readonly [Part[], boolean])[]) => {
    const result = parts.reduce(
      (now, [some, on]) =>
        on
          ? switchOn(now, file, some, () => {
              throw new Error(`${file} lacks an option`);
            })
          : switchOff(now, some),
      text,
    );
    writeFileSync(join(root, file), result);
  };
  set(kustomization, base.kustomization, [
    [[...webhookParts], has("webhook")],
    [[...certManagerParts, ...base.injection], has("cert-manager")],
    [[...metricsCertsParts], has("metrics-certs")],
    [[...prometheusParts], has("prometheus")],
    [[...networkPolicyParts], has("network-policy")],
    [[...shardingParts], has("sharding")],
  ]);
  set(prometheus, base.prometheus, [[[...prometheusCertsParts], has("metrics-certs")]]);
}

/** A project's kustomizations before any switch, with webhooks and cert-manager on. */
export interface Base {
  readonly kustomization: string;
  readonly prometheus: string;
  readonly injection: readonly Part[];
}

export function baseOf(root: string): Base {
  const text = readFileSync(join(root, kustomization), "utf8");
  return {
    kustomization: text,
    prometheus: readFileSync(join(root, prometheus), "utf8"),
    injection: Object.values(injectionParts)
      .filter((parts) => isOn(text, parts))
      .flat(),
  };
}
