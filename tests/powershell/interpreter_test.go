package powershell

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// interpreter runs functions of a script: as much of PowerShell as those have that decrypt and
// that protect directories, and nothing else. Whatever it does not know fails the test. Names of
// variables are in lower case, with the dollar.
type interpreter struct {
	variables map[string]any
	// functions are the script's own, by their names.
	functions map[string]node
	// static are members of types, "BitConverter::ToString" for example, constructors what
	// New-Object creates, and commands all others with their parameters and their arguments.
	static, constructors map[string]func(arguments []any) any
	commands             map[string]func(parameters map[string]any, arguments []any) any
}

// object is one of .NET.
type object struct {
	properties map[string]any
	methods    map[string]func(arguments []any) any
}

// typeName is a type in brackets.
type typeName string

// thrown is what a script throws, and returned what a function returns.
type (
	thrown   string
	returned struct{ value any }
)

// functionsOf returns the functions of a script.
func functionsOf(t *testing.T, script string) map[string]node {
	t.Helper()
	found := map[string]node{}
	parse(t, script).Tree.each(func(n node) {
		if n.Type == "function_statement" {
			found[n.Children[1].source()] = n
		}
	})
	return found
}

// run calls a function with its arguments in the order of its parameters. failure is the error
// that it throws.
func (i interpreter) run(name string, arguments ...any) (result any, failure string) {
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case thrown:
			failure = string(stopped)
		default:
			panic(stopped)
		}
	}()
	return i.invoke(name, arguments), ""
}

func (i interpreter) invoke(name string, arguments []any) (result any) {
	defer func() {
		if stopped := recover(); stopped != nil {
			value, ok := stopped.(returned)
			if !ok {
				panic(stopped)
			}
			result = value.value
		}
	}()
	function, found := i.functions[name]
	if !found {
		panic("there is no function " + name)
	}
	var parameters []string
	var body node
	function.each(func(n node) {
		switch n.Type {
		case "script_parameter":
			parameters = append(parameters, strings.ToLower(n.Children[len(n.Children)-1].source()))
		case "script_block_body":
			body = n
		}
	})
	if len(parameters) != len(arguments) {
		panic(fmt.Sprintf("%s has the parameters %q", name, parameters))
	}
	// It reads the variables of who calls it, and assigns its own.
	i.variables = maps.Clone(i.variables)
	for n, parameter := range parameters {
		i.variables[parameter] = arguments[n]
	}
	i.statements(body)
	return nil
}

func (i interpreter) statements(n node) {
	for _, s := range n.Children {
		i.statement(s)
	}
}

func (i interpreter) statement(s node) {
	switch s.Type {
	case "statement_list", "statement_block":
		i.statements(s)
	case "{", "}", "comment":
	case "if_statement":
		switch {
		case len(s.Children) > 5 && (len(s.Children) > 6 || s.Children[5].Type != "else_clause"):
			unknown(s)
		case truth(i.value(s.Children[2])):
			i.statement(s.Children[4])
		case len(s.Children) == 6:
			i.statement(s.Children[5].Children[1])
		}
	case "foreach_statement":
		for _, element := range elements(i.value(s.Children[4])) {
			i.variables[strings.ToLower(s.Children[2].Text)] = element
			i.statement(s.Children[6])
		}
	case "try_statement":
		if s.Children[2].Type != "finally_clause" {
			unknown(s)
		}
		defer i.statement(s.Children[2].Children[1])
		i.statement(s.Children[1])
	case "flow_control_statement":
		i.leave(s)
	case "pipeline":
		if s.Children[0].Type == "assignment_expression" {
			i.assign(s.Children[0])
		} else {
			i.value(s)
		}
	default:
		unknown(s)
	}
}

