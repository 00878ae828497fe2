// Topics of ntfy: whoever knows one reads what is published there, so one that nobody guesses is offered.
import { deviceChannel } from '../../resources/channels.ts';
import { isTopicName } from '../../resources/push.ts';

const TOPIC_BYTES = 16;

export function randomTopic(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOPIC_BYTES));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  return `pager-${hex.join('')}`;
}

export const topicAddress = (topic: string): string => `ntfy:${topic.trim()}`;

/** Whether its person types the code, which a browser sends back by itself. */
export const isTopic = ({ channel, address }: { channel: string; address: string }): boolean =>
  channel === deviceChannel && isTopicName(address);
