import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { useWrite } from '../api/use-write.ts';
import { noOwner, OwnerFields, ownerBody } from '../me/owner-fields.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import type { Factors, Person } from './person.ts';
import { factorsQuery } from './queries.ts';
import { factorWords as words } from './words.ts';

/** What they sign in with besides the password, to be removed when they have lost it. */
export function FactorsSection({ person }: { person: Person }) {
  const query = useQuery(factorsQuery(person.id));
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={query}>
        {(factors) => {
          const held = heldOf(factors);
          return (
            <div className="flex flex-col items-start gap-3">
              <p>
                {held.length === 0
                  ? factors.password
                    ? words.none
                    : words.noPassword
                  : held.map(({ text }) => text).join(', ')}
              </p>
              {held.length > 0 && <Button onClick={() => setOpen(true)}>{words.remove}</Button>}
              {isOpen && (
                <RemoveDialog person={person} held={held} onClose={() => setOpen(false)} />
              )}
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

type Held = { readonly factor: Exclude<keyof Factors, 'password'>; readonly text: string };

const heldOf = ({ second_factor, passkeys }: Factors): readonly Held[] => [
  ...(second_factor ? [{ factor: 'second_factor', text: words.secondFactor } as const] : []),
  ...(passkeys > 0 ? [{ factor: 'passkeys', text: words.passkeys(passkeys) } as const] : []),
];

type RemoveProps = { person: Person; held: readonly Held[]; onClose: () => void };

function RemoveDialog({ person, held, onClose }: RemoveProps) {
  const [factors, setFactors] = useState(held.map(({ factor }) => factor));
  const [owner, setOwner] = useState(noOwner);
  const writing = useWrite(factorsQuery(person.id).queryKey);
  async function remove() {
    const path = `/users/${person.id}/factors/remove`;
    const body = { factors, ...ownerBody(owner) };
    if (await writing.send({ method: 'POST', path, body, name: words.remove })) onClose();
  }
  return (
    <Dialog
      isOpen
      title={words.removeTitle(personName(person))}
      text={words.removeText}
      onClose={onClose}
    >
      <Form
        save={words.remove}
        isPending={writing.isPending}
        failure={writing.failure}
        onSave={() => void remove()}
        onCancel={onClose}
      >
        <fieldset className="flex min-w-0 flex-col gap-1.5">
          <legend className="mb-1 font-medium">{words.which}</legend>
          {held.map(({ factor, text }) => (
            <CheckField
              key={factor}
              path={`factors.${factor}`}
              label={text}
              isChecked={factors.includes(factor)}
              onChange={(isWanted) =>
                setFactors(
                  isWanted ? [...factors, factor] : factors.filter((one) => one !== factor),
                )
              }
            />
          ))}
        </fieldset>
        <OwnerFields value={owner} help={words.passwordHelp} onChange={setOwner} />
      </Form>
    </Dialog>
  );
}
