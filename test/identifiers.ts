// The identifiers of a TypeScript text, without its comments, strings and regular expressions.
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/** What a `/` after it divides; after anything else it begins a regular expression. */
const operands: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
]);

export function identifiersIn(text: string): readonly string[] {
  const scanner = createScanner(true);
  scanner.setText(text);
  const identifiers: string[] = [];
  /** Open braces within each template literal that is open. */
  const templates: number[] = [];
  let before = SyntaxKind.Unknown;
  for (;;) {
    let token = scanner.scan();
    if (token === SyntaxKind.EndOfFile) return identifiers;
    if (token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken)
      if (!operands.has(before)) token = scanner.reScanSlashToken();
    const open = templates.length - 1;
    const depth = templates[open];
    if (token === SyntaxKind.TemplateHead) templates.push(0);
    else if (depth !== undefined && token === SyntaxKind.OpenBraceToken)
      templates[open] = depth + 1;
    else if (depth !== undefined && token === SyntaxKind.CloseBraceToken) {
      if (depth > 0) templates[open] = depth - 1;
      else {
        token = scanner.reScanTemplateToken(false);
        if (token === SyntaxKind.TemplateTail) templates.pop();
      }
    }
    if (token === SyntaxKind.Identifier || token === SyntaxKind.PrivateIdentifier)
      identifiers.push(scanner.getTokenText());
    before = token;
  }
}

/** `toldAt_MS` -> told, at, ms. */
export const wordsOf = (identifier: string): readonly string[] =>
  identifier
    .split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
