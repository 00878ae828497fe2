// Settings of shift notifications: of each person, and of each schedule.
import { chatChannels } from '../../resources/channels.ts';
import { masked } from '../../resources/declaration/references-and-secrets.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { mayAct } from '../../resources/roles.ts';
import {
  type OrganizationNotifications,
  type PersonalNotifications,
  personalNotifications,
  personalProblems,
  type ScheduleNotifications,
  scheduleNotifications,
  scheduleNotificationsOutput,
  teamProblems,
} from '../../resources/shift-notifications.ts';
import {
  type DecideSettings,
  type NotificationParts,
  type OfSchedule,
  readOfSchedule,
  readPersonal,
  writeOfSchedule,
  writePersonal,
} from '../../storage/oncall/notification-settings.ts';
import { findUser } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { warned } from '../answers.ts';
import { unpostableWarnings } from '../connections/unpostable-channels.ts';
import { Refusal } from '../failures.ts';
import { actOf, idIn, needsOwnOrAdmin, orNotFound, route } from '../people/writing.ts';
import { mergePatch } from '../records/body.ts';
import { withWarnings } from '../records/rendering.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type Declared, review } from './notification-settings.ts';

/** What an answer says of the schedule, and a write may send back. */
const ofWhich = ['oncall_schedule_id', 'archived_at'];

// In both, what is checked was read against the schema.
const ofPerson: Declared = {
  schema: personalNotifications,
  check: (fields) => personalProblems(fields as PersonalNotifications),
  ignored: ['warnings'],
};
const ofSchedule: Declared = {
  schema: scheduleNotifications,
  check: (fields) => teamProblems(fields as ScheduleNotifications),
  ignored: [...ofWhich, 'warnings'],
};

export const notificationRoutes = (parts: NotificationParts): Route[] => [
  ...personalRoutes(parts),
  ...scheduleRoutes(parts),
];

function personalRoutes(parts: NotificationParts): Route[] {
  const schema = personalNotifications;
  const tag = 'users';
  const changing = {
    tag,
    body: schema,
    ignored: ['warnings'],
    answers: { status: 200, schema: warned(schema) },
  };
  return [
    route('GET /users/:id/notifications', 'viewer', {
      tag,
      answers: { status: 200, schema },
      doc: 'Returns a person’s shift notification settings. Only admins can read those of other people.',
      async handle(call) {
        const id = await owner(parts, call);
        return ok(await readPersonal(parts, { organizationId: call.caller.organizationId, id }));
      },
    }),
    route('PUT /users/:id/notifications', 'responder', {
      ...changing,
      doc: 'Replaces a person’s shift notification settings. Absent fields return to their defaults.',
      handle: (call) => changePersonal(parts, call, false),
    }),
    route('PATCH /users/:id/notifications', 'responder', {
      ...changing,
      doc: 'Updates a person’s shift notification settings (RFC 7396). Null returns a field to its default.',
      handle: (call) => changePersonal(parts, call, true),
    }),
  ];
}

/** Whose settings they are: the caller's own, unless an admin calls. */
async function owner({ sql }: NotificationParts, call: Call): Promise<string> {
  const { id } = orNotFound(await findUser(sql, call.caller.organizationId, idIn(call)));
  needsOwnOrAdmin(call, id, 'settings');
  return id;
}

async function changePersonal(parts: NotificationParts, call: Call, isPatch: boolean) {
  const userId = await owner(parts, call);
  const { settings, warnings } = await reviewed(ofPerson, { call, isPatch }, (decide) =>
    writePersonal(parts, { act: actOf(call), userId, decide }),
  );
  return ok(withWarnings(settings, warnings));
}

function scheduleRoutes(parts: NotificationParts): Route[] {
  const schema = scheduleNotificationsOutput;
  const tag = oncallSchedule.table;
  const changing = {
    tag,
    body: scheduleNotifications,
    ignored: ofSchedule.ignored,
    answers: { status: 200, schema: warned(schema) },
  };
  return [
    route('GET /on-calls/:id/notifications', 'viewer', {
      tag,
      answers: { status: 200, schema },
      doc: 'Returns who else is notified of a schedule’s shifts.',
      async handle(call) {
        const schedule = { key: keyOf(call), scope: actOf(call) };
        const settings = rendered(orRefuse(await readOfSchedule(parts, schedule)));
        return ok(mayAct(call.caller, 'manager') ? settings : masked(schema, settings));
      },
    }),
    route('PUT /on-calls/:id/notifications', 'manager', {
      ...changing,
      doc: 'Replaces who else is notified of a schedule’s shifts. The version of the schedule does not change.',
      handle: (call) => changeOfSchedule(parts, call, false),
    }),
    route('PATCH /on-calls/:id/notifications', 'manager', {
      ...changing,
      doc: 'Updates who else is notified of a schedule’s shifts (RFC 7396).',
      handle: (call) => changeOfSchedule(parts, call, true),
    }),
  ];
}

async function changeOfSchedule(parts: NotificationParts, call: Call, isPatch: boolean) {
  const { settings, warnings } = await reviewed(ofSchedule, { call, isPatch }, async (decide) =>
    rendered(
      orRefuse(await writeOfSchedule(parts, { act: actOf(call), key: keyOf(call), decide })),
    ),
  );
  const lists: OrganizationNotifications = settings;
  const named = chatChannels.flatMap((via) =>
    (lists[via] ?? []).flatMap(({ channel_id: channelId }, index) =>
      channelId === undefined ? [] : [{ path: `${via}[${index}].channel_id`, via, channelId }],
    ),
  );
  const { organizationId } = call.caller;
  const unpostable = await unpostableWarnings(parts.sql, organizationId, named);
  return ok(withWarnings(settings, [...warnings, ...unpostable]));
}

const rendered = ({ id, archivedAt, settings }: OfSchedule) => ({
  oncall_schedule_id: id,
  ...settings,
  ...(archivedAt !== null && { archived_at: timeText(archivedAt) }),
});

const keyOf = (call: Call): string => call.params['id'] ?? '';

function orRefuse<Result extends object>(result: Result | 'not_found' | 'archived'): Result {
  if (typeof result === 'string') throw new Refusal(result);
  return result;
}

type Change = { readonly call: Call; readonly isPatch: boolean };

/** Writes what the call asks for, if nothing is wrong with it. */
async function reviewed(
  declared: Declared,
  { call, isPatch }: Change,
  write: (decide: DecideSettings) => Promise<object>,
): Promise<{ readonly settings: object; readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = [];
  const settings = await write(async (lookup, { before, teamId }) => {
    const sent = isPatch ? mergePatch(before, call.body) : call.body;
    const result = await review(declared, { sent, before, teamId }, lookup);
    warnings = result.warnings;
    return result.fields;
  });
  return { settings, warnings };
}
