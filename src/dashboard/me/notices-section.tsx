import { useQuery } from '@tanstack/react-query';
import { shiftChannels } from '../../resources/channels.ts';
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import { useWrite } from '../api/use-write.ts';
import { onCallQuery, usesQuery } from '../people/queries.ts';
import { channelNames } from '../ui/channel.ts';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Radios } from '../ui/radios.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { useSettings } from '../ui/use-settings.ts';
import { NoticeGrid } from './notice-grid.tsx';
import { asAbove, hasOwn, type NoticeSettings, withOwn } from './notices.ts';
import { channelsQuery, noticesQuery } from './queries.ts';
import { words } from './words.ts';

type MeProps = { me: { readonly id: string; readonly role: Role } };

export function NoticesSection({ me }: MeProps) {
  const settings = useQuery(noticesQuery(me.id));
  return (
    <Section title={words.notices} text={words.noticesText}>
      <Loaded query={settings}>
        {(saved) => (
          <NoticesForm userId={me.id} saved={saved} mayChange={mayAct(me, incidentRole)} />
        )}
      </Loaded>
    </Section>
  );
}

type NoticesFormProps = { userId: string; saved: NoticeSettings; mayChange: boolean };

function NoticesForm({ userId, saved, mayChange }: NoticesFormProps) {
  const { draft: settings, setDraft: change, patch, isSaved, sent } = useSettings(saved);
  const saving = useWrite(['users', userId, 'notifications']);
  const schedules = useSchedules(userId);
  async function save() {
    const path = `/users/${userId}/notifications`;
    sent((await saving.send({ method: 'PATCH', path, body: patch, name: words.notices })) !== null);
  }
  const choices = (
    <>
      <NoticeGrid
        title={words.allSchedules}
        settings={settings}
        scheduleId={null}
        onChange={change}
      />
      <WhyNot />
      {[...schedules].map(([id, name]) => (
        <OfSchedule key={id} id={id} name={name} settings={settings} onChange={change} />
      ))}
    </>
  );
  if (!mayChange)
    return (
      <fieldset disabled className="flex min-w-0 flex-col gap-4">
        {choices}
      </fieldset>
    );
  return (
    <Form isPending={saving.isPending} failure={saving.failure} onSave={() => void save()}>
      {choices}
      <Saved isSaved={isSaved} />
    </Form>
  );
}

/** Those that name the person, or on which they have a shift. */
function useSchedules(userId: string): ReadonlyMap<string, string> {
  const { data: uses = [] } = useQuery(usesQuery(userId));
  const { data: onCall } = useQuery(onCallQuery(userId));
  return new Map([
    ...uses
      .filter(({ type }) => type === 'oncall_schedule')
      .map(({ id, name }) => [id, name] as const),
    ...[...(onCall?.now ?? []), ...(onCall?.next ?? [])].map(
      (shift) => [shift.oncall_schedule_id, shift.name] as const,
    ),
  ]);
}

type OfScheduleProps = {
  id: string;
  name: string;
  settings: NoticeSettings;
  onChange: (settings: NoticeSettings) => void;
};

function OfSchedule({ id, name, settings, onChange }: OfScheduleProps) {
  const isOwn = hasOwn(settings, id);
  const choices = [
    { text: words.asAbove, isChosen: !isOwn, choose: () => onChange(asAbove(settings, id)) },
    { text: words.own, isChosen: isOwn, choose: () => onChange(withOwn(settings, id)) },
  ];
  return (
    <fieldset className="min-w-0 border-t border-line pt-4">
      <legend className="me-4 font-medium md:float-start">
        <bdi>{name}</bdi>
      </legend>
      <div className="mb-3">
        <Radios choices={choices} />
      </div>
      {isOwn && <NoticeGrid title={name} settings={settings} scheduleId={id} onChange={onChange} />}
    </fieldset>
  );
}

/** Why columns are disabled. */
function WhyNot() {
  const { data: channels } = useQuery(channelsQuery);
  const reasonOf = (name: string) =>
    channels?.find(({ channel }) => channel === name)?.reason ?? '';
  const reasons = Map.groupBy(
    shiftChannels.filter((channel) => reasonOf(channel) !== ''),
    reasonOf,
  );
  return (
    <ul className="text-sm text-pretty text-ink3 empty:hidden">
      {[...reasons].map(([reason, names]) => (
        <li key={reason}>
          {list.format(names.map((name) => channelNames[name]))}: {reason}
        </li>
      ))}
    </ul>
  );
}

const list = new Intl.ListFormat(undefined, { type: 'unit' });
