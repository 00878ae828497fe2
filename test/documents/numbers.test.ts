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
      '| one contact, even after it was removed and added again | # a minute |',
      accessLimits.codePause,
    ],
    ['| one person | # an hour |', accessLimits.codesAnHour],
    ['| one number, for all people together | # in 24 hours |', accessLimits.codesToNumber],
    ['to phone numbers | # in 24 hours |', accessLimits.codesOfOrganization],
    ['valid for # minutes and # attempts', accessLimits.codeMinutes, accessLimits.codeTries],
    ['Each person can send # an hour', accessLimits.testsAnHour],
    ['# in 24 hours for a number and', accessLimits.testsToNumber],
    ['# in 24 hours for an organization', accessLimits.testsOfOrganization],
    ['responded through it within # days', accessLimits.proofDays],
  ],
  'connections/discord.md': [['names them, at most every # seconds', sendingLimits.postedCounts]],
  'connections/msteams.md': [['names them, at most every # seconds', sendingLimits.postedCounts]],
  'connections/slack.md': [['names them, at most every # seconds', sendingLimits.postedCounts]],
  'connections/smtp.md': [
    ['every # minutes while it fails', sendingLimits.checkFailingEvery],
    ['After # minutes, admins are notified', sendingLimits.connectionFailing],
    ['for up to # hours', sendingLimits.retriesEndHours],
  ],
  'dashboard.md': [['yes, # shifts at most', queryLimits.overridesAtOnce]],
  'event-stream.md': [
    ['after # seconds without anything else', eventStreamLimits.heartbeat],
    ['the next # seconds are quiet', eventStreamLimits.resetPause],
    ['More than # changes at once', eventStreamLimits.hints],
    ['A stream ends after # minutes', eventStreamLimits.time],
    ['can have # streams at once', eventStreamLimits.streamsOfOne],
    ['every # ms, or at most', eventStreamLimits.interval],
    ['at most every # ms while', eventStreamLimits.ownInterval],
  ],
  'noise.md': [
    ['at most every # seconds, and notify nobody', sendingLimits.postedCounts],
    ['# minutes after an acknowledgement', incidentsLimits.joinAcknowledged],
  ],
  'events-in.md': [
    ['A request can contain # alerts', eventsLimits.alerts],
    ['up to # characters. A longer title', eventsLimits.titleLength],
    ['http and https only, # at most', eventsLimits.links],
    ['the query (up to # characters)', eventsLimits.queryLength],
    ['The default is a day, the maximum # days', accessLimits.tokenGraceMinutesMax / 1_440],
    ['the previous token within # seconds', memoryLimits.tokensTime / 1_000],
    [
      'A key has # to # printable characters',
      ...[accessLimits.adoptedKeyMin, accessLimits.adoptedKeyMax],
    ],
    ['An integration can have at most #.', accessLimits.adoptedKeys],
    ['each of the last # keys its kind', memoryLimits.unknownKeys],
  ],
  'incidents.md': [
    ['If a key triggers # times in a minute', incidentsLimits.stormTriggers],
    ['| `reopen`, within # hours |', incidentsLimits.reopenHours],
    ['in at most # incidents', queryLimits.incidentsSearched],
    ['searches in at most # pages', queryLimits.pagesSearched],
    ['one row for each page, at most #.', queryLimits.pagesExported],
    ['an interval of at most # days', queryLimits.pageCountDays],
    ['Beyond # pages, only the newest', queryLimits.pagesCounted],
    ['the last 28 days by default, at most # days', queryLimits.reportDays],
    ['(with `from` and `to`, at most # days apart)', queryLimits.reportDays],
    ['the # keys with the most incidents', queryLimits.keysReported],
    ['by integration, routing rule and key, at most # of each', queryLimits.keysReported],
    ['Beyond # incidents or pages', queryLimits.incidentsReported],
    ['It contains the # most recent', queryLimits.incidentChanges],
    ['received from # hours before the incident', eventsLimits.changeHours],
    ['are valid for # days', accessLimits.linkDays],
  ],
  'mapping.md': [
    ['at most # `forms`', eventsLimits.mappingForms],
    ['The last # are kept', eventsLimits.mappingRevisions],
    [
      'at most # characters as JSON, # alternatives in a field, # characters in a path and # in a regular',
      ...[eventsLimits.mappingLength, eventsLimits.mappingAlternatives],
      ...[eventsLimits.mappingText, eventsLimits.expressionLength],
    ],
    ['It applies to the next event, within # seconds', memoryLimits.tokensTime / 1_000],
  ],
  'on-call.md': [
    ['send up to # overrides at once', queryLimits.overridesAtOnce],
    ['whose turns in the next # days moved', incidentsLimits.shiftsMovedDays],
    ['`?years=1` to `#`', queryLimits.coverageYears],
    ['or within # changes of turns and windows', queryLimits.moveSteps],
  ],
  'operating.md': [
    ['and exits within # seconds', runningLimits.stopTime / 1_000],
    ['of its request gets # seconds', runningLimits.requestsTime / 1_000],
    ['that does not respond gets #.', runningLimits.noticesTime / 1_000],
    ['A key that you choose has # to # letters', accessLimits.keyMin, accessLimits.keyMax],
    ['once and within # days', accessLimits.invitationDays],
    ['otherwise when its lease of # seconds', sendingLimits.lease],
    ['Pager gives up after # hours', sendingLimits.retriesEndHours],
    ['hours and # attempts', sendingLimits.triesAtLeast],
  ],
  'playbooks.md': [
    ['only in the first # rounds', incidentsLimits.playbookCycles],
    ['One run has at most # actions', incidentsLimits.playbookActions],
  ],
  'preview.md': [['shifts in the next # days move to', incidentsLimits.shiftsMovedDays]],
  'push.md': [['at most # devices for pushes', accessLimits.browsers]],
  'routing-rules.md': [
    [
      'An expression can have at most # characters and searches the first # characters',
      ...[incidentsLimits.expressionLength, incidentsLimits.searched],
    ],
    ['A title is truncated to # characters', eventsLimits.titleLength],
  ],
  'security.md': [
    ['| its links, for # days |', accessLimits.linkDays],
    ['| a session of # days', accessLimits.sessionDays],
  ],
  'simulate.md': [
    ['continue after # days, the longest', queryLimits.simulationDays],
    ['continue after # timeline entries', queryLimits.simulationEntries],
    ['at most # rule conditions', queryLimits.conditionsExplained],
    ['A key can have # simulations', computingLimits.waitingOfOne],
    [
      'more than # seconds of processor time, or # MiB',
      ...[computingLimits.processor / 1_000, computingLimits.memory / MIB],
    ],
    ['up to # examples of each', queryLimits.replayExamples],
    [
      'at most the last # events, # MiB in total, and follows # notices',
      ...[queryLimits.replayEvents, queryLimits.replayBytes / MIB, queryLimits.replayNotices],
    ],
  ],
  'webhooks.md': [
    ['Each attempt has # seconds to connect', sendingLimits.connectTime / 1_000],
    ['and # in total', sendingLimits.callTime / 1_000],
    ['with the first # KiB of its response', sendingLimits.answerStored / KIB],
    ['at most # calls at once', sendingLimits.ofRecipient],
    ['up to # while it responds quickly', sendingLimits.ofQuickRecipient],
    ['`details` is larger than # KiB', sendingLimits.formDetails / KIB],
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
