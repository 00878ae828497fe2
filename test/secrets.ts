import {
  createSealer,
  createSecrets,
  derivedKeys,
  type Secrets,
} from '../src/storage/sealed/secrets.ts';

/** As a server that was started with this key has them, without a database that knows of it. */
export const buildSecrets = (secretKey: string): Secrets =>
  createSecrets(createSealer(secretKey), derivedKeys(secretKey));
