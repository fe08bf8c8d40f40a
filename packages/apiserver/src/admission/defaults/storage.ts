import { isObject } from "@kubewright/cel/json";
import type { AdmissionAttributes } from "../../model/admission.ts";
import { refused } from "../../model/admission-request.ts";
import type { ApiObject } from "../../model/resource.ts";
import { ParsedCollection } from "../../storage/parsed-collection.ts";
import type { Store } from "../../storage/store.ts";
import { compareAmounts } from "../../validation/amounts.ts";
import type { AdmissionPlugin, Operation } from "../plugin/plugin.ts";
import { isResource, specOf } from "./objects.ts";

/** A class that may be the default of its kind. */
interface DefaultClass {
  name: string;
  isDefault: boolean;
  created: string;
}

function defaultClasses(
  store: Store,
  collection: string,
  annotations: readonly string[],
): ParsedCollection<DefaultClass> {
  return new ParsedCollection(store.collection(collection), (object, name) => {
    const { metadata } = object as ApiObject;
    const isDefault = annotations.some((key) => metadata.annotations?.[key] === "true");
    return { name, isDefault, created: metadata.creationTimestamp ?? "" };
  });
}

/** Returns the newest default class. */
function newestDefault(classes: ParsedCollection<DefaultClass>): string | undefined {
  if (classes.size === 0) return undefined;
  const defaults = classes.list().filter(({ isDefault }) => isDefault);
  return defaults.sort((a, b) => (a.created > b.created ? -1 : a.created < b.created ? 1 : a.name < b.name ? -1 : 1))[0]
    ?.name;
}

const betaClass = "volume.beta.kubernetes.io/storage-class";

/** Sets the StorageClass of PersistentVolumeClaims without one. */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly name = "DefaultStorageClass";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);
  readonly #classes: ParsedCollection<DefaultClass>;

  /** @param store - where the StorageClasses are */
  constructor(store: Store) {
    this.#classes = defaultClasses(store, "storageclasses.storage.k8s.io", [
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    ]);
  }

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "", "persistentvolumeclaims")) return;
    const spec = specOf(object);
    if (object.metadata.annotations?.[betaClass] !== undefined || spec.storageClassName !== undefined) return;
    const storageClass = newestDefault(this.#classes);
    if (storageClass !== undefined) spec.storageClassName = storageClass;
  }
}

/** Sets the IngressClass of Ingresses without one. */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = "DefaultIngressClass";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);
  readonly #classes: ParsedCollection<DefaultClass>;

  /** @param store - where the IngressClasses are */
  constructor(store: Store) {
    const annotation = "ingressclass.kubernetes.io/is-default-class";
    this.#classes = defaultClasses(store, "ingressclasses.networking.k8s.io", [annotation]);
  }

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (object === undefined || !isResource(attributes, "networking.k8s.io", "ingresses")) return;
    const spec = specOf(object);
    if (spec.ingressClassName !== undefined) return;
    if (object.metadata.annotations?.["kubernetes.io/ingress.class"] !== undefined) return;
    const storageClass = newestDefault(this.#classes);
    if (storageClass !== undefined) spec.ingressClassName = storageClass;
  }
}

/** The resources whose objects a finalizer protects while they are used. */
const protectedResources: readonly [group: string, resource: string, finalizer: string][] = [
  ["", "persistentvolumes", "kubernetes.io/pv-protection"],
  ["", "persistentvolumeclaims", "kubernetes.io/pvc-protection"],
  ["storage.k8s.io", "volumeattributesclasses", "kubernetes.io/vac-protection"],
];

/** Protects storage that is used from deletion, by finalizers. */
export class StorageObjectInUseProtection implements AdmissionPlugin {
  readonly name = "StorageObjectInUseProtection";
  readonly operations: ReadonlySet<Operation> = new Set(["CREATE"]);

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    const entry = protectedResources.find(([group, resource]) => isResource(attributes, group, resource));
    if (object === undefined || entry === undefined) return;
    const present = object.metadata.finalizers ?? [];
    if (!present.includes(entry[2])) object.metadata.finalizers = [...present, entry[2]];
  }
}

/** Lets claims grow only if their StorageClass allows it. */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = "PersistentVolumeClaimResize";
  readonly operations: ReadonlySet<Operation> = new Set(["UPDATE"]);
  readonly #classes: ParsedCollection<{ expands: boolean }>;

  /** @param store - where the StorageClasses are */
  constructor(store: Store) {
    this.#classes = new ParsedCollection(store.collection("storageclasses.storage.k8s.io"), (object) => ({
      expands: object.allowVolumeExpansion === true,
    }));
  }

  validate(attributes: AdmissionAttributes): void {
    const { object, oldObject } = attributes;
    if (object === undefined || oldObject === undefined || !isResource(attributes, "", "persistentvolumeclaims"))
      return;
    if (compareAmounts(requestedStorage(object), requestedStorage(oldObject)) <= 0) return;
    const phase = isObject(oldObject.status) ? oldObject.status.phase : undefined;
    if (phase !== "Bound") throw refused(attributes, "Only bound persistent volume claims can be expanded");
    const name = className(object);
    if (name !== "" && name === className(oldObject) && this.#classes.get(name)?.expands === true) return;
    const problem =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw refused(attributes, problem);
  }
}

function requestedStorage(claim: ApiObject): string {
  const { resources } = specOf(claim);
  const requests = isObject(resources) && isObject(resources.requests) ? resources.requests : {};
  return requests.storage === undefined ? "0" : String(requests.storage);
}

function className(claim: ApiObject): string {
  const annotated = claim.metadata.annotations?.[betaClass];
  if (annotated !== undefined) return annotated;
  const name = specOf(claim).storageClassName;
  return typeof name === "string" ? name : "";
}
