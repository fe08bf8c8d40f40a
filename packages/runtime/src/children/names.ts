// The names of labels, annotations and indexes that sets of children use.

/** Annotation of a child: the name of its entry. */
export const childAnnotation = "apply.kubewright.io/child";
/** Annotation of a child: the hash of its wanted fields. */
export const hashAnnotation = "apply.kubewright.io/hash";
/** Annotation of a child without an owner reference: `namespace/name` of its owner. Also the name of the index of children by owner. */
export const ownerAnnotation = "apply.kubewright.io/owner";
/** Label of a child without an owner reference: the id of its set (KEP-3659). */
export const partOfLabel = "applyset.kubernetes.io/part-of";
/** Label of an owner: the id of its set (KEP-3659). */
export const idLabel = "applyset.kubernetes.io/id";
/** Annotation of an owner: the tool that manages the set (KEP-3659). */
export const toolingAnnotation = "applyset.kubernetes.io/tooling";
/** Annotation of an owner: the kinds of its set, such as `Deployment.apps` (KEP-3659). */
export const kindsAnnotation = "applyset.kubernetes.io/contains-group-kinds";
/** Annotation of an owner: the namespaces of its set besides its own (KEP-3659). */
export const namespacesAnnotation = "applyset.kubernetes.io/additional-namespaces";
/** The value of {@link toolingAnnotation}. */
export const tooling = "kubewright/v1";
