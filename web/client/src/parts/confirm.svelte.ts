// SPDX-License-Identifier: AGPL-3.0-or-later
// A question before something that cannot be undone: `if (await sure(...)) ...`.
export interface Question { title: string; text: string; yes: string; bad: boolean; answer: (yes: boolean) => void }

export const questions = $state<{ open: Question | null }>({ open: null });

export const sure = (title: string, yes: string, text = '', bad = true): Promise<boolean> =>
  new Promise((resolve) => {
    questions.open = { title, text, yes, bad, answer: (given) => ((questions.open = null), resolve(given)) };
  });
