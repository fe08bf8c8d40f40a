import { createHash } from "node:crypto";
import { Builders, Factories, type Types } from "@cyclonedx/cyclonedx-library/Contrib/FromNodePackageJson";
import { Factories as LicenseFactories } from "@cyclonedx/cyclonedx-library/Contrib/License";
import { ComponentType, LifecyclePhase } from "@cyclonedx/cyclonedx-library/Enums";
import { Bom, type Component, Metadata } from "@cyclonedx/cyclonedx-library/Models";
import { JsonSerializer, JSON as Normalizers } from "@cyclonedx/cyclonedx-library/Serialize";
import { isSupportedSpdxId } from "@cyclonedx/cyclonedx-library/SPDX";
import { Spec1dot6 } from "@cyclonedx/cyclonedx-library/Spec";
import { PackageURL } from "packageurl-js";
import { type BundleContents, own, type PackageManifest } from "./bundled-packages.ts";

const licenses = new LicenseFactories.LicenseFactory(requireExpression);
const components = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licenses);
const serializer = new JsonSerializer(new Normalizers.Normalize.Factory(Spec1dot6));

/** The bundled project, and the program that writes its bill of materials. */
export interface Subject {
  /** The package.json of the bundled project. */
  readonly application: Partial<PackageManifest>;
  /** The package.json of the program that writes the document. */
  readonly tool: PackageManifest;
}

/**
 * Writes a bill of materials in CycloneDX 1.6 (JSON). Equal contents result in equal bytes: the document has no timestamp
 * unless `SOURCE_DATE_EPOCH` is set, and its serial number is a hash of its content.
 *
 * @param contents the packages in the bundle.
 * @param subject the bundled project, and the program that writes the document.
 * @param env environment variables; `SOURCE_DATE_EPOCH` is in seconds.
 * @returns the document, which ends with a line break.
 */
export function writeCycloneDx(contents: BundleContents, subject: Subject, env: NodeJS.ProcessEnv): string {
  const application = makeComponent({ name: "application", ...subject.application }, ComponentType.Application);
  const metadata = new Metadata({ component: application });
  metadata.lifecycles.add(LifecyclePhase.Build);
  metadata.tools.components.add(makeComponent(subject.tool, ComponentType.Application));
  const time = sourceDate(env);
  if (time !== undefined) metadata.timestamp = time;
  const bom = new Bom({ metadata });
  const byKey = new Map<string, Component>([[own, application]]);
  for (const [key, { manifest }] of contents.packages) {
    const component = makeComponent(manifest, ComponentType.Library);
    byKey.set(key, component);
    bom.components.add(component);
  }
  for (const [from, targets] of contents.imports) {
    for (const to of targets) byKey.get(from)?.dependencies.add(byKey.get(to)!.bomRef);
  }
  const options = { sortLists: true, space: 2 };
  bom.serialNumber = serialNumber(serializer.serialize(bom, options));
  return `${serializer.serialize(bom, options)}\n`;
}

function makeComponent(manifest: Partial<PackageManifest>, type: ComponentType): Component {
  const component = components.makeComponent(manifest as Types.NodePackageJson, type);
  if (component === undefined) throw new Error(`package.json: ${manifest.name} isn't a valid package name`);
  const { group, name, version } = component;
  // Private packages aren't in any registry.
  if (manifest.private === true || version === undefined) component.bomRef.value = manifest.name;
  else {
    component.purl = new PackageURL("npm", group, name, version, null, null).toString();
    component.bomRef.value = component.purl;
  }
  return component;
}

/**
 * Requires an SPDX license expression, such as `MIT OR (Apache-2.0 WITH LLVM-exception)`: with any other text, the document
 * isn't valid. The library has the license identifiers, but no parser.
 *
 * @throws RangeError for any other text.
 */
function requireExpression(text: string): void {
  const words = text.match(/[()]|[^\s()]+/g) ?? [];
  const operator = /^(AND|OR|WITH|[()])$/;
  const isLicense = (word: string) => isSupportedSpdxId(word.replace(/\+$/, "")) || /^LicenseRef-[\w.-]+$/.test(word);
  const symbols = words.map((word, index) => {
    if (operator.test(word)) return word;
    return words[index - 1] === "WITH" && /^[\w.-]+$/.test(word) ? "exception" : isLicense(word) ? "license" : "?";
  });
  let rest = symbols.join(" ").replaceAll("license WITH exception", "license");
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(/license (AND|OR) license/g, "license").replaceAll("( license )", "license");
  }
  if (rest !== "license") throw new RangeError(`not a license expression: ${text}`);
}

/** Returns the timestamp for reproducible builds: https://reproducible-builds.org/docs/source-date-epoch/ */
function sourceDate({ SOURCE_DATE_EPOCH: seconds }: NodeJS.ProcessEnv): Date | undefined {
  return seconds !== undefined && /^\d{1,11}$/.test(seconds) ? new Date(Number(seconds) * 1000) : undefined;
}

/** Returns a UUID (RFC 9562, version 8) from a hash of the text. */
function serialNumber(text: string): string {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const uuid = bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return `urn:uuid:${uuid}`;
}
