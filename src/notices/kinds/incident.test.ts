import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAlert, byMail, eve, Life, withSteps } from '../../../test/incident-life.ts';
import type { Incident } from '../../incidents/incident.ts';
import { defaultLanguage, type Language, languages } from '../../resources/language.ts';
import { wordsOf } from '../notice.ts';
import { compose } from '../queued.ts';

type Due = { incident: Incident; kind?: 'page' | 'all_clear'; step?: number; language?: Language };

function wordsOfDue({ incident, kind = 'page', step = 0, language = defaultLanguage }: Due) {
  const due = {
    organization_id: 'org',
    organizationName: 'Acme',
    key: 'key',
    channel: 'telegram',
    address: '42',
    recipient: 'Lin',
    mention: null,
    why: 'step 2 of policy Ops',
    user_id: 'lin',
    timezone: 'Etc/UTC',
    language,
  };
  const about = { about: 'incident', kind, step, incident } as const;
  const { cycle } = incident.escalation;
  const options = { publicUrl: '', linkFor: () => '', handleFor: () => '' };
  return wordsOf(
    compose({ ...due, ...about, cycle, serviceName: 'Shop', role: 'responder' }, options),
  );
}

const leadOf = (due: Due) => wordsOfDue(due).lead;

test('a page of a step that nobody waited for says that somebody escalated', () => {
  const life = new Life({
    integration: withSteps([byMail('ada', 5), byMail('lin', 5), byMail('ada', 5)]),
  });
  assert.equal(leadOf(life), 'Incident triggered');
  life.does({ type: 'escalate', by: eve }, 1);
  const lead = (language: Language) => leadOf({ ...life, step: 1, language });
  assert.deepEqual(languages.map(lead).toSorted(), [
    'Auf Stufe 2 eskaliert',
    'Escalado al paso 2',
    "Escaladé à l'étape 2",
    'Escalated to step 2',
  ]);
  life.wakes(6);
  assert.equal(life.escalation.nextStep, 3);
  // Somebody answered step 1.
  assert.equal(leadOf({ ...life, step: 2 }), 'Nobody answered step 2');
});

test('a page of a step whose time came says which steps nobody answered', () => {
  const life = new Life({
    integration: withSteps([byMail('ada', 5), byMail('lin', 5), byMail('ada', 5)]),
  });
  life.wakes(5);
  assert.equal(leadOf({ ...life, step: 1 }), 'Nobody answered step 1');
  life.wakes(10);
  assert.equal(leadOf({ ...life, step: 2 }), 'Nobody answered steps 1 to 2');
  // The round begins again, which nobody requested.
  life.does({ type: 'escalate', by: eve }, 11);
  assert.equal(leadOf({ ...life, step: 0 }), 'Incident triggered');
  life.wakes(16);
  assert.equal(leadOf({ ...life, step: 1 }), 'Nobody answered step 1');
});

test('a notice about a resolved incident leaves out that its alert was firing', () => {
  const details = {
    status: 'firing',
    host: 'db-1',
    disk: { state: 'Alerting', status: 'degraded' },
  };
  const life = new Life({ alert: buildAlert({ details }) });
  const rowsOf = (kind: 'page' | 'all_clear') =>
    wordsOfDue({ ...life, kind }).rows?.map(({ name, value }) => `${name}=${value}`);
  const others = ['host=db-1', 'disk.status=degraded'];
  assert.deepEqual(rowsOf('page')?.toSorted(), [
    'disk.state=Alerting',
    ...others.toReversed(),
    'status=firing',
  ]);
  life.does({ type: 'resolve', by: eve }, 1);
  assert.deepEqual(rowsOf('all_clear'), others);
});
