// SPDX-License-Identifier: AGPL-3.0-or-later
import { beforeEach, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 }); // each imports the module anew, and a busy machine takes its time
beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse('2026-05-01T12:00:00Z') });
});
async function clock(language: string): Promise<typeof import('../src/base/clock.svelte')> {
  vi.doMock('../src/base/text', () => ({ currentLanguage: () => language }));
  return import('../src/base/clock.svelte');
}

test('what has just happened never lies ahead, and what will happen never behind', async () => {
  const { ago, agoAloud, ahead } = await clock('en');
  expect(ago('2026-05-01T12:00:10Z')).toBe('now');
  expect(agoAloud('2026-05-01T12:00:10Z')).toBe('now');
  expect(ago('2026-05-01T11:59:50Z')).toBe('10 sec. ago');
  expect(ago('2026-05-01T09:00:00Z')).toBe('3 hr. ago');
  expect(ahead('2026-05-01T12:05:00Z')).toBe('in 5 min.');
  expect(ahead('2026-05-01T11:59:50Z')).toBe('now');
});
test('no language has a minus sign for it', async () => {
  for (const language of ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-BR', 'zh-Hans']) {
    vi.resetModules();
    const { ago } = await clock(language);
    for (const iso of ['2026-05-01T11:54:00Z', '2026-05-01T09:00:00Z', '2026-04-30T09:00:00Z', '2025-04-30T09:00:00Z']) expect(ago(iso), language).not.toMatch(/[-−]\d/);
  }
});
test('the time goes on when the page is looked at again', async () => {
  const { ago } = await clock('en');
  vi.setSystemTime(Date.parse('2026-05-01T12:02:00Z'));
  expect(ago('2026-05-01T12:00:00Z')).toBe('now');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(ago('2026-05-01T12:00:00Z')).toBe('2 min. ago');
});
