// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test } from 'vitest';
import { length, named, wordAt } from '../src/compose/count';

test('people count as readers do', () => {
  expect(length('abc')).toBe(3);
  expect(length('👩‍👩‍👧‍👦é')).toBe(2);
  expect(length('see https://example.org/a/very/long/path?with=query.')).toBe(4 + 23 + 1);
  expect(length('@bob@very-long.example.org hello')).toBe(10);
  expect(length('mail me@example.org')).toBe(19);
});
test('who is named', () => {
  expect(named('@bob and @carol@b.example, not me@x.example nor https://x.example/@dan')).toEqual(['bob', 'carol@b.example']);
  expect(named('@bob @bob')).toEqual(['bob']);
});
test('the word to complete', () => {
  expect(wordAt('hello @al', 9)).toEqual({ start: 6, word: '@al' });
  expect(wordAt('hello @al there', 9)).toEqual({ start: 6, word: '@al' });
  expect(wordAt('a#b', 3)).toBeUndefined();
  expect(wordAt('hello @', 7)).toBeUndefined();
  expect(wordAt(':bir', 4)).toEqual({ start: 0, word: ':bir' });
});
