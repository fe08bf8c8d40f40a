package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type est struct{}

func (est) EstimateSize(e checker.AstNode) *checker.SizeEstimate { return nil }
func (est) EstimateCallCost(f, o string, t *checker.AstNode, a []checker.AstNode) *checker.CallEstimate {
	return nil
}

func main() {
	envset, err := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).Extend(environment.VersionedOptions{
		IntroducedVersion: environment.DefaultCompatibilityVersion(),
		EnvOptions: []cel.EnvOption{
			cel.Variable("x", cel.DynType), cel.Variable("l", cel.ListType(cel.StringType)), cel.Variable("m", cel.MapType(cel.StringType, cel.IntType)),
			cel.Variable("s", cel.StringType), cel.Variable("i", cel.IntType), cel.Variable("b", cel.BoolType), cel.Variable("ll", cel.ListType(cel.ListType(cel.IntType))),
		},
	})
	if err != nil {
		panic(err)
	}
	env := envset.NewExpressionsEnv()
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<24)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var expr string
		if err := json.Unmarshal(sc.Bytes(), &expr); err != nil {
			panic(err)
		}
		out := map[string]any{"expr": expr}
		ast, issues := env.Compile(expr)
		if issues != nil && issues.Err() != nil {
			out["compile"] = issues.String()
			enc.Encode(out)
			continue
		}
		out["type"] = ast.OutputType().String()
		le := &library.CostEstimator{SizeEstimator: est{}}
		c, err := env.EstimateCost(ast, le)
		if err != nil {
			out["estErr"] = err.Error()
		}
		out["est"] = []string{fmt.Sprint(c.Min), fmt.Sprint(c.Max)}
		prog, err := env.Program(ast, cel.CostTracking(le), cel.CostLimit(1000000))
		if err != nil {
			out["program"] = err.Error()
			enc.Encode(out)
			continue
		}
		v, det, err := prog.Eval(map[string]any{"x": map[string]any{"a": 1, "f": 1.5, "n": nil, "l": []any{1, 2, 3}}, "l": []string{"a", "b", "c"}, "m": map[string]int{"k": 1, "j": 2},
			"s": "héllo", "i": 3, "b": true, "ll": [][]int{{1, 2}, {3}}})
		if err != nil {
			out["err"] = err.Error()
		} else {
			out["val"] = fmt.Sprintf("%v", v.Value())
			out["vtype"] = v.Type().TypeName()
		}
		if det != nil && det.ActualCost() != nil {
			out["cost"] = fmt.Sprint(*det.ActualCost())
		}
		enc.Encode(out)
	}
}
