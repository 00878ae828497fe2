import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { accessLimits } from '../../limits/access.ts';
import { pager } from '../api/pager.ts';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { words } from './words.ts';

const empty = { current_password: '', new_password: '' };

export function PasswordSection() {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const [state, setState] = useState<'idle' | 'pending' | 'saved'>('idle');
  const [failure, setFailure] = useState<Failure | null>(null);
  const set = (name: keyof typeof draft) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    setState('idle');
  };
  async function save() {
    setState('pending');
    const answer = await pager.changePassword(draft);
    setFailure(answer.ok ? null : answer.failure);
    setState(answer.ok ? 'saved' : 'idle');
    if (!answer.ok) return;
    setDraft(empty);
    void queries.invalidateQueries({ queryKey: ['users', 'me', 'sessions'] });
  }
  return (
    <Section title={words.password} text={words.passwordText}>
      <Form
        save={words.changePassword}
        isPending={state === 'pending'}
        failure={failure}
        onSave={() => void save()}
      >
        <TextField
          path="current_password"
          label={words.currentPassword}
          type="password"
          autoComplete="current-password"
          value={draft.current_password}
          onChange={set('current_password')}
        />
        <TextField
          path="new_password"
          label={words.newPassword}
          help={words.newPasswordHelp(accessLimits.passwordMin)}
          type="password"
          autoComplete="new-password"
          value={draft.new_password}
          onChange={set('new_password')}
        />
        <Saved isSaved={state === 'saved'} />
      </Form>
    </Section>
  );
}
