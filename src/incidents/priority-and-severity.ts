import { labelText } from '../resources/priorities.ts';
import {
  type Actor,
  entry,
  type Incident,
  noted,
  type Outcome,
  only,
  withEscalation,
} from './incident.ts';

/** Says how bad it is; what a person says carries over to the next incident of the key. */
export type Label = {
  readonly type: 'set_priority' | 'set_severity';
  readonly by: Actor;
  readonly to: string | null;
};

export function label(incident: Incident, event: Label): Outcome {
  const field = event.type === 'set_priority' ? 'priority' : 'severity';
  const mark = field === 'priority' ? 'prioritySetByPerson' : 'severitySetByPerson';
  const isPersons = event.by.type === 'user' || event.by.type === 'key';
  const marked = isPersons ? withEscalation(incident, { [mark]: true }) : incident;
  if (incident[field] === event.to)
    return only(
      marked,
      noted(incident, event.by, `set the ${field}`, `it was already ${labelText(event.to)}`),
    );
  const text = event.to
    ? `${event.by.name} set the ${field} to ${labelText(event.to)}`
    : `${event.by.name} removed the ${field}`;
  return only({ ...marked, [field]: event.to }, entry(incident, field, text, { actor: event.by }));
}
