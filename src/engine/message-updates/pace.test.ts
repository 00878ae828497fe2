import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon } from '../../../test/incident-life.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { anyNumber, type Rooms } from '../claims/rooms.ts';
import { EditPace, shareOutEdits } from './pace.ts';

const at = (ms: number) => noon.add({ milliseconds: ms });
const post = (place: string, connectionId: string | null = 'bot', organization_id = 'ours') => ({
  organization_id,
  posted: { connectionId, place, messageId: '1' },
});
const { editPause, editDelay, edits } = sendingLimits;

test('by one connection two messages are changed at once, and they begin one after the other', () => {
  const pace = new EditPace();
  const connections = (ms: number) => pace.rooms(at(ms)).connections;
  const end = pace.begin(post('one'), at(0));
  assert.deepEqual([connections(0), connections(editPause - 1)], [['bot'], ['bot']]);
  assert.equal(String(pace.next()), String(at(editPause)));
  assert.deepEqual(connections(editPause), []);
  pace.begin(post('two'), at(editPause));
  assert.deepEqual(connections(9 * editPause), ['bot'], 'both are under way');
  end({ isEdited: true, waitMs: 0 }, at(9 * editPause));
  assert.deepEqual(connections(9 * editPause), []);
});

test('a look that changes nothing holds up nobody', () => {
  const pace = new EditPace();
  pace.begin(post('one'), at(0))({ isEdited: false, waitMs: 0 }, at(1));
  const { connections, paused, busy } = pace.rooms(at(1));
  assert.deepEqual([connections, paused, busy, pace.next()], [[], [], [], null]);
});

test('a connection whose vendor asks to wait is left alone until then, whatever ends meanwhile', () => {
  const pace = new EditPace();
  const first = pace.begin(post('one'), at(0));
  const second = pace.begin(post('two'), at(editPause));
  first({ isEdited: true, waitMs: 30_000 }, at(200));
  second({ isEdited: true, waitMs: 5_000 }, at(300));
  assert.deepEqual(pace.rooms(at(30_199)).connections, ['bot']);
  assert.deepEqual(pace.rooms(at(30_199)).paused, ['bot one']);
  assert.equal(String(pace.next()), String(at(30_200)));
  assert.deepEqual(pace.rooms(at(30_200)).connections, []);
});

test('a place is left alone for a moment after an edit; what needs no connection has no other pace', () => {
  const pace = new EditPace();
  const end = pace.begin(post('phone', null), at(0));
  assert.deepEqual(pace.rooms(at(0)).busy, ['null phone']);
  end({ isEdited: true, waitMs: 0 }, at(0));
  const { busy, paused, connections } = pace.rooms(at(editDelay - 1));
  assert.deepEqual([busy, paused, connections], [[], ['null phone'], []]);
  assert.deepEqual(pace.rooms(at(editDelay)).paused, []);
});

test('an organisation leaves room for the others', () => {
  const pace = new EditPace();
  const room = (id: string) => {
    const { of, each } = pace.rooms(at(0)).organizations;
    return of.get(id) ?? each;
  };
  let begun = 0;
  for (; room('many') > 0; begun += 1) pace.begin(post(`${begun}`, null, 'many'), at(0));
  assert.deepEqual([begun, room('many')], [edits / 2, 0]);
  assert.ok(room('other') > 0);
  for (let id = 0; pace.room > 0; id += 1) {
    assert.ok(room(`other ${id}`) > 0, 'while there is any, whoever has none gets some');
    pace.begin(post(`of ${id}`, null, `other ${id}`), at(0));
  }
  assert.equal(pace.underWay, edits);
});

/** Each is `organization connection place`, what is to be changed first first. */
const chosen: Readonly<
  Record<string, { due: readonly string[]; organizations?: Rooms; finds: readonly string[] }>
> = {
  'one of each place, and one of each connection': {
    due: ['a bot one', 'a bot one', 'a bot two', 'a app one'],
    finds: ['a bot one', 'a app one'],
  },
  'as many as there are places, where no connection is needed': {
    due: ['a - phone', 'a - phone', 'a - tablet'],
    finds: ['a - phone', 'a - tablet'],
  },
  'the organizations by turns': {
    due: ['a - 1', 'a - 2', 'a - 3', 'b - 1', 'b - 2'],
    finds: ['a - 1', 'b - 1', 'a - 2', 'b - 2', 'a - 3'],
  },
  'no more of an organization than there is room for': {
    due: ['a - 1', 'a - 2', 'b - 1'],
    organizations: { each: 1, of: new Map([['b', 0]]) },
    finds: ['a - 1'],
  },
};

for (const [title, { due, organizations = anyNumber, finds }] of Object.entries(chosen))
  test(`chosen: ${title}`, () => {
    const candidates = due.map((text) => {
      const [organization_id = '', connection = '', place = ''] = text.split(' ');
      return { organization_id, connectionId: connection === '-' ? null : connection, place, text };
    });
    assert.deepEqual(
      shareOutEdits(candidates, { organizations }).map(({ text }) => text),
      finds,
    );
  });
