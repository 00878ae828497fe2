import { useState } from 'react';
import { priorities, severities } from '../../resources/priorities.ts';
import { visibleText } from '../../resources/visible-text.ts';
import type { Incident as Listed } from '../incidents/incident.ts';
import { muteText } from '../incidents/mute-text.ts';
import { mutesFrom } from '../incidents/mutes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { useOpenIncidents, useTeamRecords } from './act-queries.ts';
import { actWords } from './act-words.ts';
import { box } from './card.tsx';
import type { DialogAction, Incident } from './incident.ts';
import { usePeople } from './queries.ts';
import { type Acts, useActs } from './use-acts.ts';
import { words } from './words.ts';

type ActDialogProps = {
  id: string;
  incident: Incident;
  action: DialogAction;
  onClose: () => void;
};

/** What an action does, and what it needs to know. */
export function ActDialog({ id, incident, action, onClose }: ActDialogProps) {
  const acts = useActs(id);
  const act = async (body: object) => {
    if (await acts.act(action, body)) onClose();
  };
  return (
    <Dialog title={words.menu[action]} text={actWords.does[action]} isOpen onClose={onClose}>
      <Body incident={incident} action={action} acts={acts} act={act} onClose={onClose} />
    </Dialog>
  );
}

type BodyProps = Omit<ActDialogProps, 'id'> & {
  acts: Acts;
  act: (body: object) => Promise<void>;
};

function Body(props: BodyProps) {
  const { action, incident } = props;
  switch (action) {
    case 'mute':
      return <Choices {...props} choices={muteChoices()} />;
    case 'priority':
      return (
        <Choices {...props} choices={labelChoices('priority', priorities, incident.priority)} />
      );
    case 'severity':
      return (
        <Choices {...props} choices={labelChoices('severity', severities, incident.severity)} />
      );
    case 'reassign':
    case 'add-responder':
      return <PickPerson {...props} />;
    case 'run-playbook':
      return (
        <PickRecord {...props} route="playbooks" label={actWords.playbook} field="playbook_id" />
      );
    case 'call-webhook':
      return (
        <PickRecord
          {...props}
          route="outbound-webhooks"
          label={actWords.webhook}
          field="outbound_webhook_id"
        />
      );
    case 'merge':
      return <MergeInto {...props} />;
  }
}

type Choice = { readonly text: string; readonly body: object; readonly isCurrent?: boolean };

/** One press each. */
function Choices({ choices, acts, act }: BodyProps & { choices: readonly Choice[] }) {
  return (
    <div className="flex flex-col gap-2">
      {choices.map(({ text, body, isCurrent }) => (
        <WriteButton
          key={text}
          className="justify-start"
          {...(isCurrent && { icon: 'check' })}
          aria-pressed={isCurrent}
          aria-disabled={acts.pending !== null}
          onClick={() => void act(body)}
        >
          {text}
        </WriteButton>
      ))}
      <FailedWrite failure={acts.failure} />
      {acts.isTriedAgain && <p role="status">{uiWords.triedAgain}</p>}
    </div>
  );
}

const muteChoices = (): readonly Choice[] =>
  mutesFrom(new Date()).map((mute) => ({
    text: muteText(mute),
    body: mute.until === null ? {} : { until: mute.until.toISOString() },
  }));

const labelChoices = (
  field: 'priority' | 'severity',
  values: readonly string[],
  current: string | undefined,
): readonly Choice[] => [
  ...values.map((value) => ({
    text: value.toUpperCase(),
    body: { [field]: value },
    isCurrent: value === current,
  })),
  { text: actWords.none, body: { [field]: null }, isCurrent: current === undefined },
];

function PickPerson({ action, acts, act, onClose }: BodyProps) {
  const query = usePeople();
  const [userId, setUserId] = useState('');
  return (
    <Loaded query={query}>
      {(people) => (
        <Form
          save={words.menu[action]}
          isPending={acts.pending !== null}
          failure={acts.failure}
          onSave={() => void act({ user_id: userId })}
          onCancel={onClose}
        >
          <PickField
            path="user_id"
            label={actWords.person}
            picks={people.map(({ id, name }) => ({ value: id, label: name }))}
            mark={({ value, label }) => <PersonMark id={value} name={label} />}
            value={userId}
            onChange={setUserId}
          />
        </Form>
      )}
    </Loaded>
  );
}

type PickRecordProps = BodyProps & { route: string; label: string; field: string };

function PickRecord({ route, label, field, incident, action, ...rest }: PickRecordProps) {
  const { acts, act, onClose } = rest;
  const query = useTeamRecords(route, incident.team_id);
  const [id, setId] = useState('');
  return (
    <Loaded query={query}>
      {(records) =>
        records.length === 0 ? (
          <p>{actWords.noRecords}</p>
        ) : (
          <Form
            save={words.menu[action]}
            isPending={acts.pending !== null}
            failure={acts.failure}
            onSave={() => void act({ [field]: id })}
            onCancel={onClose}
          >
            <PickField
              path={field}
              label={label}
              picks={records.map((record) => ({ value: record.id, label: record.name }))}
              value={id}
              onChange={setId}
            />
          </Form>
        )
      }
    </Loaded>
  );
}

function MergeInto(props: BodyProps) {
  const query = useOpenIncidents();
  return <Loaded query={query}>{(all) => <MergeForm {...props} all={all} />}</Loaded>;
}

function MergeForm({ all, incident, acts, act, onClose }: BodyProps & { all: readonly Listed[] }) {
  const [intoId, setIntoId] = useState('');
  const others = all.filter(({ id }) => id !== incident.id);
  const into = others.find(({ id }) => id === intoId);
  return (
    <Form
      save={words.menu.merge}
      isPending={acts.pending !== null}
      failure={acts.failure}
      onSave={() => void act({ into_id: intoId })}
      onCancel={onClose}
    >
      <PickField
        path="into_id"
        label={actWords.into}
        picks={others.map(({ id, number, title }) => ({
          value: id,
          label: `${words.number(number)} ${visibleText(title)}`,
        }))}
        value={intoId}
        onChange={setIntoId}
      />
      {into && (
        <div className={`${box} flex flex-col gap-2 wrap-anywhere`}>
          <Side title={actWords.ends(incident.number)} incident={incident} />
          <Side title={actWords.survives(into.number)} incident={into} />
          <p className="text-ink2">{actWords.allClearLater}</p>
        </div>
      )}
    </Form>
  );
}

type SideProps = {
  title: string;
  incident: { readonly title: string; readonly dedup_key: string };
};

const Side = ({ title, incident }: SideProps) => (
  <div>
    <p className="text-ink2">{title}</p>
    <p className="font-medium">
      <bdi>{incident.title}</bdi>
    </p>
    <p className="text-sm text-ink3">
      {actWords.key} <bdi>{incident.dedup_key}</bdi>
    </p>
  </div>
);
