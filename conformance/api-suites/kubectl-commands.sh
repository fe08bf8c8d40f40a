#!/usr/bin/env bash
# Runs kubectl's command tests (test/cmd of the Kubernetes sources) on any executables of the servers:
#   kubectl-commands.sh SOURCES BINARIES ETCD_PORT API_PORT CONTROLLERS_PORT
# BINARIES contains etcd, kube-apiserver, kube-controller-manager, kubectl and kubectl-convert. The servers have the flags of
# the sources' own script, which builds everything first.
set -o errexit -o nounset -o pipefail
cd "$1"
binaries=$2
export ETCD_PORT=$3 SECURE_API_PORT=$4 SECURE_CTLRMGR_PORT=$5
export KUBE_JUNIT_REPORT_DIR=$PWD/junit TMPDIR=$PWD/tmp
# kubectl is built without the commit in its version.
export ALLOW_SKEW=true
mkdir -p "$KUBE_JUNIT_REPORT_DIR" "$TMPDIR" _output
ln -sfn "$binaries" _output/bin

source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh

# Nothing has to be built.
make() { :; }
kube::etcd::start() {
  etcd --data-dir="$TMPDIR/etcd" --listen-client-urls="http://127.0.0.1:$ETCD_PORT" \
    --advertise-client-urls="http://127.0.0.1:$ETCD_PORT" --listen-peer-urls=http://127.0.0.1:0 >etcd.log 2>&1 &
  ETCD_PID=$!
  kube::util::wait_for_url "http://127.0.0.1:$ETCD_PORT/health" etcd 0.25 240
}
kube::etcd::cleanup() { kill "${ETCD_PID:-0}" 2>/dev/null || true; }

openssl genrsa -out service-accounts.key 2048 2>/dev/null
setup
kube-apiserver --bind-address=127.0.0.1 --secure-port="$SECURE_API_PORT" --cert-dir="$TMPDIR" \
  --authorization-mode=RBAC,AlwaysAllow --token-auth-file=hack/testdata/auth-tokens.csv --client-ca-file=hack/testdata/ca/ca.crt \
  --enable-admission-plugins=LimitRanger,ResourceQuota \
  --disable-admission-plugins=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection \
  --etcd-servers="http://127.0.0.1:$ETCD_PORT" --service-cluster-ip-range=10.0.0.0/24 \
  --service-account-key-file=service-accounts.key --service-account-signing-key-file=service-accounts.key \
  --service-account-lookup=true --service-account-issuer=https://kubernetes.default.svc >apiserver.log 2>&1 &
APISERVER_PID=$!
kube::util::wait_for_url_with_bearer_token "https://127.0.0.1:$SECURE_API_PORT/healthz" admin-token apiserver 0.25 240
kube-controller-manager --secure-port="$SECURE_CTLRMGR_PORT" --kubeconfig="$KUBE_TEMP/.kube/config" \
  --cluster-signing-cert-file=hack/testdata/ca/ca.crt --cluster-signing-key-file=hack/testdata/ca/ca.key >controllers.log 2>&1 &
CTLRMGR_PID=$!
kube::util::wait_for_url "https://127.0.0.1:$SECURE_CTLRMGR_PORT/healthz" controller-manager 0.25 240
# No kubelet runs. Setting the annotation creates an owner of fields of the object.
kubectl create -f - <<EOF
{ "kind": "Node", "apiVersion": "v1", "metadata": { "name": "127.0.0.1", "annotations": { "save-managers": "true" } }, "status": { "capacity": { "memory": "1Gi" } } }
EOF
export SUPPORTED_RESOURCES=("*")
runTests
