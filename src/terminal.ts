// What a command shows to people: where, in which colours, and without what could harm a terminal.
import { stripVTControlCharacters, styleText } from 'node:util';

export type Colour = 'red' | 'yellow' | 'green' | 'gray';

export type Terminal = {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Null where nothing is to be cut: in a file or a pipe. */
  readonly columns: number | null;
  readonly hasColours: boolean;
  /** By which times are shown and read. */
  readonly zone: string;
};

export function terminalOf(environment: NodeJS.ProcessEnv): Terminal {
  const { stdout, stderr } = process;
  return {
    write: (text) => stdout.write(text),
    writeError: (text) => stderr.write(text),
    columns: stdout.isTTY ? stdout.columns : null,
    hasColours: wantsColours(stdout, environment),
    zone: Temporal.Now.timeZoneId(),
  };
}

type Stream = { readonly isTTY?: boolean };

export const wantsColours = ({ isTTY = false }: Stream, environment: NodeJS.ProcessEnv): boolean =>
  isTTY && !environment['NO_COLOR'];

export const coloured = (colour: Colour, text: string): string =>
  styleText(colour, text, { validateStream: false });

/** What others sent must not move the cursor of a terminal, nor hide what is before it. */
export const harmless = (text: string): string =>
  stripVTControlCharacters(text).replace(
    /[^\P{C}\n]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
