// Records the output of controller-gen's own generators for the cases in testdata, with which our tests compare.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	testdata := flag.String("testdata", "../../testdata", "the directory that holds the cases, and gets the results")
	flag.Parse()
	for _, err := range []error{
		webhookCases(filepath.Join(*testdata, "webhook", "cases.jsonl")),
		schemapatchCases(filepath.Join(*testdata, "schemapatch")),
	} {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