// elements returns the elements of a list.
func elements(list any) []any {
	texts, areTexts := list.([]string)
	if !areTexts {
		return list.([]any)
	}
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// leave is return or throw.
func (i interpreter) leave(s node) {
	var value any
	if len(s.Children) > 1 {
		value = i.value(s.Children[1])
	}
	if s.Children[0].Type == "throw" {
		panic(thrown(value.(string)))
	}
	panic(returned{value})
}

// assign is for a variable, or a property of an object.
func (i interpreter) assign(n node) {
	to, value := only(n.Children[0]), i.value(n.Children[2])
	if to.Type == "member_access" {
		i.value(to.Children[0]).(*object).properties[to.Children[2].source()] = value
		return
	}
	i.variables[strings.ToLower(to.source())] = value
}

// only goes down to the first node with several children, or to a leaf.
func only(n node) node {
	for len(n.Children) == 1 {
		n = n.Children[0]
	}
	return n
}

func truth(value any) bool {
	switch value := value.(type) {
	case bool:
		return value
	case int:
		return value != 0
	default:
		panic(fmt.Sprintf("whether %v is true is not known to the interpreter", value))
	}
}

func (i interpreter) value(n node) any {
	n = only(n)
	switch n.Type {
	case "variable":
		value, found := i.variables[strings.ToLower(n.Text)]
		if !found {
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
		return i.literal(n)
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
		return i.cast(n)
	case "expression_with_unary_operator":
		if n.Children[0].source() == "-not" {
			return !truth(i.value(n.Children[1]))
		}
		return i.value(n.Children[1]) // a comma: an array of one, which a call takes for its argument
	case "command":
		return i.command(n)
	default:
		return i.operation(n)
	}
}

// inText is a variable in a text, or a property of one.
var inText = regexp.MustCompile(`\$\((\$\w+)\.(\w+)\)|\$\w+`)

// literal returns a text in quotes. In double quotes it may have the end of a line, and variables.
func (i interpreter) literal(n node) string {
	text := n.Children[len(n.Children)-1].Text
	inside := text[1 : len(text)-1]
	if text[0] == '\'' {
		return inside
	}
	return inText.ReplaceAllStringFunc(strings.ReplaceAll(inside, "`n", "\n"), func(found string) string {
		if parts := inText.FindStringSubmatch(found); parts[1] != "" {
			return i.variables[strings.ToLower(parts[1])].(*object).properties[parts[2]].(string)
		}
		return i.variables[strings.ToLower(found)].(string)
	})
}

func (i interpreter) cast(n node) any {
	value := i.value(n.Children[1])
	switch n.Children[0].source() {
	case "[byte[]]":
		return value.([]byte)
	case "[bool]":
		return truth(value)
	default:
		return unknown(n)
	}
}

func (i interpreter) operation(n node) any {
	if len(n.Children) != 3 {
		unknown(n)
	}
	left, operator := i.value(n.Children[0]), n.Children[1].source()
	if operator == "-or" && truth(left) {
		return true
	}
	if operator == "-and" && !truth(left) {
		return false
	}
	right := i.value(n.Children[2])
	switch operator {
	case "-eq":
		return equal(left, right)
	case "-ne":
		return !equal(left, right)
	case "-cne":
		return left != right
	case "-notcontains":
		return !slices.ContainsFunc(left.([]string), func(s string) bool { return equal(s, right) })
	case "-or", "-and":
		return truth(right)
	case "-band":
		return left.(int) & right.(int)
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

// equal takes capitals for small letters in texts.
func equal(a, b any) bool {
	first, isText := a.(string)
	second, isTextToo := b.(string)
	return isText && isTextToo && strings.EqualFold(first, second) || a == b
}

func (i interpreter) member(n node) any {
	target, name := i.value(n.Children[0]), n.Children[2].source()
	switch target := target.(type) {
	case typeName:
		return i.member0(n, string(target)+"::"+name)
	case *object:
		if value, found := target.properties[name]; found {
			return value
		}
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

func (i interpreter) member0(n node, name string, arguments ...any) any {
	member, found := i.static[name]
	if !found {
		unknown(n)
	}
	return member(arguments)
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
		return i.member0(n, string(target)+"::"+name, arguments...)
	case *object:
		if method, found := target.methods[name]; found {
			return method(arguments)
		}
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

// command is New-Object, a function of the script, or another command.
func (i interpreter) command(n node) any {
	name, kind := n.Children[0].source(), ""
	parameters, positional := map[string]any{}, []any{}
	parameter := ""
	for _, element := range n.Children[1].Children {
		switch {
		case element.Type == "command_argument_sep":
		case element.Type == "generic_token":
			kind = element.Text
		case element.Type == "argument_list":
			positional = i.arguments(element)
		case element.Type == "command_parameter":
			parameter = strings.TrimPrefix(element.source(), "-")
			parameters[parameter] = true
		case parameter != "":
			parameters[parameter], parameter = i.value(element), ""
		default:
			positional = append(positional, i.value(element))
		}
	}
	switch {
	case name == "New-Object" && i.constructors[kind] != nil:
		return i.constructors[kind](positional)
	case i.commands[name] != nil:
		return i.commands[name](parameters, positional)
	case i.functions[name].Type != "" && len(parameters) == 0:
		return i.invoke(name, positional)
	default:
		return unknown(n)
	}
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
