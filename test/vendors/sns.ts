// Messages as Amazon SNS signs them, with a key and a certificate that only tests have.
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import type { JsonObject } from '../../src/alerts/alert.ts';
import type { SnsClient } from '../../src/alerts/sns.ts';
import { startWebhookServer } from '../webhook-server.ts';

/** Where nothing of Amazon SNS comes. */
export const noSns: SnsClient = {
  checkSignature: () => assert.fail('no signature is checked here'),
  confirm: () => assert.fail('no subscription is confirmed here'),
};

const host = 'https://sns.eu-west-1.amazonaws.com';
export const certificateUrl = `${host}/SimpleNotificationService-${'0'.repeat(32)}.pem`;
export const subscribeUrl = `${host}/?Action=ConfirmSubscription&Token=23`;

const shared = {
  MessageId: '836fe1ec-79e0-56b8-827f-b66569e37e11',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
  Timestamp: '2026-03-02T09:00:00.000Z',
};
export const notification = { ...shared, Type: 'Notification', Message: '{"title":"disk"}' };
export const confirmation = {
  ...shared,
  Type: 'SubscriptionConfirmation',
  Message: 'You have chosen to subscribe.',
  Token: '23',
  SubscribeURL: subscribeUrl,
};
export const unsubscription = { ...confirmation, Type: 'UnsubscribeConfirmation' };

