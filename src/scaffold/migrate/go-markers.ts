import { lineComment } from "../../text/typescript.ts";

/** The markers of a Go file that decide about roles and webhooks. */
export interface GoMarkers {
  readonly path: string;
  /** Those on nothing: of roles, and of webhook configurations as a whole. */
  readonly loose: readonly string[];
  readonly webhooks: readonly string[];
}

const comment = (name: string): RegExp => new RegExp(`^([ \\t]*)//[ \\t]*(\\+kubebuilder:${name}:.*?)\\r?$`);
const [loose, webhook] = [comment("(?:rbac|webhookconfiguration)"), comment("webhook")];

/** Reads the markers of a Go file. They are the same in TypeScript, letter by letter. */
export function goMarkers(path: string, text: string): GoMarkers {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const of = (marker: RegExp) => lines.flatMap((line) => marker.exec(line)?.[2] ?? []);
  return { path, loose: of(loose), webhooks: of(webhook) };
}

/**
 * The controller here that a Go file's controller becomes, or undefined where there is none.
 *
 * @param controllers the paths of those that there are
 */
export function controllerOf(path: string, controllers: readonly string[]): string | undefined {
  const [, group, name] = /(?:([^/]+)\/)?([^/]+)_controller\.go$/.exec(path) ?? [];
  const file = `${name?.replaceAll("_", "-")}-controller.ts`;
  const found = controllers.filter((each) => each.endsWith(`/${file}`));
  return found.length === 1 ? found[0] : found.find((each) => each.endsWith(`/${group}/${file}`));
}

/** A controller with these loose markers in the place of those that it was scaffolded with. */
export function withLoose(text: string, markers: readonly string[]): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => loose.test(line));
  if (first < 0) return markers.length === 0 ? text : withMarkersAtEnd(text, markers);
  const indent = loose.exec(lines[first] ?? "")?.[1] ?? "";
  const others = (line: string) => !loose.test(line);
  const own = markers.map((marker) => `${indent}${lineComment(marker)}`);
  return [...lines.slice(0, first), ...own, ...lines.slice(first).filter(others)].join("\n");
}

/** A file with loose markers at its end: they count wherever they stand. */
export function withMarkersAtEnd(text: string, markers: readonly string[]): string {
  return `${text.trimEnd()}\n\n${markers.map((marker) => `${lineComment(marker)}\n`).join("")}`;
}

/** The path at which a webhook is served, as its marker says it: a webhook is told from others by it. */
export function webhookPath(marker: string): string {
  return /[:,]path="?([^,"]+)/.exec(marker)?.[1] ?? "";
}

/**
 * A file with each webhook marker replaced by the one for the same path.
 *
 * @param markers by path; one that found its place is taken off
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
