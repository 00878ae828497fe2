// A certificate that vouches for itself, as Terraform expects one of a provider: X.509 in DER, with
// a key on the curve P-256, for localhost.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type Certificate = {
  /** PKCS#8 in PEM. */
  readonly key: string;
  readonly der: Buffer;
  readonly pem: string;
};

const hour = 3_600_000;
const year = 365 * 24 * hour;

/** Valid since an hour ago, for clocks that disagree, and for a year. */
export function selfSigned(now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const contents = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    ecdsaWithSha256,
    localhost,
    sequence(time(now - hour), time(now + year)),
    localhost,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, extensions),
  );
  const signature = sign('sha256', contents, privateKey);
  const der = sequence(contents, ecdsaWithSha256, bitString(0, signature));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, der, pem: pemOf(der) };
}

function pemOf(der: Buffer): string {
  // By whole lines: a break after every 64 characters ends in an empty line where the last is
  // full, which OpenSSL refuses.
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOf(body), body]);
}

function lengthOf({ length }: Uint8Array): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content);
const integer = (content: Uint8Array) => der(0x02, content);
const bitString = (unusedBits: number, content: Uint8Array) =>
  der(0x03, Buffer.of(unusedBits), content);
const explicit = (tag: number, content: Uint8Array) => der(0xa0 + tag, content);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const yes = der(0x01, Buffer.of(0xff));

/** Positive, and without leading zeros, as DER wants integers. */
function serialNumber(): Buffer {
  const [first = 0, ...rest] = randomBytes(16);
  return Buffer.of((first & 0x3f) | 0x40, ...rest);
}

/** Years from 2050 on have a form of their own. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  const [tag, text] = digits < '2050' ? [0x17, digits.slice(2)] : [0x18, digits];
  return der(tag, Buffer.from(`${text}Z`));
}

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = objectId('550403');
const localhost = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('localhost')))));

const extension = (id: string, content: Uint8Array) => sequence(objectId(id), der(0x04, content));

const isAuthority = sequence(yes);
const signsDataAndCertificates = bitString(2, Buffer.of(0b1000_0100));
const ofServersAndClients = sequence(objectId('2b06010505070301'), objectId('2b06010505070302'));
const nameLocalhost = sequence(der(0x82, Buffer.from('localhost')));

const extensions = sequence(
  extension('551d13', isAuthority),
  extension('551d0f', signsDataAndCertificates),
  extension('551d25', ofServersAndClients),
  extension('551d11', nameLocalhost),
);
