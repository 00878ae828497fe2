import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listingVendor } from '../../resources/connections/vendors.ts';
import { useWrite } from '../api/use-write.ts';
import { channelsQuery } from '../me/queries.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Radios } from '../ui/radios.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { useSettings } from '../ui/use-settings.ts';
import { ChannelPicker } from './channel-picker.tsx';
import {
  chatChannelsQuery,
  organizationNoticesQuery,
  type Schedule,
  type TeamChannel,
  type TeamNotices,
  teamNoticesQuery,
  webhooksQuery,
} from './queries.ts';
import { noticeWords as words } from './words.ts';

type NotificationsTabProps = { schedule: Schedule; mayEdit: boolean };

export function NotificationsTab({ schedule, mayEdit }: NotificationsTabProps) {
  const query = useQuery(teamNoticesQuery(schedule.id));
  return (
    <>
      <Section title={words.people} text={words.peopleText}>
        <Link to="/me" className={buttonClass()}>
          {words.mine}
        </Link>
      </Section>
      <Section
        title={words.team}
        text={
          <>
            {words.teamText} {schedule.managed_by && words.managed}
          </>
        }
      >
        <Loaded query={query}>
          {(saved) => <TeamNoticesForm schedule={schedule} saved={saved} mayEdit={mayEdit} />}
        </Loaded>
      </Section>
    </>
  );
}

const vendors = ['slack', 'msteams'] as const;
type Vendor = (typeof vendors)[number];

type FormProps = NotificationsTabProps & { saved: TeamNotices };

function TeamNoticesForm({ schedule, saved, mayEdit }: FormProps) {
  const { draft: settings, setDraft: change, patch, isSaved, sent } = useSettings(saved);
  const saving = useWrite(['on-calls', schedule.id, 'notifications']);
  async function save() {
    const path = `/on-calls/${schedule.id}/notifications`;
    sent((await saving.send({ method: 'PATCH', path, body: patch, name: words.team })) !== null);
  }
  const fields = (
    <>
      {vendors.map((vendor) => (
        <OfVendor
          key={vendor}
          vendor={vendor}
          settings={settings}
          change={change}
          mayEdit={mayEdit}
        />
      ))}
      <Webhooks settings={settings} change={change} team={schedule.team_id} />
    </>
  );
  if (!mayEdit)
    return (
      <div className="flex max-w-md flex-col gap-4">
        <p className="text-ink2">{schedule.archived_at ? words.archivedNote : words.viewerNote}</p>
        <fieldset disabled className="flex min-w-0 flex-col gap-4">
          {fields}
        </fieldset>
      </div>
    );
  return (
    <Form isPending={saving.isPending} failure={saving.failure} onSave={() => void save()}>
      {fields}
      <Saved isSaved={isSaved} />
    </Form>
  );
}

type EditProps = {
  settings: TeamNotices;
  change: (settings: TeamNotices) => void;
  mayEdit: boolean;
};

function OfVendor({ vendor, settings, change, mayEdit }: EditProps & { vendor: Vendor }) {
  const { data: channels } = useQuery(channelsQuery);
  const { data: organization } = useQuery(organizationNoticesQuery);
  const own = settings[vendor];
  const { hasApp, isLoading } = useHasApp(vendor, mayEdit);
  const blank: TeamChannel = hasApp ? { channel_id: '' } : { webhook_url: '' };
  // What was typed comes back with the choice.
  const [typed, setTyped] = useState<readonly TeamChannel[]>();
  const name = words.vendors[vendor];
  const reason = channels?.find(({ channel }) => channel === vendor)?.reason;
  const set = (list: readonly TeamChannel[]) => change({ ...settings, [vendor]: list });
  const { [vendor]: _, ...others } = settings;
  const asOrganization = () => {
    if (own !== undefined) setTyped(own);
    change(others);
  };
  const choices = [
    { text: words.asOrganization, isChosen: own === undefined, choose: asOrganization },
    { text: words.own, isChosen: own !== undefined, choose: () => set(typed ?? [blank]) },
  ];
  return (
    // What a new channel is asked for depends on the connection.
    <fieldset disabled={isLoading} className="min-w-0 border-b border-line pb-4">
      <legend className="me-4 font-medium md:float-start">{name}</legend>
      <Radios choices={choices} />
      {reason !== undefined && <p className="clear-both text-sm text-ink2">{reason}</p>}
      {own === undefined && organization && (
        <p className="clear-both text-sm text-ink2">{namesOf(organization[vendor] ?? [])}</p>
      )}
      {own?.map((channel, index) => (
        <ChannelFields
          key={`${vendor} ${index}`}
          vendor={vendor}
          channel={channel}
          mayEdit={mayEdit}
          hasApp={hasApp}
          path={`${vendor}[${index}]`}
          title={words.channel(name, index + 1)}
          change={(next) => set(own.with(index, next))}
          remove={() => set(own.toSpliced(index, 1))}
        />
      ))}
      {own?.length === 0 && <p className="mt-2 text-ink2">{words.nobody}</p>}
      {own !== undefined && mayEdit && (
        <Button
          icon="plus"
          className="mt-3"
          aria-label={`${words.add}: ${name}`}
          onClick={() => set([...own, blank])}
        >
          {words.add}
        </Button>
      )}
    </fieldset>
  );
}

