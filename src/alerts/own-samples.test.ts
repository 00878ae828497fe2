// Each type reads the samples of our own as their tools document them, word for word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownMails } from '../../test/samples/mails.ts';
import { ownSamples } from '../../test/samples/own-samples.ts';
import type { Read } from '../../test/samples/sample.ts';
import { aboutSamples, alertsIn, ownSample } from '../../test/tool-samples.ts';
import { readMessage } from '../api/mail/message.ts';
import type { AlertEvent } from './alert.ts';
import { integrationTypes } from './index.ts';
import { email } from './types/email.ts';

const readOf = ({ action, dedup_key, title, severity, priority }: AlertEvent): Read => {
  const grade = [severity, priority].filter((one) => one !== undefined).join(' ');
  return grade === '' ? [action, dedup_key, title] : [action, dedup_key, title, grade];
};

const ofMail = integrationTypes.filter(({ slug }) => slug === email.slug);
const others = integrationTypes.filter((type) => !ofMail.includes(type));

for (const type of others)
  test(`each sample of ${type.slug} is read word for word`, () => {
    for (const sample of ownSamples[type.slug]?.sent ?? [])
      assert.deepEqual(
        alertsIn(ownSample(type, sample)).map(readOf),
        sample.reads,
        `${type.slug}: ${sample.what}`,
      );
  });

for (const { what, raw, reads } of ownMails)
  test(`a mail is read word for word by every type: ${what}`, async () => {
    const mail = await readMessage(Buffer.from(raw));
    assert.ok(mail);
    for (const type of integrationTypes) {
      const reading = type.read({ source: 'mail', ...mail }, aboutSamples);
      assert.ok('alerts' in reading);
      const want = reads === undefined ? [] : [reads];
      assert.deepEqual(reading.alerts.map(readOf), want, type.slug);
    }
  });

/** They send when a search or a rule matches, and nothing when it no longer does. */
const withoutEnds: readonly string[] = ['splunk', 'wazuh'];

test('each type has samples of how a problem begins, is repeated and ends', () => {
  const wrong = others.flatMap(({ slug }) => {
    const reads = (ownSamples[slug]?.sent ?? []).map((sample) => sample.reads);
    const keysOf = (action: string) =>
      reads.map((some) => some.filter(([one]) => one === action).map(([, key]) => key));
    const begun = keysOf('trigger').flat();
    const ended = keysOf('resolve').flat();
    return [
      ...(begun.some((key, index) => begun.indexOf(key) < index) ? [] : [`${slug}: no repeat`]),
      ...(begun.some((key) => ended.includes(key)) ? [] : [`${slug}: no end`]),
    ];
  });
  assert.deepEqual(
    wrong,
    withoutEnds.map((slug) => `${slug}: no end`),
  );
});

test('there are samples of no other types, and each has its page', () => {
  const slugs = others.map(({ slug }) => slug).sort();
  assert.deepEqual(Object.keys(ownSamples).sort(), slugs);
  for (const { source } of [...Object.values(ownSamples), ...ownMails])
    assert.match(source, /^https:\/\/|\bguide\b/);
});
