package fixtures

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"strings"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
)

// journal provides single keys of the embedded server's file as etcd does, so that tests can read stored objects.
type journal struct {
	etcdserverpb.UnimplementedKVServer
	path string
}

// serveJournal returns the URL of a server and a function that stops it.
func serveJournal(path string) (string, func(), error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := grpc.NewServer()
	etcdserverpb.RegisterKVServer(server, &journal{path: path})
	go func() { _ = server.Serve(listener) }()
	return "http://" + listener.Addr().String(), server.Stop, nil
}

// Range reads a key: /registry, the group, the resource, and the key of the object.
func (j *journal) Range(_ context.Context, request *etcdserverpb.RangeRequest) (*etcdserverpb.RangeResponse, error) {
	content, err := os.ReadFile(j.path)
	if err != nil {
		return nil, err
	}
	response := &etcdserverpb.RangeResponse{Header: &etcdserverpb.ResponseHeader{}}
	parts := strings.SplitN(strings.TrimPrefix(string(request.Key), etcdPrefix+"/"), "/", 3)
	if len(parts) < 3 {
		return response, nil
	}
	for line := range strings.Lines(string(content)) {
		var record struct {
			Collection, Key, Text string
			Revision              int64
		}
		// The last line may be incomplete.
		if json.Unmarshal([]byte(line), &record) != nil || record.Collection != parts[1]+"."+parts[0] || record.Key != parts[2] {
			continue
		}
		response.Kvs = nil
		if record.Text != "" {
			response.Kvs = []*mvccpb.KeyValue{{Key: request.Key, Value: []byte(record.Text), ModRevision: record.Revision}}
		}
	}
	response.Count = int64(len(response.Kvs))
	return response, nil
}
