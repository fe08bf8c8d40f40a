import type { BundledPackage } from "./bundled-packages.ts";

const separator = `\n${"-".repeat(80)}\n\n`;

/** Joins the license and notice texts of packages into one text. */
export function joinLicenseTexts(packages: ReadonlyMap<string, BundledPackage>): string {
  const sections = [...packages.values()].map(({ manifest, texts }) => {
    const { name, version } = manifest;
    const title = `${name} ${version} (${licenseOf(manifest)})`;
    const body = texts.size === 0 ? "This package contains no license text." : [...texts.values()].join("\n\n");
    return `${title}\n\n${body}\n`;
  });
  if (sections.length === 0) return "The bundle contains no code of other packages.\n";
  return `The bundle contains code of the following packages.\n\n${sections.join(separator)}`;
}

/** Returns the packages without a license text, as `<name> <version> (<license>)`. A notice isn't a license text. */
export function withoutLicenseText(packages: ReadonlyMap<string, BundledPackage>): string[] {
  return [...packages.values()]
    .filter(({ texts }) => ![...texts.keys()].some((name) => /licen[cs]e|copying/i.test(name)))
    .map(({ manifest }) => `${manifest.name} ${manifest.version} (${licenseOf(manifest)})`);
}

/** Returns the license from package.json, in its current form or in that of old packages. */
function licenseOf({ license, licenses }: BundledPackage["manifest"]): string {
  const stated = [license, ...(Array.isArray(licenses) ? licenses : [])]
    .map((each) => (typeof each === "string" ? each : (each as { type?: unknown } | undefined)?.type))
    .filter((each) => typeof each === "string");
  return stated.length === 0 ? "no license stated" : stated.join(", ");
}
