import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typesFor } from './gallery.ts';

const types = [
  { slug: 'webhook', name: 'Webhook' },
  { slug: 'uptime-kuma', name: 'Uptime Kuma' },
  { slug: 'prometheus', name: 'Prometheus', known_as: ['alertmanager'] },
  { slug: 'grafana', name: 'Grafana' },
];
const namesFor = (text: string) => typesFor(types, text).map(({ name }) => name);

test('without a search, all types are listed by name', () => {
  assert.deepEqual(namesFor(' '), ['Grafana', 'Prometheus', 'Uptime Kuma', 'Webhook']);
});

test('a type is found by a part of its name, its slug, and its names elsewhere', () => {
  assert.deepEqual(namesFor('KUMA'), ['Uptime Kuma']);
  assert.deepEqual(namesFor('uptime-'), ['Uptime Kuma']);
  assert.deepEqual(namesFor('alertm'), ['Prometheus']);
  assert.deepEqual(namesFor('nothing like it'), []);
});

test('names that begin with the text come first', () => {
  assert.deepEqual(namesFor('u'), ['Uptime Kuma', 'Prometheus']);
});
