import type { MarkerValue } from "../markers/index.ts";
import type {
  ApiDocsFormat,
  ApiDocsOptions,
  CrdOptions,
  GeneratorName,
  GeneratorOptions,
  HeaderOptions,
  JsonSchemaOptions,
  MonitoringOptions,
  RbacOptions,
  SchemaPatchOptions,
} from "./config.ts";

type Values = Readonly<Record<string, MarkerValue>>;
type Reader<Options> = (values: Values) => { readonly options: Options } | { readonly message: string };

/** Converts the arguments of each generator to its options. */
export const GENERATOR_READERS: { readonly [Name in GeneratorName]: Reader<NonNullable<GeneratorOptions[Name]>> } = {
  crd: readCrd,
  rbac: (values) => ({ options: readRbac(values) }),
  webhook: (values) => ({ options: readHeader(values) }),
  schemapatch: (values) => ({ options: readSchemaPatch(values) }),
  jsonschema: (values) => ({ options: readJsonSchema(values) }),
  apidocs: readApiDocs,
  monitoring: (values) => ({ options: readMonitoring(values) }),
  policy: () => ({ options: {} }),
  object: () => ({ options: {} }),
  applyconfiguration: () => ({ options: {} }),
};

/** Returns whether a generator with this name exists. */
export function isGenerator(name: string): name is GeneratorName {
  return Object.hasOwn(GENERATOR_READERS, name);
}

/** Reads the arguments of one generator. */
export function readGenerator(
  name: GeneratorName,
  value: MarkerValue,
): { readonly options: object } | { readonly message: string } {
  return GENERATOR_READERS[name](value as Values);
}

function readCrd(values: Values): ReturnType<Reader<CrdOptions>> {
  const unsupported = ((values.crdVersions ?? []) as readonly string[]).find((version) => version !== "v1");
  if (unsupported !== undefined) {
    return { message: `apiVersion ${JSON.stringify(`apiextensions.k8s.io/${unsupported}`)} is not supported` };
  }
  const preserve = values.deprecatedV1beta1CompatibilityPreserveUnknownFields;
  return {
    options: {
      ...readHeader(values),
      ignoreUnexportedFields: values.ignoreUnexportedFields === true,
      allowDangerousTypes: values.allowDangerousTypes === true,
      ...readMaxDescLen(values),
      generateEmbeddedObjectMeta: values.generateEmbeddedObjectMeta === true,
      ...(typeof preserve === "boolean" ? { preserveUnknownFields: preserve } : {}),
      omitToolVersion: values.omitToolVersion === true,
    },
  };
}

function readRbac(values: Values): RbacOptions {
  const fileName = values.fileName as string;
  return {
    ...readHeader(values),
    roleName: values.roleName as string,
    fileName: fileName === "" ? "role.yaml" : fileName,
    ...(values.verify === true ? { verify: true } : {}),
  };
}

function readSchemaPatch(values: Values): SchemaPatchOptions {
  return {
    manifests: values.manifests as string,
    ...readMaxDescLen(values),
    generateEmbeddedObjectMeta: values.generateEmbeddedObjectMeta === true,
  };
}

function readJsonSchema(values: Values): JsonSchemaOptions {
  return { strict: values.strict !== false, descriptions: values.descriptions !== false };
}

function readApiDocs({ format, config, mode, title }: Values): ReturnType<Reader<ApiDocsOptions>> {
  const formats = (format ?? []) as readonly string[];
  const wrong = formats.find((each) => each !== "markdown" && each !== "html");
  if (wrong !== undefined)
    return { message: `apidocs:format must be markdown, html or markdown;html, not ${shown(wrong)}` };
  const pages = (mode as string | undefined) || "single";
  if (pages !== "single" && pages !== "group")
    return { message: `apidocs:mode must be single or group, not ${shown(pages)}` };
  return {
    options: {
      formats: formats.length === 0 ? ["markdown"] : ([...new Set(formats)] as ApiDocsFormat[]),
      config: (config as string | undefined) ?? "",
      mode: pages,
      title: (title as string | undefined) || "API Reference",
    },
  };
}

function shown(value: string): string {
  return JSON.stringify(value);
}

function readMonitoring({ runbookURL = "", runbooks = "" }: Values): MonitoringOptions {
  return { runbookURL: runbookURL as string, runbooks: (runbooks as string) || "docs/runbooks" };
}

function readHeader(values: Values): HeaderOptions {
  const headerFile = values.headerFile as string;
  return { ...(headerFile === "" ? {} : { headerFile }), year: values.year as string };
}

function readMaxDescLen(values: Values): { maxDescLen?: number } {
  return values.maxDescLen === null ? {} : { maxDescLen: Number(values.maxDescLen) };
}
