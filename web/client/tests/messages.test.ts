// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test } from 'vitest';
import { areas, argumentsOf, catalogue, compile, languages } from '../build/messages';
import { choose } from '../src/base/text';

test.each(languages())('every text of %s compiles, and fills in what English fills in', (language) => {
  for (const area of areas()) {
    expect(() => compile(language, area)).not.toThrow();
    const english = catalogue('en', area);
    for (const [key, text] of Object.entries(catalogue(language, area)))
      for (const name of argumentsOf(text).keys()) expect([...argumentsOf(english[key]!).keys()], key).toContain(name);
  }
});
test('the best of our languages is chosen', () => {
  const ours = ['en', 'de', 'pt-BR', 'zh-Hans'];
  expect(choose(['de-AT', 'en'], ours)).toBe('de');
  expect(choose(['pt'], ours)).toBe('pt-BR');
  expect(choose(['xx', 'pt-BR'], ours)).toBe('pt-BR');
  expect(choose(['xx'], ours)).toBe('en');
});
