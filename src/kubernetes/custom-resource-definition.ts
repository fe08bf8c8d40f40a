import type { JSONSchema } from "./json-schema.ts";

export interface CustomResourceDefinition {
  apiVersion: "apiextensions.k8s.io/v1";
  kind: "CustomResourceDefinition";
  metadata: { name: string; annotations?: Record<string, string>; labels?: Record<string, string> };
  spec: CrdSpec;
}

export interface CrdSpec {
  group: string;
  names: {
    kind: string;
    listKind: string;
    plural: string;
    singular: string;
    shortNames?: readonly string[];
    categories?: readonly string[];
  };
  scope: string;
  versions: CrdVersion[];
  preserveUnknownFields?: boolean;
  /** Only in existing CRDs. */
  conversion?: { strategy?: string };
}

export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema: { openAPIV3Schema: JSONSchema };
  subresources?: {
    status?: Record<string, never>;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  description?: string;
  format?: string;
  priority?: number | bigint;
}
