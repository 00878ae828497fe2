/** Why a contact that was verified is so no more. */
export const contactStates = ['gone', 'blocked', 'opted_out', 'invalid'] as const;
