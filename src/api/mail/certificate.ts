// The operator's certificate for STARTTLS. It is renewed by others, every few weeks, as files.
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Log } from '../../engine/log.ts';

/** Where it is, with its chain, and its private key; both in PEM. */
export type CertificateFiles = { readonly cert: string; readonly key: string };

export type Certificate = { readonly cert: Buffer; readonly key: Buffer };

/** Throws unless both can be read and belong together. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: readFileSync(files.cert), key: readFileSync(files.key) };
  createSecureContext(certificate);
  return certificate;
}

type Renewing = {
  readonly files: CertificateFiles;
  readonly log: Log;
  readonly renewed: (certificate: Certificate) => void;
};

/** Looks at the files when asked to, and reads them again when they changed. */
export function createRenewal({ files, log, renewed }: Renewing): () => Promise<void> {
  let seen = changesOf(files);
  return async () => {
    const before = seen;
    const now = changesOf(files);
    seen = now;
    if ((await before) === (await now)) return;
    try {
      renewed(readCertificate(files));
      log.info({ file: files.cert }, 'the certificate of the mail listener was read again');
    } catch (error) {
      // Perhaps only one of the two is written yet: the other will be a change too.
      const says = 'the certificate of the mail listener cannot be read; the one before is used';
      log.warn({ err: error, file: files.cert }, says);
    }
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
