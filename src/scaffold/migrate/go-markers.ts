import { lineComment } from "../../text/typescript.ts";

/** The markers of a Go file for roles and webhooks. */
export interface GoMarkers {
  readonly path: string;
  /** Markers outside of declarations: those of roles, and those that configure all webhooks. */
  readonly loose: readonly string[];
  readonly webhooks: readonly string[];
}

const comment = (name: string): RegExp => new RegExp(`^([ \\t]*)//[ \\t]*(\\+kubebuilder:${name}:.*?)\\r?$`);
const [loose, webhook] = [comment("(?:rbac|webhookconfiguration)"), comment("webhook")];

/** Finds the markers of a Go file. They are identical in TypeScript. */
export function goMarkers(path: string, text: string): GoMarkers {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const of = (marker: RegExp) => lines.flatMap((line) => marker.exec(line)?.[2] ?? []);
  return { path, loose: of(loose), webhooks: of(webhook) };
}

/**
 * Returns the controller that corresponds to a Go file, or undefined.
 *
 * @param controllers the paths of the existing controllers
 */
export function controllerOf(path: string, controllers: readonly string[]): string | undefined {
  const [, group, name] = /(?<![^/])(?:([^/]+)\/)?([^/]+)_controller\.go$/.exec(path) ?? [];
  const file = `${name?.replaceAll("_", "-")}-controller.ts`;
  const found = controllers.filter((each) => each.endsWith(`/${file}`));
  return found.length === 1 ? found[0] : found.find((each) => each.endsWith(`/${group}/${file}`));
}

/** Returns a controller with its scaffolded markers replaced by these. */
export function withLoose(text: string, markers: readonly string[]): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => loose.test(line));
  if (first < 0) return markers.length === 0 ? text : withMarkersAtEnd(text, markers);
  const indent = loose.exec(lines[first] ?? "")?.[1] ?? "";
  const others = (line: string) => !loose.test(line);
  const own = markers.map((marker) => `${indent}${lineComment(marker)}`);
  return [...lines.slice(0, first), ...own, ...lines.slice(first).filter(others)].join("\n");
}

/** Appends markers to a file. Their position doesn't matter. */
export function withMarkersAtEnd(text: string, markers: readonly string[]): string {
  return `${text.trimEnd()}\n\n${markers.map((marker) => `${lineComment(marker)}\n`).join("")}`;
}

/** Returns the path of a webhook from its marker. The path identifies the webhook. */
export function webhookPath(marker: string): string {
  return /[:,]path="?([^,"]+)/.exec(marker)?.[1] ?? "";
}

/**
 * Replaces each webhook marker in a file with the one for the same path.
 *
 * @param markers by path; used markers are removed from it
 */
export function withWebhooks(text: string, markers: Map<string, string>): string {
  return text
    .split("\n")
    .map((line) => {
      const [, indent = "", scaffolded = ""] = webhook.exec(line) ?? [];
      const path = webhookPath(scaffolded);
      const marker = markers.get(path);
      if (marker === undefined) return line;
      markers.delete(path);
      return `${indent}${lineComment(marker)}`;
    })
    .join("\n");
}
