// Flags of `init` combined with additions to the project. Each combination has unique names.

/** A project, and the calls that create it. */
export interface Combination {
  readonly name: string;
  /** The flags of `init`, and the commands after it. */
  readonly calls: readonly string[];
  /** Whether objects of every version can be stored without a webhook server; not if versions are converted. */
  readonly storable: boolean;
}

const layouts: Readonly<Record<string, string>> = {
  plain: "",
  multigroup: "--multigroup",
  namespaced: "--namespaced",
  "multigroup, namespaced": "--multigroup --namespaced",
};

interface Content {
  readonly calls: readonly string[];
  readonly converts?: true;
}

const game = "--group shop --version v1 --kind Game";
const issuer =
  "--group cert-manager --version v1 --kind Issuer --external-api-path @kubernetes-models/cert-manager/cert-manager.io/v1 --external-api-domain io";

const contents: Readonly<Record<string, Content>> = {
  nothing: { calls: [] },
  "a kind": { calls: [`create api ${game}`] },
  "a cluster kind with a plural of its own": {
    calls: ["create api --group shop --version v1beta1 --kind Chess --plural chessboards --namespaced=false"],
  },
  "types alone": { calls: [`create api ${game} --controller=false`] },
  "versions and controllers of one kind": {
    calls: [
      `create api ${game} --controller-name game`,
      `create api ${game} --resource=false --controller-name game-backup`,
      "create api --group shop --version v2 --kind Game --controller=false",
      "create api --group shop --version v1 --kind FirstMate",
    ],
  },
  "controllers for kinds of Kubernetes": {
    calls: [
      "create api --group apps --version v1 --kind Deployment --resource=false",
      "create api --group core --version v1 --kind Pod --resource=false --controller-name pod-labels",
    ],
  },
  "external kinds": {
    calls: [
      `create api ${issuer} --resource=false --external-api-module @kubernetes-models/cert-manager@3.3.0`,
      `create webhook ${issuer} --defaulting`,
    ],
  },
  "types from a definition": { calls: ["create api --from-crd ../definition.yaml"] },
  "a defaulting webhook": { calls: [`create api ${game}`, `create webhook ${game} --defaulting`] },
  "admission webhooks one after the other, with paths": {
    calls: [
      `create api ${game}`,
      `create webhook ${game} --programmatic-validation --validation-path /check-game`,
      `create webhook ${game} --defaulting --defaulting-path /complete-game`,
    ],
  },
  "a conversion webhook alone": {
    calls: [
      `create api ${game}`,
      "create api --group shop --version v2 --kind Game --controller=false",
      `create webhook ${game} --conversion --spoke v2`,
    ],
    converts: true,
  },
  "all webhooks": {
    calls: [
      `create api ${game}`,
      "create api --group shop --version v1beta1 --kind Game --controller=false",
      "create api --group shop --version v2 --kind Game --controller=false",
      `create webhook ${game} --defaulting --programmatic-validation --conversion --spoke v2,v1beta1`,
    ],
    converts: true,
  },
  "webhooks for kinds of Kubernetes": {
    calls: [
      "create webhook --group core --version v1 --kind Pod --defaulting",
      "create webhook --group apps --version v1 --kind Deployment --programmatic-validation",
    ],
  },
  "every option of the deployment": {
    calls: [
      `create api ${game}`,
      `create webhook ${game} --programmatic-validation`,
      "edit --enable prometheus,metrics-certs,network-policy",
    ],
  },
  "no webhook in the deployment": {
    calls: [
      `create api ${game}`,
      `create webhook ${game} --defaulting --programmatic-validation`,
      "edit --disable cert-manager,webhook --enable network-policy",
    ],
  },
};

