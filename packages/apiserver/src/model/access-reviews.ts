/** The resources that only report what their sender may do, by group and resource. Webhooks and policies never see them. */
export const accessReviews: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);
