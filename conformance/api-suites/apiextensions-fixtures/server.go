// Package fixtures replaces that of the suite of apiextensions-apiserver: each test starts executables, not a server in its
// process.
package fixtures

import (
	"errors"
	"io"

	clientv3 "go.etcd.io/etcd/client/v3"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	servertesting "k8s.io/apiextensions-apiserver/pkg/cmd/server/testing"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// StartDefaultServer starts etcd and kube-apiserver. The options contain only the address of etcd.
func StartDefaultServer(_ servertesting.Logger, flags ...string) (func(), *rest.Config, *options.CustomResourceDefinitionsServerOptions, error) {
	servers, err := startServers(flags)
	if err != nil {
		return nil, nil, nil, err
	}
	result := options.NewCustomResourceDefinitionsServerOptions(io.Discard, io.Discard)
	result.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList = []string{servers.etcdURL}
	result.RecommendedOptions.Etcd.StorageConfig.Prefix = etcdPrefix
	return servers.stop, servers.config, result, nil
}

// StartDefaultServerWithConfigAccess fails, because another process has the configuration.
func StartDefaultServerWithConfigAccess(servertesting.Logger, ...string) (func(), *rest.Config, apiserver.CompletedConfig, error) {
	return nil, nil, apiserver.CompletedConfig{}, errors.New("the configuration of the server isn't accessible")
}

// StartDefaultServerWithClients starts etcd and kube-apiserver, and creates clients.
func StartDefaultServerWithClients(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, error) {
	tearDown, config, _, err := StartDefaultServer(t, flags...)
	if err != nil {
		return nil, nil, nil, err
	}
	return tearDown, clientset.NewForConfigOrDie(config), dynamic.NewForConfigOrDie(config), nil
}

// StartDefaultServerWithClientsAndEtcd starts etcd and kube-apiserver, and creates clients for both.
func StartDefaultServerWithClientsAndEtcd(t servertesting.Logger, flags ...string) (func(), clientset.Interface, dynamic.Interface, *clientv3.Client, string, error) {
	tearDown, config, serverOptions, err := StartDefaultServer(t, flags...)
	if err != nil {
		return nil, nil, nil, nil, "", err
	}
	etcd, err := clientv3.New(clientv3.Config{Endpoints: serverOptions.RecommendedOptions.Etcd.StorageConfig.Transport.ServerList})
	if err != nil {
		tearDown()
		return nil, nil, nil, nil, "", err
	}
	return tearDown, clientset.NewForConfigOrDie(config), dynamic.NewForConfigOrDie(config), etcd, etcdPrefix, nil
}
