import { readFileSync } from 'node:fs';

/** A fenced code block of a Markdown file. */
export type Block = {
  /** Such as `docs/on-call.md:9`, for whoever looks for it. */
  readonly location: string;
  /** The heading above it that begins with `##`, without that. */
  readonly section: string;
  /** What follows the fence: the language and, perhaps, `no-run`. */
  readonly info: string;
  readonly text: string;
};

export function blocksOf(root: string, file: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: { line: number; info: string; indent: string; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(`${root}/${file}`, 'utf8').split('\n').entries()) {
    const [, indent = '', info = ''] = /^( *)```(.*)$/.exec(line) ?? [];
    if (open === undefined && line.startsWith('## ')) section = line.slice(3);
    const isFence = line.trimStart().startsWith('```');
    if (!isFence) open?.lines.push(unindented(line, open.indent));
    else if (open === undefined) open = { line: index + 1, info, indent, lines: [] };
    else {
      const { lines, line: at } = open;
      const text = `${lines.join('\n')}\n`;
      blocks.push({ location: `${file}:${at}`, section, info: open.info, text });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${file}:${open.line}: the block is never closed`);
  return blocks;
}

const unindented = (line: string, indent: string): string =>
  line.startsWith(indent) ? line.slice(indent.length) : line;
