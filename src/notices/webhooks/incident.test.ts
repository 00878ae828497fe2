import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asForm, parseForm } from '../../../test/bracketed-form.ts';
import { Life, later, noon } from '../../../test/incident-life.ts';
import type { Incident } from '../../incidents/incident.ts';
import {
  type IncidentPayload,
  type IncidentSnapshot,
  incidentContentOf,
  incidentPayload,
  incidentPayloadOf,
  testPayload,
} from './incident.ts';
import { samplePayload } from './sample-call.ts';

const named = (name: string) => ({ id: 'a'.repeat(24), name });
const organization = named('Acme & Sons');
const incident: Incident = {
  ...new Life().incident,
  id: 'b'.repeat(24),
  escalation_policy_id: 'c'.repeat(24),
};
const snapshot = (change: Partial<Incident> = {}): IncidentSnapshot => ({
  incident: { ...incident, ...change },
  team: named('Ops'),
  service: named('Shop'),
  integration: named('Checks'),
  responders: [
    { id: 'd'.repeat(24), first_name: 'Ada', last_name: 'E', email: 'ada@example.test' },
  ],
});
const payload = (change: Partial<Incident> = {}): IncidentPayload => {
  const url = 'https://pager.test/incidents/1';
  return incidentPayloadOf(snapshot(change), {
    event_type: 'incident_triggered',
    organization,
    url,
  });
};
const isPayload = new Ajv2020({ strict: false, validateFormats: false }).compile(incidentPayload);

test('the sample, a test, and incidents in any state keep to the published schema', () => {
  const url = 'https://pager.test/incidents/0';
  const all = [
    samplePayload(),
    testPayload({ organization, team: named('Ops'), url, webhook: 'Hook', now: noon }),
    payload(),
    payload({ priority: 'p2', severity: 'sev2', details: null }),
    payload({ status: 'acknowledged', acknowledged_at: noon }),
    payload({ status: 'resolved', resolved_at: later(1), links: [{ href: 'https://a.test' }] }),
  ];
  for (const one of all) assert.ok(isPayload(one), JSON.stringify(isPayload.errors));
});

test('the published schema takes no more and no less', () => {
  assert.ok(!isPayload({ ...payload(), more: 1 }));
  const { service: _missing, ...less } = payload().incident;
  assert.ok(!isPayload({ ...payload(), incident: less }));
});

test('what is not known is left out, and times are in UTC with milliseconds', () => {
  const { incident: open } = payload({ priority: null, severity: null, details: null });
  for (const name of ['priority', 'severity', 'details', 'acknowledged_at', 'resolved_at'])
    assert.equal(Object.hasOwn(open, name), false, name);
  const { incident: over } = payload({ resolved_at: noon });
  assert.equal(over.resolved_at, noon.toString({ fractionalSecondDigits: 3 }));
});

test('the addresses in the steps of its policy stay at home', () => {
  const webhook_url = 'https://chat.test/services/secret';
  const steps = [{ targets: [{ via: 'slack' as const, webhook_url }] }];
  const text = JSON.stringify(payload({ steps }));
  assert.equal(text.includes('secret'), false);
  assert.equal(text.includes('steps'), false);
});

test('by url-encoded the same is a form with bracketed names', () => {
  const details = { host: 'db-1', 'a & b': ['ü', 1, { deep: true }], none: null };
  const snapshot = payload({ details });
  const { type, body } = incidentContentOf(snapshot, 'url-encoded');
  assert.equal(type, 'application/x-www-form-urlencoded');
  assert.deepEqual(parseForm(body), asForm(snapshot));
  const { incident } = parseForm(body) as { incident: { service: { name: string } } };
  assert.equal(incident.service.name, 'Shop');
});

test('details that would make the form huge are one value in it, as JSON', () => {
  const name = 'n'.repeat(2_000);
  const details = { [name]: Array.from({ length: 1_000 }, (_, index) => index) };
  const { body } = incidentContentOf(payload({ details }), 'url-encoded');
  const { incident } = parseForm(body) as { incident: { details: string } };
  assert.deepEqual(JSON.parse(incident.details), details);
});