/** Choices with a special layout or other flags of `init`. */
const special: Readonly<Record<string, readonly string[]>> = {
  "several groups": [
    "init --multigroup",
    `create api ${game}`,
    "create api --group crew.pay --version v1 --kind Game --namespaced=false",
    "create webhook --group crew.pay --version v1 --kind Game --programmatic-validation",
    "create webhook --group shop --version v1 --kind Game --defaulting",
  ],
  "several groups, namespaced": [
    "init --multigroup --namespaced",
    `create api ${game}`,
    "create api --group crew --version v1alpha1 --kind Captain",
    "create api --from-crd ../definition.yaml",
  ],
  "a foreign group beside its own": [
    "init",
    `create api ${game}`,
    "create api --from-crd ../definition.yaml",
    "create webhook --group stable.example.org --version v1 --kind Backup --defaulting",
  ],
  "an external kind from a definition": [
    "init",
    `create api ${game}`,
    "create api --from-crd ../definition.yaml --external",
    "create webhook --group stable.example.org --version v1 --kind Backup --defaulting",
  ],
  "edited to several groups": [
    "init",
    `create api ${game}`,
    `create webhook ${game} --defaulting`,
    "edit --multigroup",
  ],
  "edited to one group": ["init --multigroup", `create api ${game}`, "edit --multigroup=false"],
  "edited to named namespaces": ["init", `create api ${game}`, "edit --namespaced --enable prometheus"],
  "edited to all namespaces": ["init --namespaced", `create api ${game}`, "edit --namespaced=false"],
  "another license": ["init --license copyright --owner Acme", `create api ${game}`, "edit --license none"],
  "no license": ["init --license none", `create api ${game}`, `create webhook ${game} --defaulting`],
  "a module path as repository": ["init --repo github.com/acme/op/v2 --plugins ts/v1", `create api ${game}`],
  "the default domain": ["init --domain my.domain", "create api --group letters --version v1 --kind Letter"],
  "deleted parts": [
    "init",
    `create api ${game}`,
    "create api --group shop --version v1 --kind Chess",
    "create webhook --group shop --version v1 --kind Chess --defaulting --programmatic-validation",
    "delete webhook --group shop --version v1 --kind Chess --defaulting",
    "delete api --group shop --version v1 --kind Game",
  ],
  "a name as long as it may be": [
    `init --project-name ${"long".repeat(11)}`,
    `create api ${game}`,
    `create webhook ${game} --defaulting`,
    "edit --enable prometheus,metrics-certs",
  ],
  "certificates that the manager makes": [
    "init --multigroup --namespaced --webhook-certs self",
    `create api ${game}`,
    "create api --group shop --version v2 --kind Game --controller=false",
    `create webhook ${game} --programmatic-validation`,
    `create webhook ${game} --defaulting --conversion --spoke v2`,
    "edit --enable network-policy",
  ],
  "certificates in files": [
    "init --webhook-certs files",
    `create api ${game}`,
    "create api --group shop --version v2 --kind Game --controller=false",
    `create webhook ${game} --defaulting`,
    `create webhook ${game} --conversion --spoke v2`,
  ],
  "edited to certificates that the manager makes": [
    "init",
    `create api ${game}`,
    `create webhook ${game} --defaulting`,
    "edit --webhook-certs self",
    `create webhook ${game} --programmatic-validation`,
  ],
  "edited to certificates in files": [
    "init --webhook-certs self",
    `create api ${game}`,
    `create webhook ${game} --programmatic-validation`,
    "edit --webhook-certs files --enable prometheus",
    "edit --disable webhook",
  ],
  "edited to certificates of cert-manager": [
    "init --webhook-certs self",
    `create api ${game}`,
    `create webhook ${game} --defaulting --programmatic-validation`,
    "edit --webhook-certs cert-manager --enable metrics-certs",
  ],
  "a name that begins with a digit": ["init --project-name 3scale", `create api ${game}`],
};

/** All combinations. */
export const combinations: readonly Combination[] = [
  ...Object.entries(layouts).flatMap(([layout, flags]) =>
    Object.entries(contents).map(([content, { calls, converts }]) => ({
      name: `${layout}: ${content}`,
      calls: [`init ${flags}`.trim(), ...calls],
      storable: converts !== true,
    })),
  ),
  ...Object.entries(special).map(([name, calls]) => ({
    name,
    calls,
    storable: !calls.some((call) => call.includes("--conversion")),
  })),
];

/** Returns the call of `init`, with a unique name and domain if it has none. */
export function initialised(call: string, id: string): string[] {
  const own = [
    ...(call.includes("--project-name") ? [] : ["--project-name", id]),
    ...(call.includes("--domain") ? [] : ["--domain", `${id}.example.com`]),
  ];
  return [...call.split(" "), ...own, "--fetch-deps=false"];
}
