package powershell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// interpreter runs a function of a script that computes with texts, numbers and objects of
// .NET: as much of PowerShell as Unprotect-Payload has, and nothing else. Whatever it does not
// know fails the test.
type interpreter struct {
	variables map[string]any
	// static are members of types, "BitConverter::ToString" for example, and make is
	// New-Object.
	static func(member string, arguments []any) any
	make   func(kind string, arguments []any) any
}

// object is one of .NET.
type object interface {
	call(method string, arguments []any) any
	set(property string, value any)
}

// typeName is a type in brackets.
type typeName string

// thrown is what a script throws, and returned what a function returns.
type (
	thrown   string
	returned struct{ value any }
)

// run calls a function with its arguments in the order of its parameters.
func (i interpreter) run(t *testing.T, function node, arguments ...any) (result any, failure string) {
	t.Helper()
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case thrown:
			failure = string(stopped)
		case returned:
			result = stopped.value
		default:
			panic(stopped)
		}
	}()
	var parameters []string
	var body node
	function.each(func(n node) {
		switch n.Type {
		case "script_parameter":
			parameters = append(parameters, n.Children[len(n.Children)-1].source())
		case "script_block_body":
			body = n
		}
	})
	if len(parameters) != len(arguments) {
		t.Fatalf("the parameters are %q", parameters)
	}
	for n, name := range parameters {
		i.variables[name] = arguments[n]
	}
	i.statements(body)
	return nil, ""
}

func (i interpreter) statements(n node) {
	for _, s := range n.Children {
		switch s.Type {
		case "statement_list":
			i.statements(s)
		case "{", "}", "comment":
		case "if_statement":
			if i.value(s.Children[2]).(bool) {
				i.statements(s.Children[4])
			}
		case "flow_control_statement":
			value := i.value(s.Children[1])
			if s.Children[0].Type == "throw" {
				panic(thrown(value.(string)))
			}
			panic(returned{value})
		case "pipeline":
			i.assign(s.Children[0])
		default:
			unknown(s)
		}
	}
}

// assign is for a variable, or a property of an object.
func (i interpreter) assign(n node) {
	if n.Type != "assignment_expression" {
		unknown(n)
	}
	to, value := only(n.Children[0]), i.value(n.Children[2])
	if to.Type == "member_access" {
		i.value(to.Children[0]).(object).set(to.Children[2].source(), value)
		return
	}
	i.variables[to.source()] = value
}

// only goes down to the first node with several children, or to a leaf.
func only(n node) node {
	for len(n.Children) == 1 {
		n = n.Children[0]
	}
	return n
}

func (i interpreter) value(n node) any {
	n = only(n)
	switch n.Type {
	case "variable":
		value, there := i.variables[n.Text]
		if !there {
			unknown(n)
		}
		return value
	case "decimal_integer_literal":
		number, err := strconv.Atoi(n.Text)
		if err != nil {
			unknown(n)
		}
		return number
	case "string_literal":
		return literal(n)
	case "type_literal":
		return typeName(strings.Trim(n.source(), "[]"))
	case "parenthesized_expression":
		return i.value(n.Children[1])
	case "member_access":
		return i.member(n)
	case "invokation_expression":
		return i.call(n)
	case "element_access":
		return i.element(n)
	case "cast_expression":
		if n.Children[0].source() != "[byte[]]" {
			unknown(n)
		}
		return i.value(n.Children[1]).([]byte)
	case "expression_with_unary_operator": // a comma: an array of one, which a call takes for its argument
		return i.value(n.Children[1])
	case "command":
		return i.command(n)
	default:
		return i.operation(n)
	}
}

// literal is a text in quotes. In double quotes it may have a line's end, and no variable.
func literal(n node) string {
	text := n.Children[len(n.Children)-1].Text
	inside := text[1 : len(text)-1]
	if text[0] == '"' {
		inside = strings.ReplaceAll(inside, "`n", "\n")
		if strings.ContainsAny(inside, "$`") {
			unknown(n)
		}
	}
	return inside
}

func (i interpreter) operation(n node) any {
	if len(n.Children) != 3 {
		unknown(n)
	}
	left, operator, right := i.value(n.Children[0]), n.Children[1].source(), i.value(n.Children[2])
	switch operator {
	case "-ne", "-cne":
		a, isText := left.(string)
		if b, _ := right.(string); isText && operator == "-ne" {
			return !strings.EqualFold(a, b)
		}
		return left != right
	case "-or":
		return left.(bool) || right.(bool)
	case "-":
		return left.(int) - right.(int)
	case "+":
		return left.(string) + right.(string)
	case "..":
		return [2]int{left.(int), right.(int)}
	default:
		return unknown(n)
	}
}

func (i interpreter) member(n node) any {
	target, name := i.value(n.Children[0]), n.Children[2].source()
	switch target := target.(type) {
	case typeName:
		return i.static(string(target)+"::"+name, nil)
	case []string:
		if name == "Length" {
			return len(target)
		}
	case []byte:
		if name == "Length" {
			return len(target)
		}
	}
	return unknown(n)
}

func (i interpreter) element(n node) any {
	list, index := i.value(n.Children[0]), i.value(n.Children[2])
	switch list := list.(type) {
	case []string:
		return list[index.(int)]
	case []byte:
		between := index.([2]int)
		return slices.Clone(list[between[0] : between[1]+1])
	default:
		return unknown(n)
	}
}

func (i interpreter) call(n node) any {
	target, name, arguments := i.value(n.Children[0]), n.Children[2].source(), i.arguments(n.Children[3])
	switch target := target.(type) {
	case typeName:
		return i.static(string(target)+"::"+name, arguments)
	case object:
		return target.call(name, arguments)
	case string:
		switch name {
		case "Split":
			return strings.Split(target, arguments[0].(string))
		case "Replace":
			return strings.ReplaceAll(target, arguments[0].(string), arguments[1].(string))
		case "ToLowerInvariant":
			return strings.ToLower(target)
		}
	}
	return unknown(n)
}

func (i interpreter) command(n node) any {
	var kind string
	var arguments []any
	n.each(func(n node) {
		switch n.Type {
		case "generic_token":
			kind = n.Text
		case "argument_list":
			if arguments == nil {
				arguments = i.arguments(n)
			}
		}
	})
	if n.Children[0].source() != "New-Object" {
		unknown(n)
	}
	return i.make(kind, arguments)
}

func (i interpreter) arguments(n node) []any {
	list := []any{}
	for _, child := range n.Children {
		if child.Type != "argument_expression_list" {
			continue
		}
		for _, argument := range child.Children {
			if argument.Type == "argument_expression" {
				list = append(list, i.value(argument))
			}
		}
	}
	return list
}

func unknown(n node) any {
	panic(fmt.Sprintf("line %d: %s is not known to the interpreter: %s", n.Line, n.Type, n.source()))
}
