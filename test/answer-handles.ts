/** Of the buttons of a page, as short as can be. */
export const answerHandles = {
  acknowledge: 'a1',
  resolve: 'r1',
  escalate: 'e1',
  unacknowledge: 'u1',
  webhook: 'w1',
  playbook: 'p1',
};
