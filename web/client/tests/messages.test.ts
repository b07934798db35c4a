// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test } from 'vitest';
import { areas, argumentsOf, catalogue, compile, languages } from '../build/messages';
import { forgetLanguage, P } from '../src/base/plural';
import { choose } from '../src/base/text';

test.each(languages())('every text of %s compiles, and fills in what English fills in', (language) => {
  for (const area of areas()) {
    expect(() => compile(language, area)).not.toThrow();
    const english = catalogue('en', area);
    for (const [key, text] of Object.entries(catalogue(language, area)))
      for (const name of argumentsOf(text).keys()) expect([...argumentsOf(english[key]!).keys()], key).toContain(name);
  }
});
test('numbers are counted as the language counts', () => {
  const cases = Object.fromEntries(['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => [form, () => form]));
  const forms = (language: string, numbers: number[]): string => {
    document.documentElement.lang = language;
    forgetLanguage();
    return numbers.map((n) => P(n, cases)).join(' ');
  };
  expect(forms('pl', [1, 2, 4, 5, 12, 22, 100])).toBe('one few few many many few many');
  expect(forms('ar', [0, 1, 2, 3, 10, 11, 100, 103])).toBe('zero one two few few many other few');
  expect(forms('ja', [0, 1, 2])).toBe('other other other');
  expect(P(0, { ...cases, 0: () => 'none' })).toBe('none');
  expect(P(1, { other: () => 'what there is' })).toBe('what there is');
  document.documentElement.lang = 'en';
  forgetLanguage();
});
test('the best of our languages is chosen', () => {
  const ours = ['en', 'de', 'pt-BR', 'zh-Hans'];
  expect(choose(['de-AT', 'en'], ours)).toBe('de');
  expect(choose(['pt'], ours)).toBe('pt-BR');
  expect(choose(['xx', 'pt-BR'], ours)).toBe('pt-BR');
  expect(choose(['xx'], ours)).toBe('en');
  for (const wish of ['zh', 'zh-CN', 'zh-Hans-SG', 'ZH-hans']) expect(choose([wish, 'en'], ours)).toBe('zh-Hans');
  for (const wish of ['zh-TW', 'zh-Hant', 'zh-HK']) {
    expect(choose([wish, 'de'], ours)).toBe('de');
    expect(choose([wish, 'xx'], ours)).toBe('zh-Hans');
  }
});
