// Command cel evaluates the expressions of cel-spec's conformance tests in the environment that kube-apiserver gives to CEL,
// and writes one row of JSON per test.
//
//	go run ./cel -out ../../../packages/cel/testdata/cel
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	testpb "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"google.golang.org/protobuf/encoding/prototext"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// row is an expression with its result in kube-apiserver's environment.
type row struct {
	Name string `json:"name"`
	Expr string `json:"expr"`
	// Variables are the types of the variables by name, and Bindings their values.
	Variables map[string]string `json:"variables,omitempty"`
	Bindings  map[string]any    `json:"bindings,omitempty"`
	// Compile is why the expression is refused, and Program why no program can be created.
	Compile string   `json:"compile,omitempty"`
	Program string   `json:"program,omitempty"`
	Type    string   `json:"type,omitempty"`
	Est     []string `json:"est,omitempty"`
	Err     string   `json:"err,omitempty"`
	Val     any      `json:"val,omitempty"`
	Cost    string   `json:"cost,omitempty"`
}

// sizes estimates no sizes, as for variables without a schema.
type sizes struct{}

func (sizes) EstimateSize(checker.AstNode) *checker.SizeEstimate { return nil }
func (sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func main() {
	out := flag.String("out", "", "directory for the rows")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "cel:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(module)), "tests/simple/testdata/*.textproto"))
	if err != nil {
		return err
	}
	sort.Strings(paths)
	file, err := os.Create(filepath.Join(out, "spec.jsonl"))
	if err != nil {
		return err
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	rows, left := 0, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var tests testpb.SimpleTestFile
		if err := prototext.Unmarshal(text, &tests); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, section := range tests.Section {
			for _, test := range section.Test {
				row, err := answer(test)
				if err != nil {
					// Messages of protobuf can't be declared in the environment.
					left++
					continue
				}
				row.Name = tests.Name + "/" + section.Name + "/" + test.Name
				if err := encoder.Encode(row); err != nil {
					return err
				}
				rows++
			}
		}
	}
	fmt.Printf("%d rows; %d tests have variables whose types are messages of protobuf\n", rows, left)
	return nil
}

// answer evaluates the expression of a test.
func answer(test *testpb.SimpleTest) (*row, error) {
	made := &row{Expr: test.Expr, Variables: map[string]string{}, Bindings: map[string]any{}}
	var options []cel.EnvOption
	for _, decl := range test.TypeEnv {
		ident := decl.GetIdent()
		if ident == nil {
			continue
		}
		t, err := types.ProtoAsType(ident.Type)
		if err != nil {
			return nil, err
		}
		if t.Kind() == types.StructKind || strings.Contains(t.String(), "cel.expr.conformance") {
			return nil, fmt.Errorf("variable %s is a message", decl.Name)
		}
		options = append(options, cel.Variable(decl.Name, t))
		made.Variables[decl.Name] = t.String()
	}
	bindings := map[string]any{}
	for name, value := range test.Bindings {
		converted, err := cel.ProtoAsValue(types.DefaultTypeAdapter, value.GetValue())
		if err != nil {
			return nil, err
		}
		shown, err := shown(converted)
		if err != nil {
			return nil, err
		}
		bindings[name] = converted
		made.Bindings[name] = shown
	}
	set, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: environment.DefaultCompatibilityVersion(),
		EnvOptions:        options,
	})
	if err != nil {
		return nil, err
	}
	env := set.NewExpressionsEnv()
	ast, issues := env.Compile(test.Expr)
	if issues != nil && issues.Err() != nil {
		made.Compile = issues.String()
		return made, nil
	}
	made.Type = ast.OutputType().String()
	estimator := &library.CostEstimator{SizeEstimator: sizes{}}
	cost, err := env.EstimateCost(ast, estimator)
	if err != nil {
		return nil, err
	}
	made.Est = []string{strconv.FormatUint(cost.Min, 10), strconv.FormatUint(cost.Max, 10)}
	program, err := env.Program(ast, cel.CostTracking(estimator), cel.CostLimit(1000000))
	if err != nil {
		made.Program = err.Error()
		return made, nil
	}
	value, details, err := program.Eval(bindings)
	if err != nil {
		made.Err = err.Error()
	} else if made.Val, err = shown(value); err != nil {
		return nil, err
	}
	if details != nil && details.ActualCost() != nil {
		made.Cost = strconv.FormatUint(*details.ActualCost(), 10)
	}
	return made, nil
}

// shown writes a value with its type.
func shown(value ref.Val) (any, error) {
	switch v := value.(type) {
	case types.Null:
		return map[string]any{"null": true}, nil
	case types.Bool:
		return map[string]any{"bool": bool(v)}, nil
	case types.Int:
		return map[string]any{"int": strconv.FormatInt(int64(v), 10)}, nil
	case types.Uint:
		return map[string]any{"uint": strconv.FormatUint(uint64(v), 10)}, nil
	case types.Double:
		return map[string]any{"double": strconv.FormatFloat(float64(v), 'g', -1, 64)}, nil
	case types.String:
		return map[string]any{"string": string(v)}, nil
	case types.Bytes:
		return map[string]any{"bytes": []byte(v)}, nil
	case types.Duration:
		return map[string]any{"duration": strconv.FormatInt(int64(v.Duration), 10)}, nil
	case types.Timestamp:
		return map[string]any{"timestamp": fmt.Sprintf("%d.%09d", v.Unix(), v.Nanosecond())}, nil
	case *types.Type:
		return map[string]any{"type": v.TypeName()}, nil
	case *types.Optional:
		if !v.HasValue() {
			return map[string]any{"optional": nil}, nil
		}
		inner, err := shown(v.GetValue())
		return map[string]any{"optional": inner}, err
	case traits.Mapper:
		entries := [][2]any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			shownKey, err := shown(key)
			if err != nil {
				return nil, err
			}
			shownValue, err := shown(v.Get(key))
			if err != nil {
				return nil, err
			}
			entries = append(entries, [2]any{shownKey, shownValue})
		}
		sort.Slice(entries, func(i, j int) bool { return fmt.Sprint(entries[i][0]) < fmt.Sprint(entries[j][0]) })
		return map[string]any{"map": entries}, nil
	case traits.Lister:
		items := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			item, err := shown(it.Next())
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		return map[string]any{"list": items}, nil
	}
	return nil, fmt.Errorf("no form for values of type %s", value.Type().TypeName())
}
