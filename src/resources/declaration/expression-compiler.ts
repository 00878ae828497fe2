/** A regular expression that is compiled. */
export type Expression = {
  /** How many instructions it takes. */
  readonly size: number;
  matches(text: string): boolean;
};
export type InvalidExpression = { readonly problem: string };
export type CompileExpression = (source: string) => Expression | InvalidExpression;
