// Every part that pages are made of, in every state: to make the next page of the same parts, and to
// look at all of them at once. Nothing here is stored: what the form sends is refused.
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { useWrite } from '../api/use-write.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { iconNames } from '../ui/icon-names.ts';
import { ActionMenu } from '../ui/menu.tsx';
import { Empty, Trouble } from '../ui/panel.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { Saved } from '../ui/saved.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { StateShape, states } from '../ui/state-shape.tsx';
import { Tab, Tabs } from '../ui/tabs.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import type { Sides } from '../ui/use-edit.ts';
import { words } from '../ui/words.ts';

const people = [
  { value: '665f1f77bcf86cd799439011', label: 'Ada Byron', hint: 'ada@example.com' },
  { value: '665f1f77bcf86cd799439012', label: 'Grace Hopper', hint: 'grace@example.com' },
  { value: '665f1f77bcf86cd799439013', label: 'Lin Olsen-Vandermeersch', hint: 'lin@example.com' },
];
const unreachable: Failure = {
  type: 'unreachable',
  address: 'https://pager.example.com/api/v1',
  why: 'the connection failed',
};

const forbidden: Failure = {
  type: 'refused',
  status: 403,
  code: 'forbidden',
  issues: [],
  requestId: 'req-4f2a',
  message: 'This needs the role manager.',
};

export function ComponentsPage() {
  return (
    <>
      <PageHeader title="Components" />
      <div className="flex max-w-4xl flex-col gap-8 p-4 md:p-5">
        <Part title="States">
          <Row>
            {states.map((state) => (
              <span key={state} className="inline-flex items-center gap-1.5">
                <StateShape state={state} />
                <span aria-hidden="true">{words.state[state]}</span>
              </span>
            ))}
          </Row>
        </Part>
        <Part title="Buttons">
          <Buttons />
        </Part>
        <Part title="Menu and dialog">
          <Popups />
        </Part>
        <Part title="Form">
          <Fields />
        </Part>
        <Part title="After saving">
          <Saving />
        </Part>
        <Part title="Lists">
          <Row>
            <Tabs label="People lists">
              <Tab to="/components" isCurrent>
                Active
              </Tab>
              <Tab to="/users" isCurrent={false}>
                Deactivated
              </Tab>
            </Tabs>
            <SearchField label="Search people" text="" onChange={() => {}} />
          </Row>
        </Part>
        <Part title="People and times">
          <Row>
            {people.map(({ value, label }) => (
              <span key={value} className="inline-flex items-center gap-1.5">
                <PersonMark id={value} name={label} />
                {label}
              </span>
            ))}
            <TimeAgo at="2026-01-01T00:00:00Z" />
            <Countdown at="2099-01-01T00:00:00Z" />
          </Row>
        </Part>
        <Part title="Icons">
          <Row>
            {iconNames.map((name) => (
              <span key={name} className="inline-flex items-center gap-1.5 text-ink2">
                <Icon name={name} />
                {name}
              </span>
            ))}
          </Row>
        </Part>
        <Part title="In place of a list">
          <Empty title="No open incidents" text="New incidents appear here." />
          <Trouble title="This could not be loaded" failure={unreachable} retry={() => {}} />
          <Trouble title="This could not be loaded" failure={forbidden} retry={() => {}} />
        </Part>
      </div>
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-3">
    <h2 className="border-b border-line pb-1 text-sm font-medium text-ink3">{title}</h2>
    {children}
  </section>
);

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>
);

const Buttons = () => (
  <Row>
    <Button kind="primary">Acknowledge</Button>
    <Button icon="check">Resolve</Button>
    <Button kind="danger">Archive</Button>
    <Button disabled>Not now</Button>
    <Button kind="primary" disabled>
      Not now
    </Button>
    <a href="/incidents" className={buttonClass()}>
      All incidents
    </a>
    <IconButton icon="x" label="Close" />
  </Row>
);

function Popups() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Row>
      <ActionMenu
        className={buttonClass()}
        trigger="More"
        actions={[
          { text: 'Mute', icon: 'bell-off', hint: 'Nobody is paged until 08:00', onSelect() {} },
          {
            text: 'Merge',
            icon: 'merge',
            hint: 'It is already resolved',
            isDisabled: true,
            onSelect() {},
          },
        ]}
      />
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      <Dialog
        title="Archive Payments?"
        text="All events of its 3 integrations will be dropped."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <Button kind="danger" onClick={() => setOpen(false)}>
          Archive
        </Button>
      </Dialog>
    </Row>
  );
}

type Named = { readonly name: string; readonly role: string };
const theirs: Named = { name: 'Payments', role: 'Manager' };

/** What a form says once it was sent: it is stored, it failed, or somebody else was faster. */
function Saving() {
  const [draft, setDraft] = useState<Named>({ name: 'Shop', role: 'Viewer' });
  const [sides, setSides] = useState<Sides<Named> | null>(null);
  return (
    <div className="flex max-w-md flex-col gap-3">
      <Conflict
        edit={{ draft, setDraft, sides }}
        parts={[
          { name: 'name', label: 'Name', text: ({ name }) => name },
          { name: 'role', label: 'Role', text: ({ role }) => role },
        ]}
      />
      <Button className="self-start" onClick={() => setSides({ theirs, yours: draft })}>
        Two people at once
      </Button>
      <Saved isSaved />
      <FailedWrite failure={unreachable} />
      <CopyField label="Invitation link" text="https://pager.example.com/set-password/4f2a" />
    </div>
  );
}

function Fields() {
  const { send, isPending, failure, forget } = useWrite();
  const [name, setName] = useState('');
  const [zone, setZone] = useState('berlin');
  const [person, setPerson] = useState('');
  const [comment, setComment] = useState('');
  const [isMailed, setMailed] = useState(true);
  const save = () =>
    void send({ method: 'POST', path: '/services', body: { name: '', shape: 'round' } });
  return (
    <Form isPending={isPending} failure={failure} onSave={save} onCancel={forget}>
      <TextField
        path="name"
        label="Name"
        help="Save to see the error of the API."
        value={name}
        onChange={setName}
      />
      <SelectField
        path="zone"
        label="Time zone"
        value={zone}
        onChange={setZone}
        options={[
          { value: 'berlin', text: 'Europe/Berlin' },
          { value: 'utc', text: 'UTC' },
        ]}
      />
      <PickField
        path="user_id"
        label="Person"
        picks={people}
        value={person}
        onChange={setPerson}
        mark={({ value, label }) => <PersonMark id={value} name={label} />}
      />
      <TextArea path="comment" label="Comment" value={comment} onChange={setComment} />
      <CheckField
        path="mail"
        label="By e-mail"
        help="Also while you are not on call."
        isChecked={isMailed}
        onChange={setMailed}
      />
    </Form>
  );
}
