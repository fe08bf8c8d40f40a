// Command oracle computes the health of objects with a script, as Argo CD does. Its argument is the file with the script. It reads
// one JSON object per line, and answers each with a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

type answer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error,omitempty"`
}

// valueOf returns a JSON value as Argo CD passes it to scripts.
func valueOf(state *lua.LState, value any) lua.LValue {
	switch value := value.(type) {
	case string:
		return lua.LString(value)
	case float64:
		return lua.LNumber(value)
	case bool:
		return lua.LBool(value)
	case []any:
		table := state.NewTable()
		for _, item := range value {
			table.Append(valueOf(state, item))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for key, item := range value {
			table.RawSetString(key, valueOf(state, item))
		}
		return table
	}
	return lua.LNil
}

func health(script string, line []byte) answer {
	var object map[string]any
	if err := json.Unmarshal(line, &object); err != nil {
		return answer{Error: err.Error()}
	}
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	// Argo CD opens these libraries for scripts, too.
	for name, open := range map[string]lua.LGFunction{
		lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString,
	} {
		state.Push(state.NewFunction(open))
		state.Push(lua.LString(name))
		state.Call(1, 0)
	}
	state.SetGlobal("obj", valueOf(state, object))
	if err := state.DoString(script); err != nil {
		return answer{Error: err.Error()}
	}
	result, isTable := state.Get(-1).(*lua.LTable)
	if !isTable {
		return answer{Error: "the script returns no table"}
	}
	message := ""
	if text, isText := result.RawGetString("message").(lua.LString); isText {
		message = string(text)
	}
	return answer{Status: result.RawGetString("status").String(), Message: message}
}

func main() {
	script, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	for input.Scan() {
		if err := encoder.Encode(health(string(script), input.Bytes())); err != nil {
			panic(err)
		}
	}
}
