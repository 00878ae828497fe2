// A small company with everything that people make by hand in a year: every kind of record, every
// form that it can take, names that no program likes, and references to what is gone.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are Terraform's.
import assert from 'node:assert/strict';
import type { Api, Reply } from '../system/api-client.ts';

export type Company = {
  /** Teams, people and records by the names of this file, as they were answered. */
  readonly made: Readonly<Record<string, Reply['body']>>;
  /** Secrets that no plain file may hold. */
  readonly secrets: readonly string[];
  /** How many of its active records Terraform can manage, and how many it cannot. */
  readonly managed: number;
  readonly leftOut: number;
};

/** Every text that has a meaning in Terraform's language, or is hard to write in it. */
export const awkwardTexts: readonly string[] = [
  '"quoted" and \\back\\slashed\\',
  '${shop} $${shop} $$${shop} $ { $',
  '%{ if true } %%{ %%%{ 100 %',
  'two\nlines\r\nand\ttabs',
  'bell \u0007, escape \u001b[31m, delete \u007f, next line \u0085',
  'line \u2028 and paragraph \u2029, turned \u202e around, \ufeff mark',
  'Cafe\u0301 Zürich, 支付, 👩‍💻, ﬁ',
  '# no comment // none /* none */ <<EOT',
  ' around ',
  '',
];

export async function buildCompany(api: Api): Promise<Company> {
  const company = new Builder(api);
  await company.people();
  await company.services();
  await company.webhooks();
  await company.schedules();
  await company.policies();
  await company.integrations();
  await company.rules();
  await company.otherTeam();
  await company.departures();
  return company.built();
}

const chat = 'https://chat.example.test/hooks/T0/secret-of-chat?a="b"&c=${d}';
const pages = 'https://user:secret-of-pages@hooks.example.test/pages';
const wiki = 'https://hooks.example.test/wiki?token=secret-of-wiki';
const wholeDay = { from_time: '00:00', to_time: '00:00' };
const turns = { length: 1, unit: 'weeks' };

class Builder {
  readonly #api: Api;
  readonly #made: Record<string, Reply['body']> = {};
  #managed = 0;
  #leftOut = 0;

  constructor(api: Api) {
    this.#api = api;
  }

  built(): Company {
    return {
      made: this.#made,
      secrets: [
        'secret-of-chat',
        'secret-of-pages',
        'secret-of-wiki',
        'secret-of-chat-2',
        'secret-of-header',
      ],
      managed: this.#managed,
      leftOut: this.#leftOut,
    };
  }

