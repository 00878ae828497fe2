// What a browser decrypts: RFC 8291, with the one record of RFC 8188 that it allows.
import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Of a subscription, as bytes. */
export type SubscriptionKeys = { readonly p256dh: Uint8Array; readonly auth: Uint8Array };

/** Drawn anew for every message. */
type Drawn = { readonly salt: Uint8Array; readonly privateKey?: Uint8Array };

const curve = 'prime256v1';
const recordSize = 4_096;
/** Ends the content; nothing but padding comes after it. */
const delimiter = Uint8Array.of(2);

export function encryptPush(
  content: Uint8Array,
  to: SubscriptionKeys,
  { salt, privateKey }: Drawn = { salt: randomBytes(16) },
): Buffer {
  const own = createECDH(curve);
  if (privateKey === undefined) own.generateKeys();
  else own.setPrivateKey(privateKey);
  const publicKey = own.getPublicKey();
  const derived = (key: Uint8Array, from: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const both = Buffer.concat([Buffer.from('WebPush: info\0'), to.p256dh, publicKey]);
  const key = derived(own.computeSecret(to.p256dh), to.auth, both, 32);
  const contentKey = derived(key, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(key, salt, 'Content-Encoding: nonce\0', 12);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordSize);
  header.writeUInt8(publicKey.length, 4);
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const record = [cipher.update(content), cipher.update(delimiter), cipher.final()];
  return Buffer.concat([salt, header, publicKey, ...record, cipher.getAuthTag()]);
}
