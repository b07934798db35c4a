// SPDX-License-Identifier: AGPL-3.0-or-later
import { expect, test, vi } from 'vitest';
import { keys, press, useShortcuts } from '../src/base/keys';

const event = (key: string, more: KeyboardEventInit = {}): KeyboardEvent => new KeyboardEvent('keydown', { key, cancelable: true, ...more });

test('the last layer is asked first, and gives way when it is gone', () => {
  const low = vi.fn();
  const high = vi.fn();
  keys({ j: low });
  const forget = keys({ j: high });
  press(event('j'));
  forget();
  press(event('j'));
  expect([low, high].map((one) => one.mock.calls.length)).toEqual([1, 1]);
});
test('g and a letter go together, for a second and a half', () => {
  const home = vi.fn();
  keys({ 'g h': home });
  press(event('g'), 0);
  press(event('h'), 500);
  expect(home).toHaveBeenCalledOnce();
  press(event('g'), 0);
  press(event('h'), 5000);
  expect(home).toHaveBeenCalledOnce();
});
test('letters typed into a field are letters; ctrl works there too', () => {
  const act = vi.fn();
  const palette = vi.fn();
  keys({ n: act, 'ctrl+k': palette });
  const field = document.body.appendChild(document.createElement('textarea'));
  document.addEventListener('keydown', (one) => press(one));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  expect(act).not.toHaveBeenCalled();
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  expect(palette).toHaveBeenCalledOnce();
});
test('they can be switched off', () => {
  const act = vi.fn();
  keys({ y: act });
  useShortcuts(false);
  press(event('y'));
  useShortcuts(true);
  expect(act).not.toHaveBeenCalled();
});
