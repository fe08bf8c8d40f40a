// Replaces the addresses, names and hashes of a run in the text of its responses.
import { createHash } from "node:crypto";
import { sortKeys } from "./sort-keys.ts";

/** The names and addresses of a run. */
export interface Addresses {
  readonly id: string;
  readonly group: string;
  /** The URL of the server. */
  readonly url: string;
  /** The URL of the webhooks. */
  readonly hooksUrl: string;
  /** The CA bundle of the webhooks. */
  readonly ca: string;
}

const token = /eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+/g;
/** The resource version in the metadata of a list that is printed as YAML. It isn't that of an object. */
const listInYaml =
  /"(apiVersion: [^"\\]*\\n(?:[^"\\]|\\.)*?\\nkind: \w+List\\nmetadata:(?:\\n {2}\w+: (?:[^"\\]|\\"[^"\\]*\\")*?)*?\\n {2}resourceVersion: \\")\d+/g;

/** Returns the text of JSON with stable names. */
export function replaceAddresses(json: string, { id, group, url, hooksUrl, ca }: Addresses): string {
  const capitalized = `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  // In this order, because some of them contain others.
  const names: (readonly [text: string, name: string])[] = [
    ...storageHashes(group),
    [hooksUrl, "<hooks>"],
    [hooksUrl.replace("https://", ""), "<hooks-host>"],
    [ca, "<ca>"],
    [url.replace(/^https?:\/\//, ""), "<server>"],
    ["http://<server>", "https://<server>"],
    [id, "<id>"],
    [capitalized, "<Id>"],
  ];
  const withoutTokens = json.replace(token, (_token, payload: string) => inJson(`<jwt ${claims(payload)}>`));
  return names
    .reduce((text, [from, to]) => (from === "" ? text : text.replaceAll(inJson(from), to)), withoutTokens)
    .replace(/("serverAddress":")[^"]*:\d+"/g, '$1<server>"')
    .replace(listInYaml, '"$1<list-rv>');
}

/** Returns a text as it is written within a string of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the storageVersionHash of each kind with its name. It depends on the group, and each scenario has its own one. */
function storageHashes(group: string): [hash: string, name: string][] {
  const versions = ["v1", "v2", "v3", "v10", "v1alpha1", "v2beta1"];
  return versions.flatMap((version) =>
    ["Widget", "Gadget"].map((kind): [string, string] => {
      const hash = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
      return [hash.subarray(0, 8).toString("base64"), `<hash of ${version} ${kind}>`];
    }),
  );
}

interface Claims {
  exp?: unknown;
  iat?: unknown;
  nbf?: unknown;
  lifetime?: number;
  "kubernetes.io"?: { warnafter?: unknown };
}

/** Returns the claims of a token without its times. */
function claims(payload: string): string {
  let decoded: Claims;
  try {
    decoded = JSON.parse(Buffer.from(payload, "base64url").toString());
  } catch {
    return "unreadable";
  }
  const { exp, iat } = decoded;
  if (exp && iat) decoded.lifetime = Number(exp) - Number(iat);
  for (const key of ["exp", "iat", "nbf"] as const) if (key in decoded) decoded[key] = "<seconds>";
  const own = decoded["kubernetes.io"];
  if (own?.warnafter) own.warnafter = "<seconds>";
  return JSON.stringify(decoded, sortKeys);
}
