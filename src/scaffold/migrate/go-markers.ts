import { lineComment } from "../../text/typescript.ts";
import { allMarkers, packageMarkers } from "./go-comments.ts";

/** A marker of a Go file. It is identical in TypeScript. */
export interface GoMarker {
  readonly text: string;
  /** `cmd/main.go:12`. */
  readonly at: string;
}

/** The markers of a Go file for roles and webhooks. */
export interface GoMarkers {
  readonly path: string;
  readonly roles: readonly GoMarker[];
  readonly webhooks: readonly GoMarker[];
  /** Those that configure all webhooks. */
  readonly configurations: readonly GoMarker[];
  /** Those for roles and webhooks that controller-gen doesn't read in their places, for example in the documentation of a function. */
  readonly unread: readonly GoMarker[];
  /** Those for roles and webhooks in a package that controller-gen isn't called for. */
  readonly outside: readonly GoMarker[];
  /** Whether its roles are of a package that controller-gen isn't called for, because no other has any. */
  readonly isAdopted?: boolean;
}

const marker = (name: string): RegExp => new RegExp(`^([ \\t]*)//[ \\t]*(\\+kubebuilder:${name}:.*?)\\r?$`);
const [role, webhook] = [marker("rbac"), marker("webhook")];
const either = /^\+kubebuilder:(?:rbac|webhook):/;

/** Finds the markers of a Go file that controller-gen reads. */
export function goMarkers(path: string, text: string): GoMarkers {
  const found = packageMarkers(text);
  const of = (name: string): GoMarker[] =>
    found
      .filter((goMarker) => goMarker.text.startsWith(`+kubebuilder:${name}:`))
      .map((goMarker) => ({ text: goMarker.text, at: `${path}:${goMarker.line}` }));
  // An empty text is the core group, which this generator accepts only in quotes.
  const roles = of("rbac").map(({ text: marker, at }) => ({
    text: marker.replace(/(?<=[:,]groups=)(?=,|$)/, '""'),
    at,
  }));
  const read = new Set(found.map(({ line }) => line));
  const unread = allMarkers(text)
    .filter(({ text: goMarker, line }) => either.test(goMarker) && !read.has(line))
    .map((goMarker) => ({ text: goMarker.text, at: `${path}:${goMarker.line}` }));
  return { path, roles, webhooks: of("webhook"), configurations: of("webhookconfiguration"), unread, outside: [] };
}

/** Describes the markers of a file that controller-gen doesn't read; none if it reads all of them. */
export function unreadNotes({
  path,
  unread,
  outside,
  isAdopted = false,
}: Pick<GoMarkers, "path" | "unread" | "outside" | "isAdopted">): string[] {
  return [
    ...(isAdopted
      ? [
          `the role markers of ${path} are copied although controller-gen isn't called for its package, because it reads no others: compare config/rbac/role.yaml with the permissions of the Go operator`,
        ]
      : []),
    ...unreadNote(unread, "controller-gen reads no markers in this place"),
    ...unreadNote(outside, "controller-gen isn't called for this package"),
  ];
}

function unreadNote([first, ...more]: readonly GoMarker[], why: string): string[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? "" : `, and ${more.length} more in this file`;
  const toDo = "if the new operator needs them, copy them to the file of the controller or webhook";
  return [`${first.at}: not copied, because ${why}: ${first.text}${others}; ${toDo}`];
}

/**
 * Returns the controller that corresponds to a Go file, or undefined.
 *
 * @param controllers the paths of the existing controllers
 */
export function controllerOf(path: string, controllers: readonly string[]): string | undefined {
  const [, group, name] = /(?<![^/])(?:([^/]+)\/)?([^/]+)_controller\.go$/.exec(path) ?? [];
  const file = `${name?.replaceAll("_", "-")}-controller.ts`;
  const found = controllers.filter((controller) => controller.endsWith(`/${file}`));
  return found.length === 1 ? found[0] : found.find((each) => each.endsWith(`/${group}/${file}`));
}

/** Returns a file with its scaffolded markers for roles replaced by these. */
export function withRoles(text: string, markers: readonly string[]): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => role.test(line));
  if (first < 0) return withMarkersAtEnd(text, markers);
  const indent = role.exec(lines[first] ?? "")?.[1] ?? "";
  const own = markers.map((each) => `${indent}${lineComment(each)}`);
  const rest = lines.slice(first).filter((line) => !role.test(line));
  // Without markers, the empty line in front of them goes, too.
  const start = own.length === 0 && lines[first - 1]?.trim() === "" ? first - 1 : first;
  return [...lines.slice(0, start), ...own, ...rest].join("\n");
}

/** Appends markers to a file. Their position doesn't matter. */
export function withMarkersAtEnd(text: string, markers: readonly string[]): string {
  if (markers.length === 0) return text;
  return `${text.trimEnd()}\n\n${markers.map((each) => `${lineComment(each)}\n`).join("")}`;
}

/** Returns the path of a webhook from its marker. The path identifies the webhook. */
export function webhookPath(text: string): string {
  return /[:,]path="?([^,"]+)/.exec(text)?.[1] ?? "";
}

/**
 * Replaces the webhook markers in a file with those for the same paths. Markers for other paths are removed.
 *
 * @param markers by path; used markers are removed from it
 */
export function withWebhooks(text: string, markers: Map<string, readonly GoMarker[]>): string {
  const lines: string[] = [];
  let isRemoved = false;
  for (const line of text.split("\n")) {
    const [, indent = "", scaffolded] = webhook.exec(line) ?? [];
    if (scaffolded === undefined) {
      // Without markers, one of the empty lines around them goes, too.
      if (!(isRemoved && line === "" && lines.at(-1) === "")) lines.push(line);
      isRemoved = false;
      continue;
    }
    const path = webhookPath(scaffolded);
    const own = markers.get(path) ?? [];
    markers.delete(path);
    lines.push(...own.map((goMarker) => `${indent}${lineComment(goMarker.text)}`));
    isRemoved = true;
  }
  return lines.join("\n");
}