/** As the documentation of Amazon SNS lists them: what a message has of these is signed. */
const signedNames = [
  ...['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
];

/** The message with its signature. */
export function signed<Message extends JsonObject>(message: Message, version: '1' | '2' = '1') {
  const names = signedNames.filter((name) => Object.hasOwn(message, name));
  const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
  const bytes = sign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256', Buffer.from(text), privateKey);
  return {
    ...message,
    SignatureVersion: version,
    Signature: bytes.toString('base64'),
    SigningCertURL: certificateUrl,
  };
}

/** Amazon SNS on loopback: it has one certificate, and one subscription to confirm. */
export async function startSns() {
  const confirmed: string[] = [];
  const server = await startWebhookServer(({ method, url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, host);
    const action = searchParams.get('Action');
    if (method !== 'GET') response.writeHead(405).end();
    else if (pathname === new URL(certificateUrl).pathname) response.end(certificate);
    else if (pathname !== '/' || action !== 'ConfirmSubscription') response.writeHead(404).end();
    else if (searchParams.get('Token') !== confirmation.Token) response.writeHead(400).end();
    else {
      confirmed.push(confirmation.Token);
      response.end('<ConfirmSubscriptionResponse/>');
    }
  });
  return {
    url: server.url,
    received: server.received,
    /** The tokens, in their order. */
    confirmed,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const certificate = `-----BEGIN CERTIFICATE-----
MIIDGzCCAgOgAwIBAgIUP5gSbueW/Wfpp2SkJ+SrqRDv2CYwDQYJKoZIhvcNAQEL
BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wIBcNMjYxMTI0MDE1OTQw
WhgPMjEyNjEwMzEwMTU5NDBaMBwxGjAYBgNVBAMMEXNucy5hbWF6b25hd3MuY29t
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApvGYvD9aA/bQ3MnU2sPR
suZHtFofkDCxnOqp9Xl0u2MTAN9pGtgi5tJxC/M7PlbFuIYrthTRrXIszbSkT2fj
kbBvT9wzYDl9LMU0KIrJb9y1fM5a0UAO4yD49WXYE3vE29yti8W+tL2mgiS023Z4
4r228zJKenEGXG4CT4ELLY9DHzn00exBG5WqXlOZBAEGs/01Vi41HqSHdeBIRMBe
BN6ib/Asr5RwblzpYF9E3inRKsKPfqpYhZOY0x1k8P+2hDznZFLONXI0Q60jy63L
iZqnBi3p9TbPFpSLjNx+pIdwgTZQ2Iupe/F4KlM6iNRPe1Fbb2yrHJoEKwRw2uSy
OwIDAQABo1MwUTAdBgNVHQ4EFgQUePsPQP+FMgFi43pyPqGmM3x+4Y4wHwYDVR0j
BBgwFoAUePsPQP+FMgFi43pyPqGmM3x+4Y4wDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOCAQEANLfIFO1LPtgk+ncTNZtIAmYtjz3zAs8yJlmt0EMaRdPb
LY5roLE5VtyqiqC2ITOLg8aCG85NstA4LS3HPjaZ/1r3+TOg5St7KSzNL+EOjPDS
RPE8+kzAx/fYDfQOye4KQUTD2f5Ll/GP+/OtXmw59tfHiT1b2jsI6mJW02sSgmPI
vXgjp4l5KS1BSImPTUYiWoOvpP5lzG37Mu714/5MNuSoLIU0Ohnt3X/nxqf36TIc
5T1qTWcGQEelyXTm95RX3uNcej4Jj7qUJAzXxIBtoCcf9uCbX47CZlh0/7BOknfA
B6TUOxNuoVMGCVg+d2k7W2V4LHsNVpLJ/vQp2aMZ/Q==
-----END CERTIFICATE-----
`;

const privateKey = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCm8Zi8P1oD9tDc
ydTaw9Gy5ke0Wh+QMLGc6qn1eXS7YxMA32ka2CLm0nEL8zs+VsW4hiu2FNGtcizN
tKRPZ+ORsG9P3DNgOX0sxTQoislv3LV8zlrRQA7jIPj1ZdgTe8Tb3K2Lxb60vaaC
JLTbdnjivbbzMkp6cQZcbgJPgQstj0MfOfTR7EEblapeU5kEAQaz/TVWLjUepId1
4EhEwF4E3qJv8CyvlHBuXOlgX0TeKdEqwo9+qliFk5jTHWTw/7aEPOdkUs41cjRD
rSPLrcuJmqcGLen1Ns8WlIuM3H6kh3CBNlDYi6l78XgqUzqI1E97UVtvbKscmgQr
BHDa5LI7AgMBAAECggEALYg2Sp2SvQMLuzQ3IEWJQ5xoESoFcsu9HZmpKkDqlBM1
Aydr4LzzY/YgjAxWa6259pZthJdQCtjZnG8440ln+XvgGC1sO8HiQJw2mhokT6So
QTZ88ZZhmRQMos2YrdOzgO3CzZzs4xnYuKUvSK4a0WjB5bmhM5zxCbOdYLbG6DE5
5kpfT9nIryGgji/omqTa3OLChLkshFEAe8yGAc9Q4X7Q7wvBbR+NHT3hlM9w76BT
1erYyyC+aDV/zSfVSnv7XSDAaR3uLglBZJ8JazwSgglfHKn3CiDRkfvcyhDsmCsD
8abB58e0I502/3UQA3+f/8AaKq9pCVzpaVfoeTxe/QKBgQDjxtOQ5dnLWM1VjFTC
Ld1Fbz0l17zIVawXvsENBE3yZFUEt3zunB6BBxrEW8FcraAz/AZVgFeo2rU5gsVy
rqLV/YioXty/VpL4Lei4Vw3o0NZM8q38Mrhupd/dKb7LMjdqWZQ+U/ZT9H7YxNYN
5UOxhkfV0cg7OYFuYCtYgLzzzwKBgQC7oR+jRc5D0iygTOEhi/6uodA3mmd3uFed
21P/LEqJsRzP8V7c0Qct25UWF3i1goyWHHF/gYqVs8OVLU16R1Qits9vo7cazvuL
Fl6q/62AoNYm7ngIzGnqL4i8tdSDSYdmFOsdN0kXd4uQHMDgEKd5n7RtsZ0Fr1nh
+Zrjyb951QKBgBRjNYigqi/jUO25U9TVmhqe7FA40TL1SCQP9OOfYQKzLFDxw4Lw
AmL2KdUtiU8sU0yT4FVC2ZXJjbMKG3Y6X2Tb/qFjbErMCvef1Fa7pAkUuDnG9v+9
4ng07Ka1F9jEM+WXAwfZKBE3ryrj42z2+monZMKktlFmwkkI3phbXY5NAoGBAIIw
oKVH8IF6umBYN/ZxDzzZJoMObjDSBmmQIE50yxuTe2yGDM6nc5XMQTxc+PLpLOeT
wOU6W5DYdSNzlcj86VJVCsZqEMlXSY8O7I02b4tLDo1g9oUUYYGPjg9zE4wtXvfk
F+fjzqGr33kVmnde1vY7bJSYo12oeHOmIGViPawpAoGBAIx2g38ZFXMUIK2tT3Ny
TEf6PfB8G0/vIZmgf3oAos//XToJemQ5IVDdhz+PUXzqKPO63d+gSo7157nnZwUS
gB8wt5YXj257VVkHAvLhWp1SOpuVs5EkndavKlZK8YJOWxY4AgH/i3M8x3PSiLiG
kiSMAL9HIRWzw03lnvm3QWyV
-----END PRIVATE KEY-----
`;
