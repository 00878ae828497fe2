import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asStoredDocument, refusesEachCorruption } from '../../../test/as-stored.ts';
import type { Retention } from '../../resources/retention.ts';
import type {
  OrganizationNotifications,
  PersonalNotifications,
  ScheduleNotifications,
} from '../../resources/shift-notifications.ts';
import {
  parseOfOrganization,
  parseOfSchedule,
  parsePersonal,
  parseRetention,
} from './stored-settings.ts';

const personal: PersonalNotifications = {
  shift_start: ['email', 'sms'],
  shift_end: [],
  shift_change: ['phone'],
  schedules: [{ oncall_schedule_id: 'rota', shift_start: ['email'] }],
};

const chat = { channel_id: 'C1', channel_name: 'Ops', mention: '@here' };
const hook = { webhook_url: { sealed: 'v2:AAAA' } };

const ofSchedule: ScheduleNotifications = {
  slack: [chat, hook],
  msteams: [{ webhook_url: 'https://teams.test/hook' }],
  outbound_webhook_ids: ['webhook'],
};
const ofOrganization: OrganizationNotifications = { ...ofSchedule, discord: [hook] };

const retention: Retention = {
  events_days: 1,
  outbox_days: 7,
  timelines_days: 30,
  audit_log_days: 30,
};

const path = 'settings';
const sorts = {
  'of a person': { parse: parsePersonal, path, document: personal },
  'of a schedule': { parse: parseOfSchedule, path, document: ofSchedule },
  'of what is kept': { parse: parseRetention, path: 'retention', document: retention },
  'of the organisation': {
    parse: parseOfOrganization,
    path: 'shift_notifications',
    document: ofOrganization,
  },
};
for (const [whose, { parse, ...corrupt }] of Object.entries(sorts))
  describe(whose, () => {
    const { document } = corrupt;
    test('settings are read back as they were written', () => {
      assert.deepEqual(parse(asStoredDocument(document)), document);
      assert.deepEqual(parse({}), {});
    });
    refusesEachCorruption(parse, corrupt);
  });

test('nothing is kept for no days', () => {
  const message = 'retention.events_days must be above 0';
  assert.throws(() => parseRetention({ events_days: 0 }), { message });
});
