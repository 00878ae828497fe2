// Brings Base UI: loaded when alerts are to be split.
import { visibleText } from '../../../resources/visible-text.ts';
import { useWrite } from '../../api/use-write.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ProblemText } from '../../ui/field.tsx';
import type { Incident } from '../incident.ts';
import type { Alert } from './alerts.ts';
import { problemOfAlert, withoutAlerts } from './split.ts';
import { words } from './words.ts';

type SplitDialogProps = {
  id: string;
  incident: Incident;
  /** As they were chosen: the API names those it refuses by their place. */
  alerts: readonly Alert[];
  onMoved: (number: number) => void;
  onClose: () => void;
};

export function SplitDialog({ id, incident, alerts, onMoved, onClose }: SplitDialogProps) {
  const writing = useWrite(['incidents']);
  const { failure } = writing;
  const { names, number, escalation_policy_id } = incident;
  const policy = names[escalation_policy_id];
  async function split() {
    const opened = await writing.send({
      method: 'POST',
      path: `/incidents/${id}/alerts/split`,
      body: { alert_ids: alerts.map((one) => one.id) },
      name: words.splitTitle,
    });
    if (opened !== null) onMoved(Number(opened['number']));
  }
  return (
    <Confirm
      title={words.splitTitle}
      text={words.splitText(number, policy && visibleText(policy))}
      action={words.splitSave(alerts.length)}
      writing={{ ...writing, failure: failure && withoutAlerts(failure) }}
      onConfirm={() => void split()}
      onClose={onClose}
    >
      <ul aria-label={words.splitList}>
        {alerts.map((one, index) => (
          <li key={one.id} className="wrap-anywhere py-0.5">
            <bdi>{one.title}</bdi>
            <ProblemText problem={problemOfAlert(failure, index)} />
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
