// The vendors that a connection can name: one is added here, and nowhere else.
import type { TProperties } from 'typebox';
import { objectOf } from '../declaration/field.ts';
import { isObject } from '../declaration/is-object.ts';
import { readObject } from '../declaration/validate.ts';
import { discord } from './discord.ts';
import { msteams } from './msteams.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { smtp } from './smtp.ts';
import { telegram } from './telegram.ts';
import { twilio } from './twilio.ts';
import type { Rooms, ServedChannel, Settings, Vendor } from './vendor.ts';
import { whatsAppCloud } from './whatsapp-cloud.ts';

export const vendors: readonly Vendor[] = [
  telegram,
  slack,
  msteams,
  discord,
  twilio,
  ntfy,
  whatsAppCloud,
  smtp,
];

export const vendorNamed = (name: string): Vendor | undefined =>
  vendors.find(({ vendor }) => vendor === name);

/** Whether the last characters of that secret may be shown, to identify it. */
export const showsEnd = (vendor: string, secret: string): boolean =>
  !vendorNamed(vendor)?.chosenSecrets?.includes(secret);

/** What the vendor makes an app of; undefined: it makes none. */
export function manifestOf(
  { vendor, settings }: { readonly vendor: string; readonly settings: Settings },
  publicUrl: string,
): object | undefined {
  const declared = vendorNamed(vendor);
  return declared?.manifestOf?.(settings, publicUrl) ?? declared?.manifest;
}

/** Who lists the rooms of a chat; undefined: nobody. */
export const listingVendor = (channel: string) =>
  vendors.find(
    (one): one is Vendor & { readonly rooms: Rooms } =>
      one.rooms !== undefined && one.channels.some((each) => each === channel),
  );

/**
 * Settings as they were stored, with the defaults of what was declared since. Null: they cannot be
 * read, or the vendor is unknown here.
 */
export function storedSettings(vendor: string, stored: unknown): Settings | null {
  const declared = vendorNamed(vendor)?.settings;
  if (declared === undefined || !isObject(stored)) return null;
  const known = Object.entries(stored).filter(([field]) => Object.hasOwn(declared, field));
  const read = readObject(settingsShape(declared), Object.fromEntries(known));
  return read.ok ? read.value : null;
}

const shapes = new WeakMap<TProperties, ReturnType<typeof objectOf>>();

function settingsShape(declared: TProperties) {
  const shape = shapes.get(declared) ?? objectOf(declared);
  shapes.set(declared, shape);
  return shape;
}

/** The channels that a connection serves with the settings that are stored of it. */
export function channelsOf(vendor: string, stored: unknown): readonly ServedChannel[] {
  const settings = storedSettings(vendor, stored);
  return settings === null ? [] : (vendorNamed(vendor)?.channelsOf(settings) ?? []);
}
