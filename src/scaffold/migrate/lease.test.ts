import { describe, expect, it } from "vitest";
import { leaseOf } from "./lease.ts";

const find = (files: Readonly<Record<string, string>>) =>
  leaseOf(
    Object.entries({ "go.mod": "module example.org/tools\n", ...files }).map(([path, text]) => ({
      path,
      text: () => text,
    })),
    "tools-operator",
  );
const options = (value: string) =>
  `\tmgr, err := ctrl.NewManager(config, ctrl.Options{\n\t\tLeaderElectionID: ${value},\n\t})\n`;
const main = (value: string, more = "") => ({
  "cmd/main.go": `package main\n\nfunc main() {\n${options(value)}}\n${more}`,
});

describe("the name of the Lease is", () => {
  it.each([
    ["a literal", main('"a.example.org"')],
    ["a raw literal", main("`a.example.org`")],
    [
      "a literal in one line with others",
      { "main.go": 'var o = ctrl.Options{LeaderElection: on, LeaderElectionID: "a.example.org", Port: 1}' },
    ],
    [
      "a literal with a comment",
      { "main.go": '\tLeaderElectionID: "a.example.org", // "b"\n// LeaderElectionID: "c",\n' },
    ],
    ["assigned", { "main.go": '\toptions.LeaderElectionID = "a.example.org"\n' }],
    ["a constant", main("id", '\nconst id = "a.example.org"\n')],
    [
      "a constant of another file, in a list",
      { ...main("id"), "cmd/const.go": 'package main\n\nconst (\n\tid string = "a.example.org"\n)\n' },
    ],
    [
      "a constant of another package",
      {
        "cmd/main.go": `package main\n\nimport (\n\t"example.org/tools/internal/names"\n)\n${options("names.ID")}`,
        "internal/names/names.go": 'package names\n\nconst ID = "a.example.org"\n',
      },
    ],
    [
      "a constant of a package with another name",
      {
        "cmd/main.go": `package main\n\nimport n "example.org/tools/internal/names"\n${options("n.ID")}`,
        "internal/names/names.go": 'package names\n\nvar ID = "a.example.org"\n',
      },
    ],
    [
      "a constant of a package whose directory has another name",
      {
        "cmd/main.go": `package main\n\nimport "example.org/tools/internal/lease-names"\n${options("names.ID")}`,
        "internal/lease-names/names.go": 'package names\n\nconst ID = "a.example.org"\n',
      },
    ],
    ["a converted constant with a type", main("string(id)", '\nconst (\n\tid Name = "a.example.org"\n)\n')],
    [
      "the default of a flag with a short name",
      main("*id", '\tid := pflag.StringP("lease", "l", "a.example.org", "b")\n'),
    ],
    ["a sum over several lines", main('"a" +\n\t\t\t".example.org"')],
    [
      "the default of a flag for the field itself",
      {
        "cmd/main.go": `package main\n${options("opts.LeaderElectionID")}`,
        "cmd/options/options.go":
          'package options\n\nfunc (o *Options) Add(fs *pflag.FlagSet) {\n\tfs.StringVar(&o.LeaderElectionID, "id", "a.example.org", "x")\n}\n',
      },
    ],
    [
      "the value of a flag in the next item of the arguments",
      {
        ...main("id", '\tvar id string\n\tflag.StringVar(&id, "lease-name", "z.example.org", "the lease")\n'),
        "config/manager/manager.yaml":
          "        args:\n        - --lease-name\n        - a.example.org\n        - --other\n",
      },
    ],
    [
      "the value of a flag in another directory with manifests",
      {
        ...main("id", '\tvar id string\n\tflag.StringVar(&id, "lease-name", "", "the lease")\n'),
        "deploy/operator.yaml": '        args: \n        - "--lease-name=a.example.org"\n',
      },
    ],
    ["a sum", main('prefix + ".example.org"', '\nconst prefix = "a"\n')],
    [
      "the default of a flag",
      main("id", '\tvar id string\n\tflag.StringVar(&id, "lease-name", "a.example.org", "the lease")\n'),
    ],
    [
      "the default of a flag in the next line",
      main("id", '\tpflag.StringVarP(&id, "lease-name", "l",\n\t\t"a.example.org", "the lease")\n'),
    ],
    [
      "the default of a flag with a pointer",
      main("*id", '\tid := flag.String("lease-name", "a.example.org", "the lease")\n'),
    ],
    [
      "the value of a flag in the Deployment",
      {
        ...main("id", '\tflag.StringVar(&id, "lease-name", "b.example.org", "the lease")\n'),
        "config/manager/manager.yaml": "        args:\n        - --lease-name=a.example.org\n",
      },
    ],
    [
      "the default of a flag for a field of the package",
      {
        "cmd/run.go": `package cmd\n\n${options("config.leaseName")}`,
        "cmd/root.go":
          'package cmd\n\nvar config struct {\n\tleaseName string\n}\n\nfunc init() {\n\tfs.StringVar(&config.leaseName, "lease-name", "a.example.org", "x")\n}\n',
        "pkg/other.go": 'package other\n\nfunc x() {\n\tx.leaseName = "b"\n}\n',
      },
    ],
    [
      "the only value that a field gets",
      {
        "operator/builder.go": `package operator\n\nconst Usual = "a.example.org"\n\n${options("b.leaseName")}\nfunc (b *Builder) x() {\n\tif b.leaseName == "" {\n\t\tb.leaseName = Usual\n\t}\n}\n`,
      },
    ],
    [
      "the value of an exported field in the literal of another package",
      {
        "pkg/run.go": `package pkg\n\n${options("s.Election.Lease")}`,
        "cmd/main.go": 'package main\n\nfunc main() {\n\tpkg.Run(pkg.Election{On: true, Lease: "a.example.org"})\n}\n',
      },
    ],
    [
      "in the configuration file",
      {
        ...main("config.LeaderElection.ResourceName"),
        "config/manager/config.yaml": "leaderElection:\n  leaderElect: true\n  resourceName: a.example.org\n",
        "config/manager/manager.yaml": '        args:\n        - "--config=/etc/config.yaml"\n',
      },
    ],
    [
      "in the configuration file of a ConfigMap whose name is in the code",
      {
        ...main("config.LeaderElection.ResourceName", '\nconst path = "/etc/settings.yaml"\n'),
        "config/manager/map.yaml":
          "kind: ConfigMap\ndata:\n  settings.yaml: |\n    leaderElection:\n      resourceName: a.example.org\n",
      },
    ],
    [
      "the default of a setting if the program doesn't read the configuration file",
      {
        ...main(
          "config.LeaderElection.ResourceName",
          '\nfunc x() {\n\tc.LeaderElection.ResourceName = "a.example.org"\n}\n',
        ),
        "config/other/config.yaml": "leaderElection:\n  resourceName: b.example.org\n",
        "config/other/kustomization.yaml": "configMapGenerator:\n- files:\n  - config.yaml\n",
      },
    ],
    [
      "that of the operator, of several commands without a main.go",
      {
        "cmd/manager/cmd.go": `package manager\n\n${options('"a.example.org"')}`,
        "cmd/tools-generator/cmd.go": `package generator\n\n${options('"b.example.org"')}`,
        "cmd/manager/telemetry.go": `package manager\n\n${options("options.LeaderElectionID")}`,
      },
    ],
    [
      "the default of a setting",
      {
        ...main("config.LeaderElection.ResourceName"),
        "api/config/defaults.go":
          'package config\n\nconst usual = "a.example.org"\n\nfunc x() {\n\tcfg.LeaderElection.ResourceName = usual\n}\n',
      },
    ],
    [
      "that of the operator, of several programs",
      {
        ...main('"a.example.org"'),
        "cmd/certs/certs.go": options('"b.example.org"'),
      },
    ],
    [
      "that of the code, not of its tests",
      { ...main('"a.example.org"'), "cmd/main_test.go": options('"b.example.org"') },
    ],
  ])("%s", (_, files) => {
    expect(find(files)).toEqual({ name: "a.example.org" });
  });
});

