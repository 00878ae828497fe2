// What people may do by answering an SMS: its sender can be forged.
import { choice, optional } from '../declaration/field.ts';
import type { Settings } from './vendor.ts';

const smsActions = ['all', 'acknowledge', 'none'] as const;
export type SmsActions = (typeof smsActions)[number];

export const smsActionsField = optional(
  choice(smsActions, {
    doc: 'The actions allowed by SMS reply, whose sender can be forged: all, acknowledge or none. Other replies have no effect, get a reply that explains why, and are shown on the timeline. Default: all.',
    default: 'all',
  }),
);

export const smsActionsIn = ({ sms_actions }: Settings): SmsActions =>
  smsActions.find((one) => one === sms_actions) ?? 'all';

export const mayBySms = (allowed: SmsActions, action: string): boolean =>
  allowed === 'all' || allowed === action;
