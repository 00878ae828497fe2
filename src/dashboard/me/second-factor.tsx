import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { TextField } from '../ui/field.tsx';
import { focusInside } from '../ui/focus-inside.ts';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { type Qr, QrCode } from '../ui/qr-code.tsx';
import { Section } from '../ui/section.tsx';
import { noOwner, OwnerFields, ownerBody } from './owner-fields.tsx';
import { secondFactorPath, secondFactorQuery } from './queries.ts';
import { words } from './second-factor-words.ts';

type Begun = { readonly secret: string; readonly qr: Qr };

const path = secondFactorPath;
type Doing = 'begin' | 'recovery-codes' | 'disable';

export function SecondFactorSection() {
  const query = useQuery(secondFactorQuery);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // When the page opens, the focus stays where it is.
  const [isMoved, setMoved] = useState(false);
  const show = (answer: object) => {
    setDoing(null);
    setBegun('qr' in answer ? (answer as Begun) : null);
    if ('recovery_codes' in answer) setCodes(answer.recovery_codes as readonly string[]);
  };
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={query}>
        {({ enabled, recovery_codes_left: left }) => {
          if (codes)
            return (
              <div key="codes" tabIndex={-1} ref={focusInside}>
                <Codes codes={codes} onDone={() => setCodes(null)} />
              </div>
            );
          if (begun)
            return (
              <div key="begun" tabIndex={-1} ref={focusInside}>
                <Confirm begun={begun} onDone={show} onCancel={() => setBegun(null)} />
              </div>
            );
          if (doing)
            return (
              <div key="doing" tabIndex={-1} ref={focusInside}>
                <WithPassword doing={doing} onDone={show} onCancel={() => setDoing(null)} />
              </div>
            );
          const choices = enabled ? (['recovery-codes', 'disable'] as const) : (['begin'] as const);
          return (
            <div
              key="choices"
              tabIndex={-1}
              ref={isMoved ? focusInside : null}
              className="flex flex-col items-start gap-3"
            >
              <p>{enabled ? words.on(left) : words.off}</p>
              <div className="flex flex-wrap gap-2">
                {choices.map((choice) => (
                  <Button
                    key={choice}
                    onClick={() => {
                      setDoing(choice);
                      setMoved(true);
                    }}
                  >
                    {actions[choice].name}
                  </Button>
                ))}
              </div>
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

const actions: Readonly<Record<Doing, { name: string; path: string; text?: string }>> = {
  begin: { name: words.begin, path },
  'recovery-codes': { name: words.renew, path: `${path}/recovery-codes`, text: words.renewText },
  disable: { name: words.disable, path: `${path}/disable`, text: words.disableText },
};

type Step = { onDone: (answer: object) => void; onCancel: () => void };

function WithPassword({ doing, onDone, onCancel }: Step & { doing: Doing }) {
  const [owner, setOwner] = useState(noOwner);
  const writing = useWrite(secondFactorQuery.queryKey);
  const action = actions[doing];
  async function save() {
    const body = ownerBody(owner);
    const answer = await writing.send({ method: 'POST', path: action.path, body });
    if (answer) onDone(answer);
  }
  return (
    <Form
      save={action.name}
      isPending={writing.isPending}
      failure={writing.failure}
      onSave={() => void save()}
      onCancel={onCancel}
    >
      <OwnerFields value={owner} help={action.text} onChange={setOwner} />
    </Form>
  );
}

function Confirm({ begun: { secret, qr }, onDone, onCancel }: Step & { begun: Begun }) {
  const [code, setCode] = useState('');
  const writing = useWrite(secondFactorQuery.queryKey);
  async function save() {
    const answer = await writing.send({
      method: 'POST',
      path: `${path}/confirm`,
      body: { code },
    });
    if (answer) onDone(answer);
  }
  return (
    <Form
      save={words.confirm}
      isPending={writing.isPending}
      failure={writing.failure}
      onSave={() => void save()}
      onCancel={onCancel}
    >
      <p className="text-pretty">{words.scan}</p>
      <QrCode label={words.qr} qr={qr} />
      <CopyField label={words.secret} text={secret} />
      <TextField
        path="code"
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
      />
    </Form>
  );
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="flex max-w-md flex-col items-start gap-3">
      <h3 className="font-medium">{words.codes}</h3>
      <p className="text-pretty text-ink2">{words.codesText}</p>
      <ul className="grid w-full grid-cols-2 gap-x-4 gap-y-1 rounded-md bg-sunken p-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="w-full">
        <CopyField label={words.allCodes} text={codes.join(' ')} />
      </div>
      <Button kind="primary" onClick={onDone}>
        {words.done}
      </Button>
    </div>
  );
}
