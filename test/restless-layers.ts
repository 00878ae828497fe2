/** Turns and windows that change a hundred thousand times a year: to look at ten takes a second. */
export const restlessLayers = (user: string): readonly object[] =>
  Array.from({ length: 10 }, (_layer, minute) => ({
    users: [user],
    rotation: { length: 1, unit: 'days' },
    restriction: {
      type: 'weekly',
      windows: Array.from({ length: 90 }, (_window, nth) => {
        const hour = String(nth % 24).padStart(2, '0');
        const [from_time, to_time] = [`${hour}:0${minute}`, `${hour}:3${minute}`];
        return { from_day: 'monday', from_time, to_day: 'monday', to_time };
      }),
    },
  }));
