// What alerts must have in common to join one incident, as integrations and rules declare it.
import { listOf, objectOf, optional, text } from './declaration/field.ts';
import { span } from './span.ts';

export const groupBy = () =>
  listOf(
    text({
      doc: 'What alerts must have in common: `group` (the group that the tool itself sends, as Alertmanager and Grafana do), `service`, `title`, `severity`, `priority`, or `details.` and a path into the details, such as `details.labels.cluster`.',
      min: 1,
      max: 255,
      pattern: '^(group|service|title|severity|priority|details[.].+)$',
      example: 'group, service, title, severity, priority, or details. and a path',
    }),
    {
      doc: 'What alerts must have in common to join one incident. An alert that lacks one of the values opens its own incident. If empty, every alert opens its own incident.',
      min: 0,
      max: 8,
    },
  );

export const groupingFields = {
  by: groupBy(),
  window: optional(
    objectOf(
      span('since the last alert joined'),
      'The longest time since the last alert joined. After it, the next alert opens another incident. If absent, alerts join as long as the incident is open.',
    ),
  ),
};