it("isn't known if the code sets none", () => {
  expect(find({ "main.go": "package main\n" })).toBeUndefined();
});

it.each([
  ["a call", main('fmt.Sprintf("%x", hash)'), 'cmd/main.go:5: LeaderElectionID: fmt.Sprintf("%x", hash),'],
  ["a parameter", main("id"), "cmd/main.go:5: LeaderElectionID: id,"],
  ["two values", main("id", '\tid = "a"\n\tid = "b"\n'), "cmd/main.go:5: LeaderElectionID: id,"],
  ["no valid name", main('"A_b"'), 'cmd/main.go:5: LeaderElectionID: "A_b",'],
  [
    "the usage of a flag without a default",
    main("id", '\tflag.StringVar(&id, "lease-name", "", "name")\n'),
    "cmd/main.go:5: LeaderElectionID: id,",
  ],
  ["itself", main("id", "\tid := id\n"), "cmd/main.go:5: LeaderElectionID: id,"],
  [
    "a configuration file that the program doesn't read",
    {
      ...main("config.LeaderElection.ResourceName"),
      "config/other/config.yaml": "leaderElection:\n  resourceName: b.example.org\n",
    },
    "cmd/main.go:5: LeaderElectionID: config.LeaderElection.ResourceName,",
  ],
  [
    "a field that the environment sets",
    {
      "cmd/main.go": `package main\n\n${options("config.leaseName")}`,
      "cmd/config.go":
        'package main\n\ntype Config struct {\n\tleaseName string `env:"LEASE"`\n}\n\nfunc x() {\n\tconfig.leaseName = "a"\n}\n',
    },
    "cmd/main.go:4: LeaderElectionID: config.leaseName,",
  ],
  [
    "a field that a function sets by its address",
    {
      "cmd/main.go": `package main\n\n${options("config.leaseName")}\nfunc x() {\n\tfill(&config.leaseName)\n\tconfig.leaseName = "a"\n}\n`,
    },
    "cmd/main.go:4: LeaderElectionID: config.leaseName,",
  ],
  [
    "a field that gets the result of a call",
    {
      "cmd/main.go": `package main\n\n${options("c.leaseName")}\nfunc x() {\n\tc := Config{leaseName: os.Getenv("LEASE")}\n}\n`,
    },
    "cmd/main.go:4: LeaderElectionID: c.leaseName,",
  ],
  [
    "two Deployments with different flags",
    {
      ...main("id", '\tflag.StringVar(&id, "lease-name", "a.example.org", "the lease")\n'),
      "config/one/manager.yaml": "        - --lease-name=b.example.org\n",
      "config/two/manager.yaml": "        - --lease-name=c.example.org\n",
    },
    "cmd/main.go:5: LeaderElectionID: id,",
  ],
])("isn't guessed from %s", (_, files, place) => {
  expect(find(files)).toEqual({ unreadable: [place] });
});
