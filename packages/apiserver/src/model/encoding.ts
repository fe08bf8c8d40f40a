/** The encodings of objects. */
export type Encoding = "json" | "yaml" | "protobuf" | "cbor";

/** The media types of the encodings. */
export const mediaTypes: Record<Encoding, string> = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: "application/vnd.kubernetes.protobuf",
  cbor: "application/cbor",
};