const isListed = (vendor: string) => listingVendor(vendor) !== undefined;

/** Whether a connection posts to channels: it knows some, or begins to. */
export function useHasApp(vendor: string, mayEdit: boolean) {
  const isEnabled = mayEdit && isListed(vendor);
  const { data, isLoading } = useQuery({ ...chatChannelsQuery(vendor, ''), enabled: isEnabled });
  const hasApp =
    isListed(vendor) && data !== undefined && !(data.complete && data.data.length === 0);
  return { hasApp, isLoading };
}

const list = new Intl.ListFormat();
const namesOf = (channels: readonly TeamChannel[]) =>
  channels.length === 0
    ? words.nobody
    : list.format(channels.map((one) => one.channel_name ?? one.channel_id ?? words.unnamed));

type ChannelFieldsProps = {
  vendor: string;
  hasApp: boolean;
  channel: TeamChannel;
  path: string;
  title: string;
  mayEdit: boolean;
  change: (channel: TeamChannel) => void;
  remove: () => void;
};

export function ChannelFields({
  channel,
  path,
  title,
  mayEdit,
  change,
  remove,
  ...of
}: ChannelFieldsProps) {
  const isById = channel.channel_id !== undefined;
  const set = (name: 'channel_name' | 'mention') => (value: string) => {
    const { [name]: _, ...rest } = channel;
    change(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <fieldset className="mt-3 grid min-w-0 gap-3 rounded-lg border border-line bg-surface p-3">
      <legend className="sr-only">{title}</legend>
      {mayEdit && isListed(of.vendor) && (of.hasApp || isById) && (
        <Radios choices={waysOf(channel, change)} />
      )}
      <AddressField
        channel={channel}
        path={path}
        mayEdit={mayEdit}
        change={change}
        vendor={of.vendor}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          path={`${path}.channel_name`}
          label={words.channelName}
          placeholder="#on-call"
          value={channel.channel_name ?? ''}
          onChange={set('channel_name')}
        />
        <TextField
          path={`${path}.mention`}
          label={words.mention}
          placeholder="@here"
          value={channel.mention ?? ''}
          onChange={set('mention')}
        />
      </div>
      {mayEdit && (
        <Button
          icon="trash"
          className="justify-self-start"
          aria-label={words.drop(title)}
          onClick={remove}
        >
          {words.remove}
        </Button>
      )}
    </fieldset>
  );
}

function waysOf(channel: TeamChannel, change: ChannelFieldsProps['change']) {
  const { channel_id, webhook_url, ...rest } = channel;
  const isById = channel_id !== undefined;
  return [
    { text: words.byApp, isChosen: isById, choose: () => change({ ...rest, channel_id: '' }) },
    {
      text: words.byWebhook,
      isChosen: !isById,
      choose: () => change({ ...rest, webhook_url: '' }),
    },
  ];
}

type AddressFieldProps = Pick<
  ChannelFieldsProps,
  'vendor' | 'channel' | 'path' | 'mayEdit' | 'change'
>;

/** Where the messages go. */
function AddressField({ vendor, channel, path, mayEdit, change }: AddressFieldProps) {
  const { channel_id, webhook_url = '' } = channel;
  if (channel_id === undefined)
    return (
      <TextField
        path={`${path}.webhook_url`}
        label={words.url}
        help={words.urlHelp}
        type="url"
        autoComplete="off"
        value={webhook_url}
        onChange={(typed) => change({ ...channel, webhook_url: typed })}
      />
    );
  if (isListed(vendor) && mayEdit)
    return (
      <ChannelPicker via={vendor} path={`${path}.channel_id`} channel={channel} change={change} />
    );
  return (
    <TextField
      path={`${path}.channel_id`}
      label={words.channelId}
      {...(!isListed(vendor) && { help: words.channelIdHelp })}
      value={channel_id}
      onChange={(typed) => change({ ...channel, channel_id: typed })}
    />
  );
}

function Webhooks({ settings, change, team }: Omit<EditProps, 'mayEdit'> & { team: string }) {
  const { data: webhooks } = useQuery(webhooksQuery(team));
  const chosen = settings.outbound_webhook_ids ?? [];
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">{words.webhooks}</legend>
      <p className="text-sm text-pretty text-ink2">{words.webhooksText}</p>
      <div className="mt-2 flex flex-col gap-1">
        {webhooks?.map(({ id, name }) => (
          <CheckField
            key={id}
            path={`outbound_webhook_ids ${id}`}
            label={name}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) =>
              change({
                ...settings,
                outbound_webhook_ids: isChecked
                  ? [...chosen, id]
                  : chosen.filter((one) => one !== id),
              })
            }
          />
        ))}
        {webhooks?.length === 0 && <p className="text-ink2">{words.noWebhooks}</p>}
      </div>
    </fieldset>
  );
}
