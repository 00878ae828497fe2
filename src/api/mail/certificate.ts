// The operator's certificate for STARTTLS. It is renewed by others, every few weeks, as files.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Log } from '../../engine/log.ts';

/** Where it is, with its chain, and its private key; both in PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string };

export type Certificate = {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** When the first of the chain expires. */
  readonly expiresAt: Temporal.Instant;
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws unless both can be read and belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  createSecureContext(certificate);
  return { ...certificate, expiresAt: expiryOf(certificate.cert) };
}

function expiryOf(cert: Buffer): Temporal.Instant {
  const chain = cert.toString('latin1').match(CERTIFICATE) ?? [];
  const ends = chain.map((one) => new X509Certificate(one).validToDate.getTime());
  if (ends.length === 0) throw new Error('there is no certificate in it');
  return Temporal.Instant.fromEpochMilliseconds(Math.min(...ends));
}

type Renewing = {
  readonly files: CertificateFiles;
  readonly current: Certificate;
  readonly log: Log;
  readonly renewed: (certificate: Certificate) => void;
};

/** Each call reads the files again if they changed, and answers the certificate that is in use. */
export function createRenewal(renewing: Renewing): () => Promise<Certificate> {
  const { files, log, renewed } = renewing;
  let { current } = renewing;
  let seen = changesOf(files);
  return async () => {
    const before = seen;
    const now = changesOf(files);
    seen = now;
    if ((await before) === (await now)) return current;
    try {
      current = readCertificate(files);
      renewed(current);
      log.info({ file: files.cert }, 'the certificate of the mail listener was read again');
    } catch (error) {
      // Perhaps only one of the two is written yet: the other will be a change too.
      const message =
        'the certificate of the mail listener cannot be read; the previous one stays in use';
      log.warn({ err: error, file: files.cert }, message);
    }
    return current;
  };
}

/** When each was last changed; a file that is not there was never. */
async function changesOf({ cert, key }: CertificateFiles): Promise<string> {
  const times = [cert, key].map((file) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return (await Promise.all(times)).join();
}
