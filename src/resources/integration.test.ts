import assert from 'node:assert/strict';
import { test } from 'node:test';
import { integrationTypes } from '../alerts/index.ts';
import { slugProblem } from './integration.ts';

const slugs = integrationTypes.map(({ slug }) => slug);

const cases: readonly [slug: string, help: string][] = [
  ['webhok', 'did you mean "webhook"?'],
  ['Prometheus', 'did you mean "prometheus"?'],
  ['promethues', 'did you mean "prometheus"?'],
  ['cloudwatch', 'did you mean "aws-cloudwatch"?'],
  ['pagerduty', 'did you mean "pagerduty-events-v2" or "pagerduty-webhook-v3"?'],
  ['aws', 'did you mean "aws-cloudwatch", "aws-eventbridge" or "aws-sns"?'],
  ['grafana-cloud', 'did you mean "grafana"?'],
  ['our-own-tool', 'GET /integration-types lists them'],
  ['', 'GET /integration-types lists them'],
];
for (const [slug, help] of cases)
  test(`of the slug "${slug}", the error says: ${help}`, () =>
    assert.deepEqual(slugProblem(slug, slugs), {
      path: 'slug',
      message: `is not an integration type (${help})`,
    }));

test('at most three slugs are proposed', () => {
  const many = ['tool-a', 'tool-b', 'tool-c', 'tool-d'];
  const { message } = slugProblem('tool', many);
  assert.match(message, /"tool-a", "tool-b" or "tool-c"\?\)$/);
});
