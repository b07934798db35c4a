// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test } from 'vitest';
import { catches } from '../src/filters/filters.svelte';
import { difference } from '../src/statuses/difference';

test('a filter catches whole words, whatever their case and script', () => {
  const whole = (keyword: string) => [{ keyword, whole_word: true }];
  expect(catches(whole('cat'), 'A Cat sat')).toBe(true);
  expect(catches(whole('cat'), 'concatenate')).toBe(false);
  expect(catches([{ keyword: 'cat', whole_word: false }], 'concatenate')).toBe(true);
  expect(catches(whole('#cat'), 'see #cat!')).toBe(true);
  expect(catches(whole('a.b'), 'axb')).toBe(false);
  expect(catches(whole('Straße'), 'die Straße dort')).toBe(true);
  expect(catches(whole(''), 'anything')).toBe(false);
});
test('what changed between two versions is told word by word', () => {
  expect(difference('a quick bird', 'a slow bird flies').map((part) => [part.kind, part.text])).toEqual([
    ['same', 'a '],
    ['removed', 'quick'],
    ['added', 'slow'],
    ['same', ' bird'],
    ['added', ' flies'],
  ]);
  expect(difference('same', 'same')).toEqual([{ kind: 'same', text: 'same' }]);
});
