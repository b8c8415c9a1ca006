// An adapter for net/url of Go. protocol.md says what it reads and writes. What the package does not offer is
// unsupported.
package main

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
)

type request struct {
	Seq       int     `json:"seq"`
	Op        string  `json:"op"`
	Kind      string  `json:"kind"`
	Input     *string `json:"input"`
	Base      string  `json:"base"`
	Reference string  `json:"reference"`
	Strict    bool    `json:"strict"`
}

type object map[string]any

func answer(ask request) object {
	unsupported := object{"unsupported": true}
	switch ask.Op {
	case "parse":
		absolute := ask.Kind == "uri"
		if ask.Input == nil || !absolute && ask.Kind != "uri-reference" {
			return unsupported
		}
		found, err := url.Parse(*ask.Input)
		if err != nil || absolute && found.Scheme == "" {
			return object{"valid": false}
		}
		components := object{"path": found.EscapedPath()}
		if found.Opaque != "" {
			components["path"] = found.Opaque
		}
		components["query"] = nil
		if found.RawQuery != "" || found.ForceQuery {
			components["query"] = found.RawQuery
		}
		components["fragment"] = nil
		if found.Fragment != "" {
			components["fragment"] = found.EscapedFragment()
		}
		if found.Host != "" {
			components["port"] = nil
			if found.Port() != "" {
				components["port"] = found.Port()
			}
		}
		return object{"valid": true, "components": components}
	case "resolve":
		if ask.Kind != "uri" || !ask.Strict {
			return unsupported
		}
		base, err := url.Parse(ask.Base)
		if err != nil {
			return object{"error": err.Error()}
		}
		found, err := base.Parse(ask.Reference)
		if err != nil {
			return object{"error": err.Error()}
		}
		return object{"result": found.String()}
	}
	return unsupported
}

func main() {
	reader := bufio.NewReader(os.Stdin)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	version := strings.TrimPrefix(runtime.Version(), "go")
	hello := object{"name": "net/url", "version": version, "language": "Go", "standards": []string{"RFC 3986"}, "absent": "empty"}
	encoder.Encode(object{"hello": hello})
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return
		}
		var ask request
		if json.Unmarshal(line, &ask) != nil {
			return
		}
		found := answer(ask)
		found["seq"] = ask.Seq
		encoder.Encode(found)
	}
}
