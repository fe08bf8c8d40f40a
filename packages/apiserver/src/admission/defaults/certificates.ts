import { equalJson, goQuote, isObject, type JsonObject } from "@kubewright/cel/json";
import { forbiddenValue } from "@kubewright/cel/validation";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { Authorizer } from "../../model/authorizer.ts";
import type { ApiObject } from "../../model/resource.ts";
import { invalid } from "../../model/status.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { specOf } from "./objects.ts";

const group = "certificates.k8s.io";
const clientSigner = "kubernetes.io/kube-apiserver-client";

function isRequest({ type, subresource }: AdmissionAttributes, wanted: string): boolean {
  return type.group === group && type.resource === "certificatesigningrequests" && subresource === wanted;
}

function signerOf(object: ApiObject): string {
  const { signerName } = specOf(object);
  return typeof signerName === "string" ? signerName : "";
}

/** Reports whether a user may act for a signer, or for all signers of its domain. */
function mayActFor(authorizer: Authorizer, { user }: AdmissionAttributes, verb: string, signer: string): boolean {
  const all = `${signer.split("/")[0] as string}/*`;
  const target = { group, version: "*", resource: "signers", subresource: "", namespace: "" };
  return [signer, all].some(
    (name) => authorizer.authorize({ user, verb, isResource: true, path: "", ...target, name }).allowed,
  );
}

/** Needs the verb `approve` for the signer of an approved request. */
export class CertificateApproval implements AdmissionPlugin {
  readonly name = "CertificateApproval";
  readonly operations: ReadonlySet<Operation> = new Set(["UPDATE"]);
  readonly #authorizer: Authorizer;

  /** @param authorizer - decides about the verb */
  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(attributes: AdmissionAttributes): void {
    if (attributes.oldObject === undefined || !isRequest(attributes, "approval")) return;
    const signer = signerOf(attributes.oldObject);
    if (mayActFor(this.#authorizer, attributes, "approve", signer)) return;
    throw refused(attributes, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
  }
}

/** Needs the verb `sign` for the signer of a request whose certificate or conditions change. */
export class CertificateSigning implements AdmissionPlugin {
  readonly name = "CertificateSigning";
  readonly operations: ReadonlySet<Operation> = new Set(["UPDATE"]);
  readonly #authorizer: Authorizer;

  /** @param authorizer - decides about the verb */
  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject } = attributes;
    if (object === undefined || oldObject === undefined || !isRequest(attributes, "status")) return;
    const [now, before] = [object, oldObject].map(
      (apiObject): JsonObject => (isObject(apiObject.status) ? apiObject.status : {}),
    );
    const same = (key: string): boolean => equalJson(now?.[key] ?? null, before?.[key] ?? null);
    if (same("certificate") && same("conditions")) return;
    const signer = signerOf(oldObject);
    if (mayActFor(this.#authorizer, attributes, "sign", signer)) return;
    throw refused(attributes, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
  }
}

/** Needs the verb `attest` for the signer that a ClusterTrustBundle names. */
export class ClusterTrustBundleAttest implements AdmissionPlugin {
  readonly name = "ClusterTrustBundleAttest";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE", "UPDATE"]);
  readonly #authorizer: Authorizer;

  /** @param authorizer - decides about the verb */
  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject, type } = attributes;
    if (object === undefined || type.group !== group || type.resource !== "clustertrustbundles") return;
    const signer = signerOf(object);
    if (signer === "" || (oldObject !== undefined && changesOnlyOwnership(object, oldObject))) return;
    if (mayActFor(this.#authorizer, attributes, "attest", signer)) return;
    throw refused(attributes, `user not permitted to attest for signerName ${goQuote(signer)}`);
  }
}

/** Reports whether an update changes only what the garbage collector changes. */
function changesOnlyOwnership(object: ApiObject, oldObject: ApiObject): boolean {
  const others = ({ metadata, ...rest }: ApiObject): JsonObject => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managed, ...kept } = metadata;
    return { ...rest, metadata: { ...kept, resourceVersion: "" } } as JsonObject;
  };
  return equalJson(others(object), others(oldObject));
}

/** Needs the verb `sign` for the signer of a PodCertificateRequest whose status changes. */
export class PodCertificateSigning implements AdmissionPlugin {
  readonly name = "PodCertificateSigning";
  readonly operations: ReadonlySet<Operation> = new Set(["UPDATE"]);
  readonly #authorizer: Authorizer;

  /** @param authorizer - decides about the verb */
  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject, type, subresource, user } = attributes;
    if (type.group !== group || type.resource !== "podcertificaterequests" || subresource !== "status") return;
    if (object === undefined || oldObject === undefined) return;
    if (equalJson(object.status ?? null, oldObject.status ?? null)) return;
    const signer = signerOf(oldObject);
    if (mayActFor(this.#authorizer, attributes, "sign", signer)) return;
    // The real server checks this with the rules of the kind.
    const detail = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`;
    throw invalid({ group, kind: type.kind }, object.metadata.name ?? "", [forbiddenValue("spec.signerName", detail)]);
  }
}

/** Refuses requests for client certificates of the group system:masters. */
export class CertificateSubjectRestriction implements AdmissionPlugin {
  readonly name = "CertificateSubjectRestriction";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);

  validate(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isRequest(attributes, "") || signerOf(object) !== clientSigner) return;
    const { request } = specOf(object);
    if (!organizations(typeof request === "string" ? request : "").includes("system:masters")) return;
    throw refused(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
  }
}

/** DER of the object identifier 2.5.4.10, which precedes each organization of a subject. */
const organizationId = Buffer.from([0x06, 0x03, 0x55, 0x04, 0x0a]);

/** Reads the organizations of a certificate request in PEM, in base64. Validation has checked its form. */
function organizations(request: string): string[] {
  const pem = Buffer.from(request, "base64").toString("latin1");
  const der = Buffer.from(pem.replace(/-----[^-]*-----|\s/g, ""), "base64");
  const names: string[] = [];
  for (let at = der.indexOf(organizationId); at >= 0; at = der.indexOf(organizationId, at + 1)) {
    const start = at + organizationId.length;
    // The value is a string of fewer than 128 bytes: a tag, a length, and the text.
    names.push(der.subarray(start + 2, start + 2 + (der[start + 1] ?? 0)).toString("utf8"));
  }
  return names;
}
