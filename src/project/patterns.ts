/** A module of an npm package, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`. */
export const modulePath =
  /^(?!-)(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

/** The path of a resource's package, as Go's and npm's modules have it: no parts that lead out of a directory. */
export const recordedPath = /^(?!-)(?!.*(?:^|\/)\.*(?:\/|$))[\w@~.+:/-]{1,500}$/;

/** An npm package with or without a version. Commands would read one that begins with `-` as a flag. */
export const packageSpec = /^(?!-)(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(@[A-Za-z0-9^~<>=.*+-]+)?$/;

/** A path that the API server calls, of at most 200 characters. */
export const webhookPathText = /^(?=.{1,200}$)(\/[A-Za-z0-9_-]+)+$/;
