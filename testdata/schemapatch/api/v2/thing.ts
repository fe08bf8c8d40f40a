// What conformance/generator-cases/api/v2 says in Go.
// +groupName=example.com

import type { KubernetesObject } from "@kubewright/runtime/api";

/** Thing of version 2. */
export interface Thing extends KubernetesObject {}

/** Unwanted is a kind without a manifest. */
export interface Unwanted extends KubernetesObject {}
