import { metricsServiceName } from "../../project/names.ts";
import { apiDirectory, apiImport, conversionFile, kindFile, relativeImport, webhookFile } from "../../project/paths.ts";
import { nameIsUnique } from "../../project/webhook-rules.ts";
import { type AdmissionType, type Webhooks, webhookMarker } from "../../project/webhooks.ts";
import { importBlock, printChain, type WantedImport } from "../code/print.ts";
import { kindImport } from "../parts/kind-import.ts";
import { type SampleTypes, sampleValue } from "../parts/sample.ts";
import { allWebhooks, type WebhookParts } from "./parts.ts";

const runtime = "@kubewright/runtime";

/** Returns the base names for the kind's webhook file and its test. */
export function webhookNames(parts: WebhookParts) {
  const { project, resource } = parts;
  const file = webhookFile(resource, project);
  const { defaulter, validator } = interfacesOf(parts);
  return {
    file,
    test: file.replace(/\.ts$/, ".test.ts"),
    setup: `setup${resource.typeName}WebhookWithManager`,
    defaulter: resource.typeName + defaulter,
    validator: resource.typeName + validator,
  };
}

/**
 * Returns the names of the interfaces that webhooks implement, with which the names of their classes end. Files that were
 * created with the names of kubebuilder before 4.16 keep them, because the user's code may import the classes.
 */
function interfacesOf({ resource: { typeName }, codeBefore = "" }: WebhookParts) {
  const names = { defaulter: "Defaulter", validator: "Validator" };
  const isEarlier = new RegExp(`\\bclass ${typeName}Custom(Defaulter|Validator)\\b`).test(codeBefore);
  // A kind with one of these names would hide the interface.
  if (!isEarlier && !Object.values(names).includes(typeName)) return names;
  return { defaulter: "CustomDefaulter", validator: "CustomValidator" };
}

/** Returns the calls that register the webhooks, each with its dot. */
export function builderCalls(parts: WebhookParts, webhooks: Webhooks): string[] {
  const { defaulter, validator } = webhookNames(parts);
  const path = (method: string, value: string | undefined) => (value === undefined ? [] : [`.${method}("${value}")`]);
  return [
    ...(webhooks.defaulting
      ? [`.withDefaulter(new ${defaulter}())`, ...path("withDefaulterCustomPath", webhooks.defaultingPath)]
      : []),
    ...(webhooks.validation
      ? [`.withValidator(new ${validator}())`, ...path("withValidatorCustomPath", webhooks.validationPath)]
      : []),
    ...(webhooks.conversion ? [".withConverter(converter)"] : []),
  ];
}

/** Returns the imports of the webhook file. */
export function webhookImports(parts: WebhookParts, webhooks: Webhooks): WantedImport[] {
  const { resource, project } = parts;
  const { defaulter, validator } = interfacesOf(parts);
  const types = [
    ...(webhooks.defaulting || webhooks.validation ? ["type Context"] : []),
    ...(webhooks.defaulting ? [`type ${defaulter}`] : []),
    ...(webhooks.validation ? [`type ${validator}`] : []),
  ];
  const converter = apiImport(conversionFile(resource, project));
  return [
    { module: runtime, names: types },
    ...(webhooks.conversion ? [{ module: converter, names: ["converter"] }] : []),
  ].filter(({ names }) => names.length > 0);
}

/** Returns the imports of the webhook tests. */
export function testImports(parts: WebhookParts, webhooks: Webhooks): WantedImport[] {
  const { file, test, defaulter, validator } = webhookNames(parts);
  const classes = [...(webhooks.defaulting ? [defaulter] : []), ...(webhooks.validation ? [validator] : [])];
  if (classes.length === 0) return [];
  return [
    { module: `${runtime}/testing`, names: ["testContext", "testLogger"] },
    { module: "vitest", names: ["beforeEach", "describe", "expect", "it"] },
    { module: relativeImport(test, file), names: classes },
  ];
}

/**
 * Returns the values for the templates of a kind's webhooks.
 *
 * @param types the parts of the kind's types that its sample depends on
 */
export function templateValues(parts: WebhookParts, types: SampleTypes) {
  const { project, resource, header } = parts;
  const all = allWebhooks(parts);
  const names = webhookNames(parts);
  const interfaces = interfacesOf(parts);
  const kind = kindImport(resource, project);
  const admission = all.defaulting || all.validation;
  // An empty sample lacks the fields that an existing definition requires.
  const servers = resource.origin === "own" && types.definition === undefined;
  const marker = (type: AdmissionType) => webhookMarker(type, resource, all, nameIsUnique(project, type, resource));
  return {
    ...resource,
    ...all,
    header,
    projectName: project.projectName,
    metricsService: metricsServiceName(project.projectName),
    admission,
    selfCertificates: project.webhookCerts === "self",
    certificateFiles: project.webhookCerts === "files",
    servers,
    kindFile: kindFile(resource.kind),
    webhookPath: names.file.split("/").slice(1, -1).join("/"),
    apiPath: apiDirectory(resource, project).slice("api/".length),
    objectType: kind.type,
    kindValue: kind.value,
    kindDeclaration: kind.declaration,
    setupName: names.setup,
    setupChain: chain(parts, kind.value),
    defaulterClass: names.defaulter,
    defaulterInterface: interfaces.defaulter,
    defaulterMarker: marker("defaulting"),
    validatorClass: names.validator,
    validatorInterface: interfaces.validator,
    validatorMarker: marker("validation"),
    imports: importBlock([
      { module: runtime, names: ["type Manager", "newWebhookManagedBy"] },
      ...webhookImports(parts, all),
      ...kind.imports,
    ]),
    testImports: importBlock([
      ...kindImport(resource, project).imports,
      ...testImports(parts, all),
      ...(servers ? serverImports(parts) : []),
    ]),
    sampleValue: sampleValue(resource, kind.value, types),
  };
}

function chain(parts: WebhookParts, value: string): string {
  const links = [`newWebhookManagedBy(mgr, ${value})`, ...builderCalls(parts, allWebhooks(parts)), ".complete()"];
  return printChain(links, { indent: "  ", before: "await ", after: ";" });
}

function serverImports(parts: WebhookParts): WantedImport[] {
  const { file, test, setup } = webhookNames(parts);
  return [
    { module: runtime, names: ["isForbidden", "isInvalid", "Manager"] },
    { module: `${runtime}/envtest`, names: ["TestEnvironment"] },
    { module: `${runtime}/testing`, names: ["eventually", "testLogger"] },
    { module: "vitest", names: ["afterAll", "beforeAll", "beforeEach", "describe", "expect", "it"] },
    { module: relativeImport(test, file), names: [setup] },
  ];
}
