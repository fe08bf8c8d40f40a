// Command oracle answers requests about built-in kinds with the code of kube-apiserver, as JSON lines.
//
//	echo '{"op":"decode","body":"{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}"}' | go run ./oracle
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// request names an operation and its input.
type request struct {
	// Op is one of: random, decode, proto.
	Op string `json:"op"`
	// Body is a document: JSON for decode, protobuf in base64 for proto.
	Body string `json:"body"`
	// APIVersion and Kind are those of the objects at the endpoint.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Seed and Values are for random objects: values of named string types by the names of the types.
	Seed   int64               `json:"seed"`
	Values map[string][]string `json:"values"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			fmt.Fprintln(os.Stderr, "oracle:", err)
			os.Exit(1)
		}
		answer, err := r.answer()
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		text, err := json.Marshal(answer)
		if err != nil {
			text, _ = json.Marshal(map[string]any{"error": err.Error()})
		}
		out.Write(append(text, '\n'))
		out.Flush()
	}
}

func (r request) answer() (answer any, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	switch r.Op {
	case "random":
		return r.random()
	case "decode":
		return r.decode()
	case "proto":
		return r.proto()
	default:
		return nil, fmt.Errorf("unknown operation %q", r.Op)
	}
}
