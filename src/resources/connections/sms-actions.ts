// What people may do by answering an SMS: its sender can be forged.
import { choice, optional } from '../declaration/field.ts';
import type { Settings } from './vendor.ts';

const smsActions = ['all', 'acknowledge', 'none'] as const;
export type SmsActions = (typeof smsActions)[number];

export const smsActionsField = optional(
  choice(smsActions, {
    doc: 'What people may do by answering an SMS, whose sender can be forged: all, acknowledge or none. Other answers do nothing, get a sentence in return, and are noted on the timeline. all when absent.',
    default: 'all',
  }),
);

export const smsActionsIn = ({ sms_actions }: Settings): SmsActions =>
  smsActions.find((one) => one === sms_actions) ?? 'all';

export const mayBySms = (allowed: SmsActions, action: string): boolean =>
  allowed === 'all' || allowed === action;
