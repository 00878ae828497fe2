// The numbers that the prose of docs/*.md gives are those of src/limits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessLimits } from '../../src/limits/access.ts';
import { computingLimits } from '../../src/limits/computing.ts';
import { eventStreamLimits } from '../../src/limits/event-stream.ts';
import { eventsLimits } from '../../src/limits/events.ts';
import { incidentsLimits } from '../../src/limits/incidents.ts';
import { KIB, MIB } from '../../src/limits/limit.ts';
import { memoryLimits } from '../../src/limits/memory.ts';
import { queryLimits } from '../../src/limits/queries.ts';
import { runningLimits } from '../../src/limits/running.ts';
import { sendingLimits } from '../../src/limits/sending.ts';
import { root } from './checkout.ts';

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Each sentence, or part of one, with # in the place of each number. */
const claims: Readonly<Record<string, readonly (readonly [sentence: string, ...number[]])[]>> = {
  'contacts.md': [
    [
      '| one contact, also after it was removed and added again | # a minute |',
      accessLimits.codePause,
    ],
    ['| one person | # an hour |', accessLimits.codesAnHour],
    ['| one number, whoever adds it | # in 24 hours |', accessLimits.codesToNumber],
    ['to numbers | # in 24 hours |', accessLimits.codesOfOrganization],
    ['valid for # minutes and # tries', accessLimits.codeMinutes, accessLimits.codeTries],
    ['# an hour for a person. By phone', accessLimits.testsAnHour],
    ['# in 24 hours for a number, whoever requests them', accessLimits.testsToNumber],
    ['# in 24 hours for an organization', accessLimits.testsOfOrganization],
    ['answered through it within # days', accessLimits.proofDays],
  ],
  'event-stream.md': [
    ['after # seconds without anything else', eventStreamLimits.heartbeat],
    ['the next # seconds are quiet', eventStreamLimits.resetPause],
    ['More than # changes at once', eventStreamLimits.hints],
    ['A stream ends after # minutes', eventStreamLimits.time],
    ['may have # streams at a time', eventStreamLimits.streamsOfOne],
    ['every # ms, at most', eventStreamLimits.interval],
    ['at most every # ms while', eventStreamLimits.ownInterval],
  ],
  'events-in.md': [
    ['A request can contain # alerts', eventsLimits.alerts],
    ['up to # characters; a longer one is cut', eventsLimits.titleLength],
    ['http and https only, # at most', eventsLimits.links],
    ['the query (up to # characters)', eventsLimits.queryLength],
    ['a day if that is absent, # days at most', accessLimits.tokenGraceMinutesMax / 1_440],
    ['within # seconds. A rotation', memoryLimits.tokensTime / 1_000],
    [
      'A key has # to # printable characters',
      ...[accessLimits.adoptedKeyMin, accessLimits.adoptedKeyMax],
    ],
    ['An integration has at most #.', accessLimits.adoptedKeys],
    ['each of the last # keys its kind', memoryLimits.unknownKeys],
  ],
  'incidents.md': [
    ['triggers for the #th time in a minute', incidentsLimits.stormTriggers],
    ['| `reopen`, within # hours |', incidentsLimits.reopenHours],
    ['among at most # incidents', queryLimits.incidentsSearched],
    ['It has the # that came last', queryLimits.incidentChanges],
    ['those that came in the # hours before', eventsLimits.changeHours],
    ['are valid for # days', accessLimits.linkDays],
  ],
  'mapping.md': [
    ['Of at most # `forms`', eventsLimits.mappingForms],
    ['The last # are kept', eventsLimits.mappingRevisions],
    [
      'at most # characters as JSON, # alternatives in a field, # characters in a place and # in a regular',
      ...[eventsLimits.mappingLength, eventsLimits.mappingAlternatives],
      ...[eventsLimits.mappingText, eventsLimits.expressionLength],
    ],
    ['it holds for the next event, within # seconds', memoryLimits.tokensTime / 1_000],
  ],
  'on-call.md': [
    ['whose turns of the next # days moved', incidentsLimits.shiftsMovedDays],
    ['`?years=1` to `#`', queryLimits.coverageYears],
  ],
  'operating.md': [
    ['and ends, within # seconds', runningLimits.stopTime / 1_000],
    ['of its request is given #,', runningLimits.requestsTime / 1_000],
    ['that does not answer #,', runningLimits.noticesTime / 1_000],
    ['A key that you choose has # to # letters', accessLimits.keyMin, accessLimits.keyMax],
    ['once and within # days', accessLimits.invitationDays],
    ['else after its lease of # seconds', sendingLimits.lease],
    ['Given up # hours after it was decided', sendingLimits.retriesEndHours],
    ['was decided, and # tries', sendingLimits.triesAtLeast],
  ],
  'playbooks.md': [
    ['only in the first # rounds', incidentsLimits.playbookCycles],
    ['One run has at most # actions', incidentsLimits.playbookActions],
  ],
  'preview.md': [['shifts of the next # days go to', incidentsLimits.shiftsMovedDays]],
  'push.md': [['at most # devices that take pushes', accessLimits.browsers]],
  'routing-rules.md': [
    [
      'One has at most # characters and is looked for in the first # characters',
      ...[incidentsLimits.expressionLength, incidentsLimits.searched],
    ],
    ['A title is cut to # characters', eventsLimits.titleLength],
  ],
  'security.md': [
    ['| its links, for # days |', accessLimits.linkDays],
    ['| a session of # days', accessLimits.sessionDays],
  ],
  'simulate.md': [
    ['continue after # days, the longest', queryLimits.simulationDays],
    ['continue after # timeline entries', queryLimits.simulationEntries],
    ['at most # conditions are explained', queryLimits.conditionsExplained],
    ['A key may have # simulations', computingLimits.waitingOfOne],
    [
      'more than # seconds of a processor, or # MiB',
      ...[computingLimits.processor / 1_000, computingLimits.memory / MIB],
    ],
    ['up to # examples of each', queryLimits.replayExamples],
    [
      'At most the last # events are read, of # MiB together, and # notices',
      ...[queryLimits.replayEvents, queryLimits.replayBytes / MIB, queryLimits.replayNotices],
    ],
  ],
  'webhooks.md': [
    ['Each try has # seconds to connect', sendingLimits.connectTime / 1_000],
    ['and # in all', sendingLimits.callTime / 1_000],
    ['with the first # KiB of its answer', sendingLimits.answerStored / KIB],
    ['at most # calls under way at once', sendingLimits.ofRecipient],
    ['up to # while it answers quickly', sendingLimits.ofQuickRecipient],
    ['`details` of more than # KiB', sendingLimits.formDetails / KIB],
  ],
};

for (const [page, sentences] of Object.entries(claims))
  test(`the numbers of docs/${page} are those that hold`, () => {
    const text = readFileSync(join(root, 'docs', page), 'utf8').toLowerCase();
    const wrong = sentences.filter(([sentence, ...numbers]) => !isIn(text, sentence, numbers));
    assert.deepEqual(wrong, []);
  });

/** In figures or in words. */
function isIn(text: string, sentence: string, numbers: readonly number[]): boolean {
  const [begin = '', ...rest] = sentence.toLowerCase().split('#').map(escaped);
  assert.equal(rest.length, numbers.length, sentence);
  const pattern = rest.reduce(
    (before, part, index) => `${before}(?:${spelled(numbers[index] ?? 0)})${part}`,
    begin,
  );
  return new RegExp(pattern).test(text);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function spelled(number: number): string {
  const figures = [String(number), number.toLocaleString('en-US')];
  const word = { 50: 'fifty', 100: 'a hundred', 1000: 'thousand' }[number] ?? words[number];
  return [...figures, ...(word === undefined ? [] : [word])].join('|');
}
