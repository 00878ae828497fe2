import { smtp as declaration } from '../../resources/connections/smtp.ts';
import type { Vendor } from '../vendor.ts';
import { createMailByConnection } from './channel.ts';
import { checkMailServer } from './check.ts';

export const smtp: Vendor = {
  declaration,
  baseUrl: null,
  check: checkMailServer,
  send: { email: createMailByConnection },
};
