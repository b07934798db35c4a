// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test } from 'vitest';
import type { WholeFilter } from '../src/base/entities';
import { most, read, written } from '../src/filters/exchange';

const one: WholeFilter = { id: '7', title: 'Spoilers', context: ['home', 'thread'], expires_at: '2030-01-01T00:00:00.000Z', filter_action: 'hide', keywords: [{ id: '1', keyword: 'the boat', whole_word: true }], statuses: [] };

test('what is written can be read again, without what belongs to this place', () => {
  expect(read(written([one]))).toEqual([{ title: 'Spoilers', context: ['home', 'thread'], filter_action: 'hide', expires_in: null, keywords: [{ keyword: 'the boat', whole_word: true }] }]);
  expect(written([one])).not.toContain('"id"');
});

test('other files are refused, and of ours what is no filter is left out', () => {
  for (const text of ['', '[]', 'null', '{"filters": 3}', 'title,context']) expect(read(text)).toBeNull();
  const odd = { filters: [null, 3, { title: 'a' }, { keywords: [{ keyword: ' ' }], context: ['home'], filter_action: 'hide' }, { keywords: [{ keyword: 'b' }], context: ['nowhere'], filter_action: 'hide' }, { keywords: [{ keyword: 'c' }], context: ['home'], filter_action: 'destroy' }, { title: 4, keywords: [{ keyword: 'd' }, { keyword: 5 }], context: ['home', 'nowhere'], filter_action: 'warn' }] };
  expect(read(JSON.stringify(odd))).toEqual([{ title: '', context: ['home'], filter_action: 'warn', expires_in: null, keywords: [{ keyword: 'd', whole_word: false }] }]);
  expect(read(JSON.stringify({ filters: Array(most + 5).fill(JSON.parse(written([one])).filters[0]) }))).toHaveLength(most);
});
