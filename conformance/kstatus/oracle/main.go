// Command oracle computes the kstatus of objects. It reads one JSON object per line, and answers each with a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

type answer struct {
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func compute(line []byte) answer {
	var object map[string]any
	if err := utiljson.Unmarshal(line, &object); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	result, err := status.Compute(&unstructured.Unstructured{Object: object})
	if err != nil {
		return answer{Status: "Unknown"}
	}
	found := answer{Status: string(result.Status), Message: result.Message}
	if len(result.Conditions) > 0 {
		found.Reason = result.Conditions[0].Reason
	}
	return found
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	for input.Scan() {
		if err := encoder.Encode(compute(input.Bytes())); err != nil {
			panic(err)
		}
	}
}
