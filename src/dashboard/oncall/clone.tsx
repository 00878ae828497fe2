// Another schedule with the same layers, as the API makes it.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { teamNamesQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { sameTeam } from '../shell/pages.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import type { Schedule } from './queries.ts';
import { editWords, cloneWords as words } from './words.ts';

export function CloneSchedule({ schedule }: { schedule: Schedule }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.title} text={words.text}>
      <Button icon="copy" onClick={() => setOpen(true)}>
        {words.clone}
      </Button>
      {isOpen && <CloneDialog schedule={schedule} onClose={() => setOpen(false)} />}
    </Section>
  );
}

type CloneDialogProps = { schedule: Schedule; onClose: () => void };

function CloneDialog({ schedule, onClose }: CloneDialogProps) {
  const { id } = schedule;
  const navigate = useNavigate();
  const { data: teams = new Map<string, string>() } = useQuery(teamNamesQuery);
  const writing = useWrite(['on-calls'], ['search']);
  const [name, setName] = useState('');
  const [teamId, setTeamId] = useState(schedule.team_id);
  async function clone() {
    const body = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(teamId !== schedule.team_id && { team_id: teamId }),
    };
    const made = await writing.send({ method: 'POST', path: `/on-calls/${id}/clone`, body });
    if (made !== null)
      void navigate({
        to: '/on-calls/$id',
        params: { id: String(made['id']) },
        search: sameTeam,
        ignoreBlocker: true,
      });
  }
  return (
    <Dialog isOpen title={words.titleOf(schedule.name)} onClose={onClose}>
      <Form
        save={words.clone}
        isPending={writing.isPending}
        failure={writing.failure}
        onSave={() => void clone()}
        onCancel={onClose}
      >
        <TextField
          path="name"
          label={editWords.name}
          help={words.nameHelp}
          value={name}
          maxLength={255}
          onChange={setName}
        />
        {teams.size > 1 && (
          <SelectField
            path="team_id"
            label={editWords.team}
            value={teamId}
            options={[...teams].map(([value, text]) => ({ value, text }))}
            onChange={setTeamId}
          />
        )}
      </Form>
    </Dialog>
  );
}
