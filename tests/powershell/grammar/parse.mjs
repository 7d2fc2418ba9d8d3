// Parses PowerShell scripts: one JSON request a line, one JSON answer a line. The first
// argument is the directory with node_modules.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const directory = process.argv[2];
const { Parser, Language } = createRequire(join(directory, 'package.json'))('web-tree-sitter');
await Parser.init();
const parser = new Parser();
const grammar = join(directory, 'node_modules/tree-sitter-powershell/tree-sitter-powershell.wasm');
parser.setLanguage(await Language.load(grammar));

// problems lists where a script is not valid PowerShell.
function problems(node) {
  if (node.type === 'ERROR' || node.isMissing) {
    return [`line ${node.startPosition.row + 1}: ${node.type}: ${node.text.slice(0, 80)}`];
  }
  return node.hasError ? node.children.flatMap(problems) : [];
}

// tree returns the node of a cursor: type, line, and text or children. The children of a
// string do not have the text between its variables, so a string comes with its text.
// A cursor is many times faster than a request to each node for its children.
function tree(cursor) {
  const type = cursor.nodeType;
  const line = cursor.startPosition.row + 1;
  if (!cursor.gotoFirstChild()) {
    return { type, line, text: cursor.nodeText };
  }
  const children = [];
  do {
    children.push(tree(cursor));
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  if (type.includes('string')) {
    children.push({ type: 'text', line, text: cursor.nodeText });
  }
  return { type, line, children };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { script } = JSON.parse(line);
  const parsed = parser.parse(script);
  const root = parsed.rootNode;
  const cursor = root.walk();
  const answer = { hasError: root.hasError, problems: problems(root), tree: tree(cursor) };
  process.stdout.write(JSON.stringify(answer) + '\n');
  // Before its tree: left to the garbage collector, it may free memory of later ones.
  cursor.delete();
  parsed.delete();
}
