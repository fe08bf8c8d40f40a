import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue, invalidValue, notSupported, required } from "@kubewright/cel/validation";
import { validateLabelSelector } from "../../../../validation/label-selector.ts";
import { internalForm } from "../../../codec/internal-form.ts";
import { isOfKubernetes, signerNameErrors } from "../../certificates/signer-names.ts";
import { trustBundleNameProblems } from "../../certificates/trust-bundle-names.ts";
import { userAnnotationErrors } from "../../certificates/user-annotations.ts";
import { fieldsOf, isSet, numberOf, objectsOf, textOf } from "../../fields/fields.ts";
import { localNameErrors } from "../paths.ts";
import { downwardItems, itemErrors, modeErrors } from "./volume-files.ts";
import { needs } from "./volume-sources.ts";

const keyTypes = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const hour = 60 * 60;

/** The path of a file in the volume. `shown` is the value that the message about a second file with this path has. */
interface FilePath {
  path: string;
  shown: string;
}

/** The rules of a kind of source. */
interface ProjectedSource {
  errors(source: JsonObject, path: string, volumePath: string): FieldError[];
  files(source: JsonObject): FilePath[];
}

/** The server shows the name of the object instead of the path. */
const filesOfObject = ({ items, name }: JsonObject): FilePath[] =>
  objectsOf(items).map((item) => ({ path: textOf(item.path), shown: textOf(name) }));

const ownFiles = (...paths: string[]): FilePath[] => paths.map((path) => ({ path, shown: path }));

const objectSource: ProjectedSource = {
  errors: (source, path) => [...needs("name")(source, path), ...itemErrors(source, path)],
  files: (source) => filesOfObject(source).filter(({ path }) => path !== ""),
};

/** The kinds of sources in the order in which the server reads them. */
const sources: Readonly<Record<string, ProjectedSource>> = {
  secret: objectSource,
  configMap: objectSource,
  downwardAPI: {
    errors: downwardItems,
    files: ({ items }) =>
      ownFiles(...objectsOf(items).map(({ path }) => textOf(path))).filter(({ path }) => path !== ""),
  },
  // The server doesn't compare the paths of tokens.
  serviceAccountToken: { errors: tokenErrors, files: () => [] },
  // The server compares empty paths of trust bundles, too.
  clusterTrustBundle: { errors: trustBundleErrors, files: ({ path }) => ownFiles(textOf(path)) },
  podCertificate: { errors: certificateErrors, files: (source) => ownFiles(...certificatePaths(source).values()) },
};

/** Checks a volume that combines files of several sources. */
export function projectedErrors(volume: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = modeErrors(volume.defaultMode, `${path}.defaultMode`);
  const paths = new Set<string>();
  for (const [index, source] of objectsOf(volume.sources).entries()) {
    const at = `${path}.sources[${index}]`;
    const given = Object.entries(sources).filter(([kind]) => isSet(source[kind]));
    for (const [kind, rules] of given) {
      const own = fieldsOf(source[kind]);
      errors.push(...rules.errors(own, `${at}.${kind}`, path));
      for (const file of rules.files(own)) {
        if (paths.has(file.path)) errors.push(invalidValue(path, file.shown, "conflicting duplicate paths"));
        paths.add(file.path);
      }
    }
    if (given.length > 1) errors.push(forbiddenValue(at, "may not specify more than 1 volume type per source"));
  }
  return errors;
}

/** Checks a token. The server uses the path of the volume for the path of the token. */
function tokenErrors(token: JsonObject, path: string, volumePath: string): FieldError[] {
  const seconds = numberOf(token.expirationSeconds);
  const errors: FieldError[] = [];
  if (seconds < 600) {
    errors.push(invalidValue(`${path}.expirationSeconds`, seconds, "may not specify a duration less than 10 minutes"));
  }
  if (seconds > 2 ** 32) {
    const detail = "may not specify a duration larger than 2^32 seconds";
    errors.push(invalidValue(`${path}.expirationSeconds`, seconds, detail));
  }
  if (textOf(token.path) === "") return [...errors, required(`${volumePath}.path`, "")];
  return [...errors, ...localNameErrors(textOf(token.path), `${volumePath}.path`)];
}

/** Checks the selection of trust bundles: one by its name, or those of a signer. */
function selectionErrors(source: JsonObject, path: string): FieldError[] {
  const { name, signerName, labelSelector } = source;
  if (isSet(name) && isSet(signerName)) {
    const shown = internalForm("core.ClusterTrustBundleProjection", source);
    return [invalidValue(path, shown, "only one of name and signerName may be used")];
  }
  if (isSet(name)) return namedBundleErrors(source, textOf(name), path);
  if (!isSet(signerName)) return [required(path, "either name or signerName must be specified")];
  return [
    ...(signerName === "" ? [required(`${path}.signerName`, "must be a valid signer name")] : []),
    ...signerNameErrors(textOf(signerName), `${path}.signerName`),
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
  ];
}

function namedBundleErrors({ labelSelector }: JsonObject, name: string, path: string): FieldError[] {
  // The name begins with that of the signer, if there is one.
  const signer = name.slice(0, Math.max(name.lastIndexOf(":"), 0)).replaceAll(":", "/");
  const problems = trustBundleNameProblems(name, false, signer);
  const detail = "labelSelector must be unset if name is specified";
  return [
    ...(name === "" ? [required(`${path}.name`, "must be a valid object name")] : []),
    ...problems.map((problem) => invalidValue(`${path}.name`, name, `not a valid clustertrustbundlename: ${problem}`)),
    ...(isSet(labelSelector) ? [invalidValue(`${path}.labelSelector`, labelSelector, detail)] : []),
  ];
}

function trustBundleErrors(source: JsonObject, path: string): FieldError[] {
  return [
    ...selectionErrors(source, path),
    ...needs("path")(source, path),
    ...localNameErrors(textOf(source.path), `${path}.path`),
  ];
}

/** Returns the paths of the files of a certificate, by field. */
function certificatePaths(source: JsonObject): Map<string, string> {
  const fields = ["credentialBundlePath", "keyPath", "certificateChainPath"];
  return new Map(fields.map((key) => [key, textOf(source[key])] as const).filter(([, path]) => path !== ""));
}

function certificateErrors(source: JsonObject, path: string): FieldError[] {
  const { userAnnotations, maxExpirationSeconds } = source;
  const [signer, keyType] = [textOf(source.signerName), textOf(source.keyType)];
  const paths = certificatePaths(source);
  const errors = [
    ...signerNameErrors(signer, `${path}.signerName`),
    ...userAnnotationErrors(userAnnotations, `${path}.userAnnotations`),
    ...(keyTypes.includes(keyType) ? [] : [notSupported(`${path}.keyType`, keyType, keyTypes)]),
  ];
  if (isSet(maxExpirationSeconds)) {
    const [seconds, most] = [numberOf(maxExpirationSeconds), isOfKubernetes(signer) ? 24 * hour : 91 * 24 * hour];
    const problem = seconds < hour ? `>= ${hour}` : seconds > most ? `<= ${most}` : undefined;
    const at = `${path}.maxExpirationSeconds`;
    if (problem !== undefined) {
      errors.push(invalidValue(at, seconds, `if provided, maxExpirationSeconds must be ${problem}`));
    }
  }
  for (const [key, to] of paths) errors.push(...localNameErrors(to, `${path}.${key}`));
  if (paths.size > 0) return errors;
  return [...errors, required(path, "specify at least one of credentialBundlePath, keyPath, and certificateChainPath")];
}
