// Where the program tells its operator what happens: JSON for programs, lines for eyes.
import { type DestinationStream, destination, type Logger, levels, pino } from 'pino';
import type { Config } from './config.ts';
import { type Colour, coloured, harmless, wantsColours } from './terminal.ts';

type Form = Pick<Config, 'logLevel' | 'logFormat'>;

/** Of the server, on standard output. */
export const createLog = (form: Form): Logger => logOn(process.stdout, form);

/** Of a command whose output is its result: on standard error, what its operator must know. */
export const createCommandLog = ({ logFormat }: Pick<Config, 'logFormat'>): Logger =>
  logOn(process.stderr, { logLevel: 'warn', logFormat });

type Stream = { readonly fd: number; readonly isTTY?: boolean };

/** At once, so that what is said last before the process ends is said. */
function logOn(stream: Stream, { logLevel, logFormat }: Form): Logger {
  const out = destination({ dest: stream.fd, sync: true });
  // Of a terminal that was closed, while what was accepted is finished.
  out.on('error', () => undefined);
  const hasColours = wantsColours(stream, process.env);
  const readable: DestinationStream = {
    write: (line) => void out.write(readableLine(line, hasColours)),
  };
  return pino({ level: logLevel }, logFormat === 'text' ? readable : out);
}

const ofEveryLine = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const colours = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green' } as const;

/** One line of the log for people, and below it where a fault came from. */
export function readableLine(json: string, hasColours: boolean): string {
  const record: Readonly<Record<string, unknown>> = JSON.parse(json);
  const style = (colour: Colour, text: string) => (hasColours ? coloured(colour, text) : text);
  const level = levels.labels[Number(record['level'])] ?? '';
  const colour = Object.entries(colours).find(([name]) => name === level)?.[1] ?? 'gray';
  const fields = Object.entries(record)
    .filter(([name]) => !ofEveryLine.has(name))
    .map(([name, value]) => `${name}=${valueText(value)}`);
  const line = [
    style('gray', clockTime(Number(record['time']))),
    style(colour, level.padEnd(5)),
    harmless(String(record['msg'] ?? '')),
    ...(fields.length === 0 ? [] : [style('gray', fields.join(' '))]),
  ].join(' ');
  return `${line}\n${faultText(record['err'])}`;
}

const clockTime = (time: number) =>
  Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(Temporal.Now.timeZoneId())
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');

/** Quoted where a reader could not tell where it ends. */
function valueText(value: unknown): string {
  if (typeof value === 'string' && /^[\w./:@+,-]+$/.test(value)) return value;
  return harmless(JSON.stringify(value));
}

function faultText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { stack, message }: { stack?: unknown; message?: unknown } = error;
  const lines = harmless(String(stack ?? message)).split('\n');
  return lines.map((line) => `    ${line}\n`).join('');
}
