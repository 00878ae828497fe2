// The certificates that a connection to the API is made with, read from files.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import type { Certificates } from '../client/node.ts';
import { errorDiagnostic, type Wrong, wrong } from './diagnostics.ts';

export type CertificateFiles = {
  readonly ca_cert_file: string | null;
  readonly client_cert_file: string | null;
  readonly client_key_file: string | null;
};
type Setting = keyof CertificateFiles | 'SSL_CERT_FILE';

class Unusable extends Error {
  readonly setting: Setting;
  constructor(setting: Setting, message: string) {
    super(message);
    this.setting = setting;
  }
}

/** Known authorities stay known beside those of the files. */
export function readCertificates(
  files: CertificateFiles,
  environment: NodeJS.ProcessEnv,
): Certificates | Wrong {
  try {
    const authorities = [
      ...authoritiesIn('ca_cert_file', files.ca_cert_file),
      ...authoritiesIn('SSL_CERT_FILE', environment['SSL_CERT_FILE'] || null),
    ];
    // Node 20 cannot tell those that NODE_EXTRA_CA_CERTS adds.
    const known = () => tls.getCACertificates?.('default') ?? tls.rootCertificates;
    return {
      ...(authorities.length > 0 && { ca: [...known(), ...authorities] }),
      ...ownCertificate(files),
    };
  } catch (error) {
    if (error instanceof Unusable) return unusable(error);
    throw error;
  }
}

function authoritiesIn(setting: Setting, file: string | null): string[] {
  if (file === null) return [];
  const text = textOf(setting, file);
  parsed(setting, file, text);
  return [text];
}

function ownCertificate({
  client_cert_file: certFile,
  client_key_file: keyFile,
}: CertificateFiles) {
  if (certFile === null && keyFile === null) return {};
  if (certFile === null)
    throw new Unusable('client_cert_file', 'Set it as well, because client_key_file is set.');
  if (keyFile === null)
    throw new Unusable('client_key_file', 'Set it as well, because client_cert_file is set.');
  const [cert, key] = [textOf('client_cert_file', certFile), textOf('client_key_file', keyFile)];
  const certificate = parsed('client_cert_file', certFile, cert);
  if (!certificate.checkPrivateKey(parsedKey(keyFile, key)))
    throw new Unusable('client_key_file', `${keyFile} does not contain the key of ${certFile}.`);
  return { cert, key };
}

function textOf(setting: Setting, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Unusable(setting, `${file} cannot be read (${code}).`);
  }
}

function parsed(setting: Setting, file: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new Unusable(setting, `${file} contains no PEM certificate.`);
  }
}

function parsedKey(file: string, text: string) {
  try {
    return createPrivateKey(text);
  } catch {
    throw new Unusable('client_key_file', `${file} contains no PEM key, or the key is encrypted.`);
  }
}

const unusable = ({ setting, message }: Unusable): Wrong =>
  wrong(
    errorDiagnostic({
      summary: `Invalid ${setting}`,
      detail: message,
      path: setting === 'SSL_CERT_FILE' ? undefined : setting,
    }),
  );
