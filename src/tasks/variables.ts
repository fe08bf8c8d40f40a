import { testClusterName } from "../project/names.ts";
import type { Project } from "../project/project-file.ts";

/** The variables of the tasks, with kubebuilder's names, and their meanings. They are environment variables. */
export const variableHelp = Object.freeze({
  IMG: "image of the manager (default: controller:latest)",
  KUBECTL: "kubectl program (default: kubectl)",
  KUSTOMIZE: "kustomize program (default: kubectl kustomize)",
  CONTAINER_TOOL: "container tool, such as podman (default: docker)",
  PLATFORMS: "platforms of docker-buildx (default: linux/arm64,linux/amd64,linux/s390x,linux/ppc64le)",
  BASE_IMAGE: "image in which the manager is built",
  IMAGE_VERSION: "version label of the image (default: the tag of IMG)",
  IMAGE_REVISION: "revision label of the image (default: the Git commit)",
  IMAGE_SOURCE: "source label of the image (default: repository in package.json)",
  IMAGE_LICENSES: "licenses label of the image (default: license in package.json)",
  DEPLOY_TIMEOUT: "maximum duration of a rollout (default: 3m)",
  FORCE: "true removes finalizers that only the manager could remove",
  IGNORE_NOT_FOUND: "true ignores missing objects; also ignore-not-found",
  KIND: "kind program (default: kind)",
  KIND_CLUSTER: "kind cluster of the e2e tests (default: <project>-test-e2e)",
  HELM: "Helm program (default: helm)",
  HELM_RELEASE: "Helm release (default: the project name)",
  HELM_NAMESPACE: "namespace of the release (default: <project>-system)",
  HELM_EXTRA_ARGS: "more flags for helm upgrade",
});

export type VariableName = keyof typeof variableHelp;

/** The values of the variables. A variable that has no default and isn't set is empty. */
export type Variables = Readonly<Record<VariableName, string>>;

/** Reads the variables from the environment. An empty variable has its default value, as in make. */
export function readVariables(env: Readonly<Record<string, string | undefined>>, project: Project): Variables {
  const { projectName } = project;
  const defaults: Partial<Record<VariableName, string>> = {
    IMG: "controller:latest",
    KUBECTL: "kubectl",
    CONTAINER_TOOL: "docker",
    PLATFORMS: "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le",
    DEPLOY_TIMEOUT: "3m",
    KIND: "kind",
    KIND_CLUSTER: testClusterName(projectName),
    HELM: "helm",
    HELM_RELEASE: projectName,
    HELM_NAMESPACE: `${projectName}-system`,
  };
  const names = Object.keys(variableHelp) as VariableName[];
  return Object.fromEntries(names.map((name) => [name, env[name] || (defaults[name] ?? "")])) as Variables;
}