  async #make(as: string, route: string, fields: object): Promise<void> {
    this.#made[as] = await this.#api.create(route, fields);
  }

  async #managedOne(as: string, route: string, fields: object): Promise<void> {
    await this.#make(as, route, fields);
    this.#managed += 1;
  }

  async #leftOutOne(as: string, route: string, fields: object): Promise<void> {
    await this.#make(as, route, fields);
    this.#leftOut += 1;
  }

  #id(as: string): string {
    return this.#made[as]?.id ?? assert.fail(`${as} is not made yet`);
  }

  async people(): Promise<void> {
    const person = (as: string, first_name: string, last_name: string) =>
      this.#make(as, 'users', {
        first_name,
        last_name,
        email: `${as}@example.test`,
        role: 'responder',
      });
    await person('ada', 'Ada', 'Lovelace');
    await person('other.ada', 'ada', 'LOVELACE');
    await person('wang', '王', '');
    await person('leaver', 'Lee', '"${leaver}"');
    await this.#make('ops', 'teams', { name: 'Operations', default: true });
    await this.#make('web', 'teams', { name: 'Web "${front}"\n' });
    await this.#make('empty', 'teams', { name: 'Nobody' });
  }

  async services(): Promise<void> {
    const service = (as: string, fields: object) => this.#managedOne(as, 'services', fields);
    await service('payments', { name: 'Payments', description: 'Takes money.' });
    await service('payments again', { name: 'payments!' });
    await service('payments by counter', { name: 'payments 2' });
    await service('keyword', { name: 'null' });
    await service('digits', { name: '1st line' });
    await service('foreign', { name: '支付' });
    await service('described as nothing', { name: 'Quiet', description: '' });
    for (const [index, text] of awkwardTexts.entries())
      await service(`awkward ${index}`, { name: text || '-', description: text });
    await this.#make('closed', 'services', { name: 'Closed' });
  }

  async webhooks(): Promise<void> {
    const webhook = (as: string, fields: object) =>
      this.#managedOne(as, 'outbound-webhooks', { name: as, ...fields });
    await webhook('plain', { url: wiki });
    await webhook('pages', {
      url: pages,
      method: 'POST',
      content_type: 'url-encoded',
      description: '',
      headers: { Authorization: 'Basic "${secret-of-header}"\t\\', for: 'for', 'X-Empty': '' },
    });
    await webhook('no headers', { url: pages, headers: {} });
    const put = { name: 'put', url: 'https://hooks.example.test/put', method: 'PUT' };
    await this.#leftOutOne('put', 'outbound-webhooks', put);
  }

  async schedules(): Promise<void> {
    const [ada, wang] = [this.#id('ada'), this.#id('wang')];
    const weekend = { from_day: 'saturday', to_day: 'monday', ...wholeDay };
    const nights = { from_day: 'friday', from_time: '20:00', to_day: 'friday', to_time: '06:30' };
    await this.#managedOne('primary', 'on-calls', {
      name: 'Primary',
      timezone: 'america/new_york',
      layers: [
        { users: [ada, wang, ada], rotation: turns },
        {
          users: [wang],
          rotation: { length: 14, unit: 'days', handoff: '09:30' },
          restriction: { type: 'weekly', windows: [weekend, nights] },
        },
        {
          users: [ada, this.#id('leaver')],
          rotation: { ...turns, handoff: '08:00', handoff_day: 'tuesday' },
        },
      ],
    });
    await this.#managedOne('alone', 'on-calls', {
      name: 'Alone',
      layers: [{ users: [ada], rotation: turns }],
    });
    await this.#leftOutOne('gaps', 'on-calls', {
      name: 'Gaps',
      layers: [{ users: [ada, null], rotation: turns }],
    });
    await this.#leftOutOne('summer', 'on-calls', {
      name: 'Summer',
      layers: [{ users: [wang], rotation: turns, starts_at: '2030-06-01T00:00:00Z' }],
    });
    await this.#make('old schedule', 'on-calls', {
      name: 'Old',
      layers: [{ users: [ada], rotation: turns }],
    });
  }

  async policies(): Promise<void> {
    const policy = (as: string, fields: object) =>
      this.#managedOne(as, 'escalation-policies', { name: as, ...fields });
    const user_id = this.#id('ada');
    const mail = { steps: [{ targets: [{ via: 'email', user_id }] }] };
    await policy('mail', { ...mail, delay_minutes: 0, description: 'a\n"b"' });
    await policy('everything', {
      delay_minutes: 5,
      archive_replacement_policy_id: this.#id('mail'),
      steps: [
        {
          targets: [
            ...['phone', 'sms', 'email', 'whatsapp', 'telegram', 'push-notification'].map(
              (via) => ({ via, user_id }),
            ),
            { via: 'phone', oncall_schedule_id: this.#id('primary') },
            { via: 'phone', oncall_schedule_id: this.#id('gaps') },
            { via: 'sms', user_id: this.#id('leaver') },
          ],
          escalate_after_minutes: 1440,
        },
        {
          targets: [
            { via: 'slack', channel_id: 'C1', channel_name: '#ops', mention: '@channel' },
            { via: 'msteams', webhook_url: chat },
            { via: 'discord', webhook_url: `${chat}secret-of-chat-2`, mention: '' },
          ],
          escalate_after_minutes: 1,
        },
        {
          targets: [{ via: 'email', oncall_schedule_id: this.#id('old schedule') }],
          escalate_after_minutes: 0,
        },
      ],
    });
    await policy('circle', { ...mail, archive_replacement_policy_id: this.#id('everything') });
    await this.#make('old policy', 'escalation-policies', { name: 'Old', ...mail });
    await this.#change('escalation-policies', 'mail', {
      archive_replacement_policy_id: this.#id('circle'),
    });
  }

  async integrations(): Promise<void> {
    const service_id = this.#id('payments');
    const integration = (as: string, fields: object) =>
      this.#managedOne(as, 'integrations', {
        slug: 'webhook',
        service_id,
        escalation_policy_id: this.#id('everything'),
        ...fields,
      });
    await integration('bare', {});
    await integration('prometheus', {
      slug: 'prometheus',
      name: 'Prometheus "${a}"',
      description: 'All of it.',
      ack_timeout_minutes: 30,
      repeat_escalation: true,
      enabled: false,
      disable_incident_suppression: true,
      auto_resolve: { after: 3, unit: 'days' },
      resolve_when_quiet: { after: 5, unit: 'hours' },
    });
    await this.#api.send(`PUT /integrations/${this.#id('prometheus')}/mapping`, {
      forms: [
        {
          when: ['a~/${b}/'],
          title: ['{labels.host}: {text}', '["A.B"]'],
          key: [['labels.host', 'text > take /"(\\w+)"/'], ['id']],
          state: [{ at: ['state'], trigger: 'down', resolve: '/^up$/i', else: 'nothing' }],
          links: { 'Run book': ['url', 'labels.url'] },
        },
      ],
    });
    this.#managed += 1;
    await integration('mailbox', { slug: 'email', name: 'count', repeat_escalation: false });
    await integration('of what is gone', {
      name: 'Orphan',
      service_id: this.#id('closed'),
      escalation_policy_id: this.#id('old policy'),
    });
  }

  async rules(): Promise<void> {
    const rule = (as: string, fields: object) =>
      this.#managedOne(as, 'alert-rules', { name: as, ...fields });
    const always = [{ conditions: [{ type: 'allIncidents' }] }];
    const priority = [{ type: 'priority', priority: 'p1' }];
    await rule('every condition', {
      condition_groups: [{ conditions: everyCondition }, ...always],
      actions: priority,
      integration_ids: [this.#id('bare'), this.#id('of what is gone')],
      service_ids: [this.#id('payments'), this.#id('closed')],
      description: 'x'.repeat(10_000),
      enabled: false,
    });
    await this.#managedOne('runbook', 'playbooks', {
      name: 'Runbook',
      actions: this.#playbookActions(),
      run_automatically: ['escalated'],
    });
    await rule('every action', { condition_groups: always, actions: this.#everyAction() });
    await rule('placed', { condition_groups: always, actions: priority, position: 7 });
  }

  #everyAction(): readonly object[] {
    return [
      { type: 'priority', priority: 'p5' },
      { type: 'severity', severity: 'sev3' },
      { type: 'reassignIncident', user_id: this.#id('other.ada') },
      { type: 'escalationPolicy', escalation_policy_id: this.#id('mail') },
      { type: 'integration', integration_id: this.#id('bare') },
      ...['pages', 'put'].map((as) => ({
        type: 'outboundWebhook',
        outbound_webhook_id: this.#id(as),
      })),
      { type: 'resolveTimer', after: 90, unit: 'minutes' },
      { type: 'acknowledgeIncident' },
      { type: 'resolveIncident' },
      { type: 'ignoreIncident' },
      {
        type: 'groupIncident',
        by: ['group', 'details.labels.${cluster}'],
        window_minutes: 90,
        across: 'team',
      },
      { type: 'playbook', playbook_id: this.#id('runbook') },
      { type: 'title', template: '${title} %{if} {{title}}' },
    ];
  }

  #playbookActions(): readonly object[] {
    return [
      { type: 'note', text: 'Seen: ${title} {{title}}' },
      { type: 'addLink', href: 'https://wiki.example.test/' },
      { type: 'pagePerson', user_id: this.#id('ada'), via: 'sms' },
      { type: 'addResponder', user_id: this.#id('leaver') },
    ];
  }

  async otherTeam(): Promise<void> {
    const team_id = this.#id('web');
    const steps = [{ targets: [{ via: 'email', user_id: this.#id('wang') }] }];
    await this.#managedOne('shop', 'services', { name: 'Payments', team_id });
    await this.#managedOne('web policy', 'escalation-policies', { name: 'Web', team_id, steps });
    await this.#managedOne('web hook', 'integrations', {
      slug: 'webhook',
      team_id,
      service_id: this.#id('shop'),
      escalation_policy_id: this.#id('web policy'),
    });
    const route = { type: 'routeToTeam', team_id, integration_id: this.#id('web hook') };
    await this.#managedOne('to the other team', 'alert-rules', {
      name: 'To web',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [route],
    });
  }

  /** References stay when what they point to goes. */
  async departures(): Promise<void> {
    await this.#archive('services', 'closed');
    await this.#archive('escalation-policies', 'old policy');
    await this.#archive('on-calls', 'old schedule');
    await this.#change('users', 'leaver', { active: false });
  }

  async #change(route: string, as: string, fields: object): Promise<void> {
    const { status, body } = await this.#api.send(`PATCH /${route}/${this.#id(as)}`, fields);
    assert.equal(status, 200, JSON.stringify(body));
  }

  async #archive(route: string, as: string): Promise<void> {
    const { status, body } = await this.#api.send(`DELETE /${route}/${this.#id(as)}`);
    assert.equal(status, 200, JSON.stringify(body));
  }
}

const everyCondition: readonly object[] = [
  { type: 'allIncidents' },
  { type: 'incidentMessage', comparator: 'contains', text: 'disk "full" ${x}' },
  { type: 'incidentMessage', comparator: 'matches', text: '^\\d+%{2}$' },
  { type: 'incidentDetails', key: 'labels.severity', comparator: 'doesNotEqual', text: '' },
  { type: 'incidentRepeated', count: 3 },
  { type: 'incidentRepeatedWithin', count: 3, minutes: 60 },
  { type: 'incidentSuppressed', count: 1 },
  { type: 'incidentSuppressedWithin', count: 10, minutes: 5 },
  { type: 'incidentPriority', comparator: 'equals', priority: 'p1' },
  { type: 'incidentSeverity', comparator: 'doesNotEqual', severity: 'sev1' },
  { type: 'incidentTiming', start: '22:00', end: '06:00', timezone: 'Europe/Berlin' },
  { type: 'incidentDays', days: ['saturday', 'sunday'], timezone: 'Asia/Kathmandu' },
];
