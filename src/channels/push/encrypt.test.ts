import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decryptPush } from '../../../test/push-service.ts';
import { encryptPush } from './encrypt.ts';

const bytes = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'base64url');

test('the example of RFC 8291 is encrypted to what stands there', () => {
  const to = {
    p256dh: bytes(`BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx
      aOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4`),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const drawn = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  };
  const content = Buffer.from('When I grow up, I want to be a watermelon');
  assert.equal(
    encryptPush(content, to, drawn).toString('base64url'),
    bytes(`DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml
      mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT
      pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN`).toString('base64url'),
  );
});

test('a browser decrypts whatever is encrypted for it, and no other does', () => {
  const browser = createECDH('prime256v1');
  const to = { p256dh: browser.generateKeys(), auth: randomBytes(16) };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (content) => {
      const sent = encryptPush(content, to);
      const privateKey = browser.getPrivateKey();
      assert.deepEqual(decryptPush(sent, { privateKey, auth: to.auth }), Buffer.from(content));
      assert.throws(() => decryptPush(sent, { privateKey, auth: randomBytes(16) }));
      assert.notDeepEqual(encryptPush(content, to), sent, 'drawn anew');
    }),
  );
});
