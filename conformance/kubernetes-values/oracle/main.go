// Command oracle reads YAML, quantities and durations with the libraries of Kubernetes. It answers each line of JSON with a line of JSON.
//
//	echo '{"op":"yaml","text":"a: 0644"}' | go run .
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// request names an operation and its input.
type request struct {
	// Op is one of: yaml, strict, stream, quantity, operation, duration.
	Op string `json:"op"`
	// Text is a YAML text, a quantity or a duration.
	Text string `json:"text"`
	// Other is the second quantity of an operation.
	Other string `json:"other"`
	// Factor and Scale are arguments of operations with numbers.
	Factor int64 `json:"factor"`
	Scale  int32 `json:"scale"`
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
	}
}

func (r request) answer() (answer any, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	switch r.Op {
	case "yaml":
		return value(yaml.YAMLToJSON([]byte(r.Text)))
	case "duration":
		duration, err := time.ParseDuration(r.Text)
		return map[string]any{"nanoseconds": strconv.FormatInt(int64(duration), 10)}, err
	case "strict":
		return value(yaml.YAMLToJSONStrict([]byte(r.Text)))
	case "stream":
		return r.stream()
	case "quantity":
		return r.quantity()
	case "operation":
		return r.operation()
	default:
		return nil, fmt.Errorf("unknown operation %q", r.Op)
	}
}

// value returns JSON as text, because its numbers must keep their digits.
func value(text []byte, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{"json": string(text)}, nil
}

// stream reads all documents, as kubectl reads files.
func (r request) stream() (any, error) {
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader([]byte(r.Text)), 4096)
	documents := []string{}
	for {
		var document runtime.RawExtension
		if err := decoder.Decode(&document); err != nil {
			if errors.Is(err, io.EOF) {
				return map[string]any{"documents": documents}, nil
			}
			return map[string]any{"documents": documents, "error": err.Error()}, nil
		}
		document.Raw = bytes.TrimSpace(document.Raw)
		if len(document.Raw) == 0 || bytes.Equal(document.Raw, []byte("null")) {
			continue
		}
		documents = append(documents, string(document.Raw))
	}
}

func (r request) quantity() (any, error) {
	q, err := resource.ParseQuantity(r.Text)
	if err != nil {
		return nil, err
	}
	milli, nano := q.DeepCopy(), q.DeepCopy()
	return map[string]any{
		"text":   q.String(),
		"format": q.Format,
		"sign":   q.Sign(),
		"value":  fmt.Sprint(q.Value()),
		"milli":  fmt.Sprint(milli.MilliValue()),
		"dec":    nano.AsDec().String(),
		"float":  fmt.Sprint(q.AsApproximateFloat64()),
	}, nil
}

func (r request) operation() (any, error) {
	a, err := resource.ParseQuantity(r.Text)
	if err != nil {
		return nil, err
	}
	b, err := resource.ParseQuantity(r.Other)
	if err != nil {
		return nil, err
	}
	sum, difference, product, rounded := a.DeepCopy(), a.DeepCopy(), a.DeepCopy(), a.DeepCopy()
	order := a.Cmp(b)
	sum.Add(b)
	difference.Sub(b)
	product.Mul(r.Factor)
	rounded.RoundUp(resource.Scale(r.Scale))
	return map[string]any{
		"order":      order,
		"sum":        sum.String(),
		"difference": difference.String(),
		"product":    product.String(),
		"rounded":    rounded.String(),
	}, nil
}
