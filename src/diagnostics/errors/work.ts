import type { Sentences } from "../definitions/entry.ts";

/** Problems with work outside of the project's files. */
export const workErrors = {
  "install-failed": [
    "The project was created, but its packages could not be installed: no network, an error of the registry, or a full disk.",
    "Fix the cause, and run `npm install` in the project.",
  ],
  "no-package-version": [
    "`--external-api-module` has no version, and npm couldn't find the newest one.",
    "Add a version, such as `@acme/types@1.2.3`.",
  ],
  "conversion-without-webhook": [
    "`config/default` deploys no webhooks, but a CRD requires a conversion webhook, so the API server can't serve its versions.",
    "Run `npx scaffold edit --enable webhook`, or `--disable webhook` to remove the conversion from the CRD.",
  ],
  "no-directory": ["The working directory was deleted.", "Change to an existing directory."],
  "program-missing": [
    "A program that the command runs isn't installed.",
    "Install it, or add its directory to `PATH`.",
  ],
  "program-failed": ["A program that the command runs failed. Its error is printed above.", "Fix the cause."],
  "package-missing": ["An npm package that the command needs isn't installed.", "Run `npm install` in the project."],
  "bundle-failed": ["The manager can't be bundled. The errors are printed above.", "Fix the code."],
  "rollout-failed": [
    "The manager was deployed, but it didn't become ready in time. The reasons are printed above.",
    "Fix the cause, and deploy again. `DEPLOY_TIMEOUT` sets how long the command waits.",
  ],
  "held-objects": [
    "Custom resources have finalizers. After `undeploy` nothing would remove them, so the objects could never be deleted.",
    "Delete the objects first, or use `--force` to remove the finalizers.",
  ],
  "no-chart": ["The project has no Helm chart.", "Run `npx scaffold edit --helm`."],
  "bad-chart-repo": [
    "`CHART_REPO` isn't set, or isn't the address of an OCI registry.",
    "Set it, such as `make helm-push CHART_REPO=oci://ghcr.io/acme/charts`.",
  ],
  "session-runs": [
    "A session of `scaffold dev` runs in this project already.",
    "Use it with `scaffold dev status` and the other subcommands, or end it with `q` or Ctrl-C.",
  ],
  "invalid-replay": [
    "The file of `scaffold dev --replay` can't be read, or isn't the output of `scaffold simulate --json`.",
    "Create it with `scaffold simulate --json > findings.json`.",
  ],
  "no-session": [
    "No session of `scaffold dev` runs in this project.",
    "Start one with `scaffold dev`, and keep it running in another terminal.",
  ],
  "session-data": [
    "The objects that the last session of `scaffold dev` has stored can't be read. Another program changed the file, or the disk is damaged.",
    "Remove them with `scaffold dev --reset`.",
  ],
  "webhook-port": [
    "Another program listens on the port that `--webhook-url` or `--webhook-port` sets for the webhooks of `scaffold dev`.",
    "Stop that program, or set another port.",
  ],
  "session-failed": [
    "The session of `scaffold dev` refused the request, or its answer was an error.",
    "Follow the message.",
  ],
  "no-cluster": [
    "`scaffold dev --cluster` found no cluster: the kubeconfig has no usable current context, or its server doesn't respond.",
    "Set `KUBECONFIG`, start the cluster, or run `scaffold dev` without `--cluster`.",
  ],
  "cluster-refused": [
    "The current context isn't a cluster on this machine, and you didn't agree to use it.",
    "Change the context, or use `--yes`.",
  ],
  "run-failed": ["The manager failed. Its error is printed above.", "Fix the cause."],
  "watch-failed": ["A run of `generate --watch` failed. The command continues to watch.", "Fix the reported problem."],
  "not-built": ["A checkout of kubewright was run before it was built.", "Run `npm run build` in it."],
  "runtime-missing": [
    "An unpublished kubewright packs its runtime into the project, but the runtime wasn't found next to it.",
    "Install both packages, or run from a built checkout.",
  ],
} as const satisfies Sentences;
