import { afterEach, describe, expect, it, vi } from "vitest";
import { FlagError } from "../log/options.ts";
import { managerOptions, parseManagerFlags } from "./flags.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("parseManagerFlags", () => {
  it("returns the defaults of kubebuilder", () => {
    expect(parseManagerFlags([])).toEqual({
      "enable-http2": false,
      "health-probe-bind-address": ":8081",
      "inspect-bind-address": "0",
      "leader-elect": false,
      "metrics-bind-address": "0",
      "metrics-cert-key": "tls.key",
      "metrics-cert-name": "tls.crt",
      "metrics-secure": true,
      sharding: false,
      "sharding-key": "namespace",
      "webhook-cert-key": "tls.key",
      "webhook-cert-name": "tls.crt",
      "webhook-port": 9443,
      "zap-devel": false,
    });
  });

  it.each([
    [["--leader-elect"], "leader-elect", true],
    [["-leader-elect"], "leader-elect", true],
    [["--leader-elect=false"], "leader-elect", false],
    [["--metrics-secure=0"], "metrics-secure", false],
    [["--webhook-port=9444"], "webhook-port", 9444],
    [["--webhook-port", "9444"], "webhook-port", 9444],
    [["-webhook-port=9444"], "webhook-port", 9444],
    [["--zap-log-level=debug", "--zap-log-level", "info"], "zap-log-level", "info"],
    [["--kubeconfig", "/k"], "kubeconfig", "/k"],
    [["--kubeconfig="], "kubeconfig", ""],
  ] as const)("parses %j", (argv, name, value) => {
    expect(parseManagerFlags(argv)[name]).toBe(value);
  });

  it.each([
    [["--leader-elekt"], "unknown flag --leader-elekt: --help lists all flags"],
    [["--leader-elect=maybe"], '--leader-elect: invalid value "maybe": it must be true or false'],
    [["--leader-elect", "false"], '"false" isn\'t a flag'],
    [["--webhook-port=http"], '--webhook-port: invalid value "http": it must be a number'],
    [["--webhook-port="], '--webhook-port: invalid value "": it must be a number'],
    [["--kubeconfig"], "--kubeconfig requires a value"],
    [["--__proto__=1"], "unknown flag --__proto__: --help lists all flags"],
    [["main.js"], '"main.js" isn\'t a flag'],
  ])("rejects %j", (argv, message) => {
    expect(() => parseManagerFlags(argv)).toThrow(new FlagError(message));
  });

  it("adds typed flags of the user", () => {
    const flags = parseManagerFlags(["--workers=3"], {
      options: {
        workers: { type: "number", default: 1, description: "Number of workers." },
        region: { type: "string", description: "Region." },
      },
    });
    const workers: number = flags.workers;
    const region: string | undefined = flags.region;
    expect([workers, region, flags["webhook-port"]]).toEqual([3, undefined, 9443]);
  });

  it("prints all flags with their descriptions and defaults, and exits", () => {
    let printed = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed += text;
      return true;
    });
    vi.spyOn(process, "exit").mockImplementation(() => {
      throw new Error("exited");
    });
    const options = { workers: { type: "number", default: 1, description: "Number of workers." } } as const;
    expect(() => parseManagerFlags(["-h"], { options })).toThrow("exited");
    expect(process.exit).toHaveBeenCalledWith(0);
    expect(printed).toMatch(/^ {2}--webhook-port number +Port of the webhooks\. \(default: 9443\)$/m);
    expect(printed).toMatch(/^ {2}--workers number +Number of workers\. \(default: 1\)$/m);
    expect(printed).toMatch(/^ {2}--leader-elect +Run controllers/m);
  });
});

describe("managerOptions", () => {
  it("converts the flags", () => {
    const argv = ["--leader-elect", "--leader-election-namespace=a", "--metrics-bind-address=:8443", "--enable-http2"];
    expect(managerOptions(parseManagerFlags(argv))).toMatchObject({
      leaderElection: true,
      leaderElectionNamespace: "a",
      healthProbeBindAddress: ":8081",
      metrics: { bindAddress: ":8443", secureServing: true },
      webhook: { port: 9443, enableHTTP2: true, selfManagedCertificates: undefined },
    });
  });

  it("shares the objects among the replicas with --sharding", () => {
    expect(managerOptions(parseManagerFlags(["--sharding", "--sharding-key=uid"]))).toMatchObject({
      leaderElection: true,
      sharding: { key: "uid" },
    });
    expect(managerOptions(parseManagerFlags([]))).not.toHaveProperty("sharding");
    expect(() => managerOptions(parseManagerFlags(["--sharding-key=name"]))).toThrow(
      '--sharding-key: invalid value "name": it must be namespace or uid',
    );
  });

  it("rejects an invalid port and an invalid log level", () => {
    expect(() => managerOptions(parseManagerFlags(["--webhook-port=70000"]))).toThrow("--webhook-port");
    expect(() => managerOptions(parseManagerFlags(["--zap-log-level=loud"]))).toThrow("--zap-log-level");
  });

  it("configures self-managed certificates from the environment", () => {
    vi.stubEnv("WEBHOOK_CERT_SECRET", "certs");
    vi.stubEnv("POD_NAMESPACE", "system");
    vi.stubEnv("WEBHOOK_SERVICE", "webhook-service");
    expect(managerOptions(parseManagerFlags([])).webhook?.selfManagedCertificates).toMatchObject({
      secret: { namespace: "system", name: "certs" },
    });
  });
});
