// The words behind a verb of the operator's command.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from './engine/log.ts';
import { nearest } from './resources/nearest.ts';

type Expected<Options extends ParseArgsOptionsConfig> = {
  readonly options: Options;
  /** How many words may stand without dashes. */
  readonly positionalsMax?: number;
};

export type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** The words as they were expected, or a sentence that says which was not. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { options, positionalsMax = 0 }: Expected<Options>,
): Parsed<Options> | string {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const unexpected = parsed.positionals[positionalsMax];
    return unexpected === undefined ? parsed : `Unexpected argument ${unexpected}.`;
  } catch (error) {
    const message = messageOf(error);
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown === undefined) return message;
    const flags = Object.keys(options).map((name) => `--${name}`);
    return `There is no ${unknown}.${suggested(nearest(unknown, flags))}`;
  }
}

export const suggested = (name: string | null): string =>
  name === null ? '' : ` Did you mean ${name}?`;
