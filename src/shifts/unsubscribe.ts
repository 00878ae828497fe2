// What a person's settings are once they want no notices of shifts on a channel.
import { type PersonalNotifications, shiftEvents } from '../resources/shift-notifications.ts';
import { byDefault } from './announce.ts';

export function withoutChannel(
  settings: PersonalNotifications,
  channel: string,
): PersonalNotifications {
  const { schedules } = settings;
  const general = Object.fromEntries(
    shiftEvents.map((event) => [event, without(settings[event] ?? byDefault[event], channel)]),
  );
  return {
    ...settings,
    ...general,
    ...(schedules && {
      schedules: schedules.map((schedule) => ({
        ...schedule,
        // An event that is absent there has the general setting.
        ...Object.fromEntries(
          shiftEvents.flatMap((event) => {
            const own = schedule[event];
            return own === undefined ? [] : [[event, without(own, channel)]];
          }),
        ),
      })),
    }),
  };
}

const without = (channels: readonly string[], channel: string) =>
  channels.filter((one) => one !== channel);
