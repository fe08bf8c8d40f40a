import { goQuote, type JsonObject } from "@kubewright/cel/json";
import { fieldsOf, isSet, objectsOf, textOf } from "../../fields/fields.ts";

/** A file in a volume, and the source that it comes from. */
interface VolumeFile {
  path: string;
  source: string;
}

function shown({ path, source }: VolumeFile): string {
  return source === "" ? goQuote(path) : `${goQuote(path)} (${source})`;
}

function overlaps(file: VolumeFile, other: VolumeFile): boolean {
  if (file.path === "" || other.path === "") return false;
  const [own, theirs] = [`${file.path}/`, `${other.path}/`];
  return own.startsWith(theirs) || theirs.startsWith(own);
}

/** The number of files that are compared with each other: the warnings about more of them aren't sent. */
const mostCompared = 500;

function overlapsOf(files: readonly VolumeFile[]): string[] {
  const before: VolumeFile[] = [];
  return files.slice(0, mostCompared).flatMap(({ path, source }) => {
    const file = { path: path.replace(/(?<!\/)\/+$/, ""), source };
    const pairs = before.filter((other) => overlaps(file, other)).map((other) => `${shown(file)} with ${shown(other)}`);
    before.push(file);
    return pairs;
  });
}

function itemsOf(holder: JsonObject, source = ""): VolumeFile[] {
  return objectsOf(holder.items).map(({ path }) => ({ path: textOf(path), source }));
}

/** The files of one source of a projected volume. The server reads only the first source that it finds. */
function projectedFiles(source: JsonObject): VolumeFile[] {
  const of = (key: string): JsonObject => fieldsOf(source[key]);
  if (Array.isArray(of("configMap").items))
    return itemsOf(of("configMap"), `ConfigMap ${quoted(of("configMap").name)}`);
  if (Array.isArray(of("secret").items)) return itemsOf(of("secret"), `Secret ${quoted(of("secret").name)}`);
  if (Array.isArray(of("downwardAPI").items)) return itemsOf(of("downwardAPI"), "DownwardAPI");
  if (isSet(source.serviceAccountToken)) {
    return [{ path: textOf(of("serviceAccountToken").path), source: "ServiceAccountToken" }];
  }
  if (isSet(source.clusterTrustBundle)) {
    const { name, signerName, path } = of("clusterTrustBundle");
    return [{ path: textOf(path), source: `ClusterTrustBundle ${quoted(isSet(name) ? name : signerName)}` }];
  }
  const certificate = of("podCertificate");
  const files: VolumeFile[] = [
    { path: textOf(certificate.certificateChainPath), source: "PodCertificate chain" },
    { path: textOf(certificate.keyPath), source: "PodCertificate key" },
    { path: textOf(certificate.credentialBundlePath), source: "PodCertificate credential bundle" },
  ];
  return files.filter(({ path }) => path !== "");
}

function quoted(value: JsonObject[string] | undefined): string {
  return goQuote(textOf(value));
}

/**
 * Finds the files that hide each other in a volume, because one path is the same as another or a part of it.
 *
 * @param volumes - the volumes of a Pod
 * @returns the warnings
 */
export function virtualPathWarnings(volumes: readonly JsonObject[]): string[] {
  return volumes.flatMap((volume) => {
    const name = quoted(volume.name);
    const warn = (source: string, files: readonly VolumeFile[]): string[] =>
      overlapsOf(files).map((overlap) => `volume ${name} (${source}): overlapping paths: ${overlap}`);
    const [map, secret] = [fieldsOf(volume.configMap), fieldsOf(volume.secret)];
    const sources = objectsOf(fieldsOf(volume.projected).sources);
    return [
      ...warn(`ConfigMap ${quoted(map.name)}`, itemsOf(map)),
      ...warn(`Secret ${quoted(secret.secretName)}`, itemsOf(secret)),
      ...warn("DownwardAPI", itemsOf(fieldsOf(volume.downwardAPI))),
      ...sources
        .filter((source) => !Object.values(source).some(isSet))
        .map(() => `volume ${name} (Projected) has no sources provided`),
      ...warn("Projected", sources.flatMap(projectedFiles)),
    ];
  });
}
