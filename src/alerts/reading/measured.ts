// Instants and measured values in a text: each message of one problem has others.
import { spend } from '../effort.ts';

const ZONE = '(?:\\s?(?:Z|UTC|GMT|[ECMP][SD]T|CES?T|BST|JST|KST|MSK)\\b|\\s?[+-]\\d{2}:?\\d{2})?';
const CLOCK = '(?:[01]?\\d|2[0-3]):[0-5]\\d';
const HALF = '\\s?[AaPp]\\.?[Mm]\\b\\.?';
const DAY = '(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\\.?';
/** 10:00 alone may be a port or the name of a job: it is an instant where a word or brackets say so. */
const instants = [
  `\\d{4}[-/]\\d{2}[-/]\\d{2}(?:(?:T|,? )\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?)?${ZONE}`,
  // Sat Nov 28 03:00:01 UTC 2026; November 28, 2026 at 5:51 AM; Sat, 28 Nov 2026 03:00:01 +0100
  `${DAY}\\b${MONTH} {1,2}\\d{1,2}(?:,? \\d{4})?,?(?: at)? ${CLOCK}(?::[0-5]\\d)?(?:${HALF})?${ZONE}(?: \\d{4}\\b)?`,
  `${DAY}(?<![\\w./-])\\d{1,2}[ /-]${MONTH}[ /-]\\d{4}(?:(?:,? |:)${CLOCK}(?::[0-5]\\d)?(?:${HALF})?${ZONE})?(?![\\w/-])`,
  `(?<![\\w./:-])\\d{1,2}(?:\\.\\d{1,2}\\.|/\\d{1,2}/)\\d{4}(?:,? ${CLOCK}(?::[0-5]\\d)?(?:${HALF})?)?${ZONE}(?![\\w/-]|[.:]\\d)`,
  `(?<![\\w.\\]:-])${CLOCK}(?::[0-5]\\d(?:[.,]\\d{1,9})?(?:${HALF})?|${HALF})${ZONE}(?![\\w:]|\\.\\d)`,
  `(?<=\\b(?:at|as of|since|until|till|um|seit|bis|kl\\.?|desde|depuis|alle|dalle|om|sinds) |@ ?|(?<!\\p{L})à )${CLOCK}${ZONE}(?![\\w:]|\\.\\d)`,
  '(?<=[[(])(?:[01]\\d|2[0-3]):[0-5]\\d(?=[\\])])',
].join('|');
const INSTANTS = new RegExp(instants, 'gu');

const NUMBER = '[-+]?\\d+(?:[.,]\\d+)?';
/** Behind these stands what a rule compares with: it tells rules apart. */
const NOT_COMPARED =
  '(?<!(?:[<>≤≥]=?|\\b(?:above|below|over|under|than|exceed(?:s|ed|ing)?|threshold|limit)(?: of)?) ?)';
/** What is said to be so, and not the name of something: Sensor 1.2345, Disk 2 TB. */
const STATED =
  '(?<=\\b(?:is|was|at|now|currently|only|used|free|usage|using|left|remaining|available|reached|load|average|value) ?[:=]? ?|= ?)';
const BYTES = '(?:[kKMGTP]i?B|bytes?)';
const quantities = [
  `${NUMBER}\\s?(?:%|percent\\b|°C|°F)`,
  `${NUMBER}\\s?(?:ms|µs|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?)(?![\\w/])`,
  // Camera 3 h is no duration.
  '[-+]?(?:\\d+(?:[.,]\\d+)?[dhms]){1,5}(?![\\w/])',
  `${STATED}${NUMBER}\\s?${BYTES}(?![\\w/])`,
  `${NUMBER}\\s?${BYTES}(?= (?:of|used|free|left|remaining|available)\\b)`,
  `${STATED}\\d+\\.\\d{3,}(?![\\w.:])`,
].join('|');
const QUANTITIES = new RegExp(`(?<![\\w.:-])(?=[-+\\d])${NOT_COMPARED}(?:${quantities})`, 'gu');

/** A text without the instants and the measured values in it. */
export function unmeasured(text: string): string {
  spend(text.length);
  return text.replace(INSTANTS, '').replace(QUANTITIES, '').replace(/\s+/g, ' ').trim();
}

/** A line without the instant that it ends in: when it was sent is no part of what it says. */
export function withoutLastInstant(line: string): string {
  spend(line.length);
  const last = [...line.matchAll(INSTANTS)].at(-1);
  const behind = last === undefined ? '' : line.slice(last.index + last[0].length);
  if (last === undefined || !/^[\s)\]>.,!]*$/.test(behind)) return line;
  const rest = line.slice(0, last.index).slice(-MOST_BEFORE).replace(BEFORE_INSTANT, '');
  const before = line.slice(0, Math.max(0, last.index - MOST_BEFORE));
  return /[\p{L}\p{N}]/u.test(before + rest) ? before + rest : line;
}

const MOST_BEFORE = 50;
const BEFORE_INSTANT =
  /(?:[\s,;|([<@–—-]|(?<![\p{L}\p{N}])(?:at|on|since|as of|time:|date:|um|am|seit|à|le|depuis|desde|el|dal|op|sinds|kl\.?))+$/iu;
