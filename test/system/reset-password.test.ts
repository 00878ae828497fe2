// An owner without a password asks the operator, who has the machine and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postJson } from './api-client.ts';
import { createInstallation } from './server-process.ts';

test('a forgotten password is replaced beside a running server, and sessions end', async () => {
  await using installation = await createInstallation();
  const { PAGER_BOOTSTRAP_EMAIL: email, PAGER_BOOTSTRAP_PASSWORD: forgotten } =
    installation.settings;
  const server = await installation.start();
  const signIn = (password: unknown) => postJson(`${server.url}/auth/sign-in`, { email, password });
  assert.equal((await signIn(forgotten)).status, 200);
  const { code, output } = await resetOf('Owner@Example.test');
  assert.equal(code, 0, output);
  const password = /^Owner@Example\.test signs in with the password (\S{20})$/.exec(output)?.[1];
  assert.equal((await signIn(forgotten)).status, 401);
  assert.equal((await signIn(password)).status, 200);

  const { body } = await server.api.send('GET /audit-log');
  const [{ action, actor }] = body.data;
  assert.deepEqual([action, actor.name], ['set_password', 'pagerctl reset-password']);

  assert.deepEqual(await resetOf('stranger@example.test'), {
    code: 1,
    output:
      'The password was not changed: no active person has the address stranger@example.test. Active people: owner@example.test.',
  });
  assert.match(
    (await resetOf()).output,
    /^pagerctl reset-password \[--remove-second-factor\] \[--remove-passkeys\] <e-mail>/,
  );

  async function resetOf(...words: string[]) {
    const program = installation.launch({}, 'reset-password', ...words);
    return { code: await program.ended, output: program.output().trim() };
  }
});
