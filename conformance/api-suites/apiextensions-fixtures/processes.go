package fixtures

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
)

const (
	etcdPrefix   = "/registry"
	token        = "administrator"
	startTimeout = 2 * time.Minute
	stopTimeout  = 20 * time.Second
)

// servers are the processes of a test.
type servers struct {
	directory string
	processes []*exec.Cmd
	config    *rest.Config
	// etcdURL is where tests read keys of etcd.
	etcdURL string
	closers []func()
}

// startServers starts the executables in KUBEBUILDER_ASSETS with the flags of envtest and those of a test.
func startServers(flags []string) (*servers, error) {
	directory, err := os.MkdirTemp("", "apiextensions-")
	if err != nil {
		return nil, err
	}
	s := &servers{directory: directory}
	if err := s.start(flags); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

func (s *servers) start(flags []string) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	s.etcdURL = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	data := filepath.Join(s.directory, "etcd")
	if err := s.run("etcd", "--data-dir="+data, "--unsafe-no-fsync=true",
		"--listen-client-urls="+s.etcdURL, "--advertise-client-urls="+s.etcdURL,
		fmt.Sprintf("--listen-peer-urls=http://127.0.0.1:%d", ports[1])); err != nil {
		return err
	}
	tokens, key := filepath.Join(s.directory, "tokens.csv"), filepath.Join(s.directory, "service-account.key")
	if err := errors.Join(
		os.WriteFile(tokens, []byte(token+",admin,admin,system:masters\n"), 0o600),
		os.WriteFile(key, signingKey(), 0o600),
	); err != nil {
		return err
	}
	url := fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	if err := s.run("kube-apiserver", append([]string{
		"--etcd-servers=" + s.etcdURL, "--cert-dir=" + s.directory, "--token-auth-file=" + tokens,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[2]), "--service-cluster-ip-range=10.0.0.0/24",
		"--authorization-mode=RBAC", "--allow-privileged=true", "--disable-admission-plugins=NamespaceLifecycle,ServiceAccount",
		"--service-account-issuer=" + url, "--service-account-key-file=" + key, "--service-account-signing-key-file=" + key,
	}, flags...)...); err != nil {
		return err
	}
	s.config = &rest.Config{
		Host: url, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, QPS: 1000, Burst: 10000,
	}
	if err := s.waitUntilReady(); err != nil {
		return err
	}
	journal := filepath.Join(data, "kubewright.jsonl")
	if _, err := os.Stat(journal); err != nil {
		return nil
	}
	url, stop, err := serveJournal(journal)
	if err != nil {
		return err
	}
	s.etcdURL, s.closers = url, append(s.closers, stop)
	return nil
}

func (s *servers) run(name string, args ...string) error {
	output, err := os.Create(s.outputOf(name))
	if err != nil {
		return err
	}
	defer output.Close()
	command := exec.Command(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), name), args...)
	command.Stdout, command.Stderr = output, output
	if err := command.Start(); err != nil {
		return err
	}
	s.processes = append(s.processes, command)
	return nil
}

func (s *servers) outputOf(name string) string { return filepath.Join(s.directory, name+".log") }

// waitUntilReady waits for the namespace that kube-apiserver creates last.
func (s *servers) waitUntilReady() error {
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 5 * time.Second}
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		request, err := http.NewRequest(http.MethodGet, s.config.Host+"/api/v1/namespaces/default", nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
	output, err := os.ReadFile(s.outputOf("kube-apiserver"))
	return errors.Join(fmt.Errorf("kube-apiserver isn't ready after %s: %s", startTimeout, output), err)
}

func (s *servers) stop() {
	for _, close := range s.closers {
		close()
	}
	for i := len(s.processes) - 1; i >= 0; i-- {
		process := s.processes[i]
		_ = process.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(stopTimeout, func() { _ = process.Process.Kill() })
		_ = process.Wait()
		timer.Stop()
	}
	_ = os.RemoveAll(s.directory)
}

func freePorts(count int) ([]int, error) {
	var ports []int
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		// Open until all are found, so that they differ.
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

var signingKey = sync.OnceValue(func() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
})
