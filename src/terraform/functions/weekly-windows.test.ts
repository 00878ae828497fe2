import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Core } from '../../../test/terraform/core.ts';
import { weekdays } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { decodeValue, encodeValue, type Value } from '../protocol/value.ts';
import { weeklyWindows } from './weekly-windows.ts';

const { name, parameters, returns, call } = weeklyWindows;

test('each day has its window, and one that ends no later than it begins ends on the next day', () => {
  assert.deepEqual(call([['monday', 'sunday'], '09:00', '17:00']), {
    ok: true,
    value: [
      { from_day: 'monday', from_time: '09:00', to_day: 'monday', to_time: '17:00' },
      { from_day: 'sunday', from_time: '09:00', to_day: 'sunday', to_time: '17:00' },
    ],
  });
  for (const to of ['08:59', '09:00'])
    assert.deepEqual(call([['sunday'], '09:00', to]), {
      ok: true,
      value: [{ from_day: 'sunday', from_time: '09:00', to_day: 'monday', to_time: to }],
    });
});

const wrong: readonly (readonly [readonly Value[], number, RegExp])[] = [
  [[[], '09:00', '17:00'], 0, /^must contain at least one day$/],
  [
    [['monday', 'mon'], '09:00', '17:00'],
    0,
    /^contains "mon", which is not one of monday, tuesday/,
  ],
  [[['monday', null], '09:00', '17:00'], 0, /^contains null, which is not/],
  [[['monday', 'monday'], '09:00', '17:00'], 0, /^contains "monday" twice$/],
  [[['monday'], '9:00', '17:00'], 1, /^must be a time such as 09:00, not "9:00"$/],
  [[['monday'], '09:00', '24:00'], 2, /^must be a time such as 09:00, not "24:00"$/],
];
for (const [args, argument, message] of wrong)
  test(`${JSON.stringify(args)} is refused`, () => {
    const result = call(args);
    assert.ok(!result.ok);
    assert.equal(result.argument, argument);
    assert.match(result.message, message);
  });

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

test('a schedule takes what it computes', () => {
  const days = fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 });
  fc.assert(
    fc.property(days, time, time, (some, from, to) => {
      const result = call([some, from, to]);
      assert.ok(result.ok);
      const rotation = { length: 1, unit: 'weeks' };
      const restriction = { type: 'weekly', windows: result.value };
      const users = ['0123456789abcdef01234567'];
      const layers = [{ users, rotation, restriction }];
      const read = readObject(oncallSchedule.input, { name: 'Nights', team_id: users[0], layers });
      assert.ok(read.ok, JSON.stringify(read));
      assert.deepEqual(oncallSchedule.check({ name: 'Nights', layers }), []);
    }),
  );
});

test('Terraform calls it over the wire, and hears which argument is wrong', async () => {
  const core = new Core();
  const called = (...args: readonly Value[]) =>
    core.call('CallFunction', {
      name,
      arguments: parameters.map(({ type }, index) => ({
        msgpack: encodeValue(type, args[index] ?? null),
      })),
    });
  const { result } = await called(['friday'], '18:00', '08:00');
  assert.deepEqual(decodeValue(returns, result?.msgpack ?? new Uint8Array()), [
    { from_day: 'friday', from_time: '18:00', to_day: 'saturday', to_time: '08:00' },
  ]);
  const { error } = await called(['friday'], '18:00', '8');
  assert.deepEqual(error, {
    text: 'to_time must be a time such as 09:00, not "8".',
    function_argument: 2,
  });
  const { functions } = await core.call('GetFunctions', {});
  assert.deepEqual(Object.keys(functions), [name]);
});
