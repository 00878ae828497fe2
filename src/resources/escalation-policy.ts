import type { Static } from 'typebox';
import { chatChannels, personalChannels } from './channels.ts';
import {
  choice,
  description,
  id,
  listOf,
  name,
  objectOf,
  optional,
  secret,
  text,
  wholeNumber,
} from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const target = objectOf({
  via: choice([...personalChannels, ...chatChannels], {
    doc: 'The channel to page by: a personal channel with user_id or oncall_schedule_id, or a chat with channel_id or webhook_url.',
  }),
  user_id: optional(
    id('The person to page. Use this or oncall_schedule_id.', {
      to: 'user',
      within: 'organization',
    }),
  ),
  oncall_schedule_id: optional(
    id(
      'The schedule whose on-call people are paged. Pager looks them up when the step runs. Use this or user_id.',
      {
        to: 'oncall_schedule',
        within: 'organization',
      },
    ),
  ),
  channel_id: optional(
    text({
      doc: 'The chat service’s id of the channel to page, such as C024BE91L. Use this or webhook_url.',
      min: 1,
    }),
  ),
  channel_name: optional(
    text({
      doc: 'The display name of the chat channel, such as #incidents. It does not affect delivery.',
    }),
  ),
  mention: optional(
    text({ doc: 'Whom the chat message mentions, such as @channel. If absent, nobody.' }),
  ),
  webhook_url: optional(
    secret({
      doc: 'The incoming webhook of the chat. Use this or channel_id.',
      max: 2_048,
      format: 'uri',
      writeOnly: true,
    }),
  ),
});

const step = objectOf({
  targets: listOf(target, {
    doc: 'The targets of this step. All are paged at once.',
    max: 2_000,
  }),
  escalate_after_minutes: optional(
    wholeNumber({
      doc: 'The number of minutes without an acknowledgement after which the next step runs. At least 1, except on the last step, where it has no effect.',
      min: 0,
      max: 1_440,
    }),
  ),
});

export type Target = Static<typeof target>;
export type Step = Static<typeof step>;

const isPersonal = (via: string) => (personalChannels as readonly string[]).includes(via);

export const escalationPolicy = resource({
  name: 'escalation_policy',
  table: 'escalation_policies',
  route: 'escalation-policies',
  doc: 'Defines who is paged, by which channel, and in what order.',
  fields: {
    name: name('The name of the policy, shown wherever you choose a policy.'),
    steps: listOf(step, {
      doc: 'The steps, in order. They run until someone acknowledges.',
      max: 50,
    }),
    delay_minutes: optional(
      wholeNumber({
        doc: 'The number of minutes between the opening of an incident and the first step. Default: 0.',
        min: 0,
        max: 1_440,
      }),
    ),
    description: description('policy'),
    archive_replacement_policy_id: optional(
      id(
        'The policy that replaces this one in integrations, rules and playbooks when this policy is archived.',
        {
          to: 'escalation_policy',
          within: 'team',
        },
      ),
    ),
  },
  // Terraform quotes the lines of what a warning is shown at, and those of steps may have secrets.
  effectsAt: 'name',
  check: (policy) => [...everyStepButTheLastWaits(policy.steps), ...targetsAreWhole(policy.steps)],
});

function everyStepButTheLastWaits(steps: readonly Step[]): Problem[] {
  return steps.slice(0, -1).flatMap((each, index) =>
    (each.escalate_after_minutes ?? 0) >= 1
      ? []
      : [
          {
            path: `steps[${index}].escalate_after_minutes`,
            message: 'must be at least 1 on every step except the last',
          },
        ],
  );
}

function targetsAreWhole(steps: readonly Step[]): Problem[] {
  return steps.flatMap((each, stepIndex) =>
    each.targets.flatMap((one, targetIndex) =>
      (isPersonal(one.via) ? personalTarget(one) : chatTarget(one)).map(({ path, message }) => ({
        path: `steps[${stepIndex}].targets[${targetIndex}]${path}`,
        message,
      })),
    ),
  );
}

function personalTarget(one: Target): Problem[] {
  const problems: Problem[] = [];
  if ((one.user_id === undefined) === (one.oncall_schedule_id === undefined)) {
    problems.push({
      path: one.user_id === undefined ? '.user_id' : '.oncall_schedule_id',
      message: `via ${one.via} requires exactly one of user_id and oncall_schedule_id`,
    });
  }
  for (const field of ['channel_id', 'channel_name', 'mention', 'webhook_url'] as const) {
    if (one[field] !== undefined)
      problems.push({ path: `.${field}`, message: `is not allowed with via ${one.via}` });
  }
  return problems;
}

function chatTarget(one: Target): Problem[] {
  const problems: Problem[] = [];
  if ((one.channel_id === undefined) === (one.webhook_url === undefined)) {
    problems.push({
      path: one.channel_id === undefined ? '.channel_id' : '.webhook_url',
      message: `via ${one.via} requires exactly one of channel_id and webhook_url`,
    });
  }
  for (const field of ['user_id', 'oncall_schedule_id'] as const) {
    if (one[field] !== undefined)
      problems.push({ path: `.${field}`, message: `is not allowed with via ${one.via}` });
  }
  return problems;
}
