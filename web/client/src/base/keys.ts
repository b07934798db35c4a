// SPDX-License-Identifier: AGPL-3.0-or-later
// Keyboard shortcuts. A place that is shown adds its keys and takes them away again; the last one added is asked first.
// A key is written as "j", "?", "ctrl+k", "g h" (one after the other), "shift+1".

export type Keys = Record<string, (event: KeyboardEvent) => void>;

const layers: Keys[] = [];
let prefix = '';
let prefixEnds = 0;
let enabled = true;

export const useShortcuts = (on: boolean): void => void (enabled = on);

export function keys(layer: Keys): () => void {
  layers.push(layer);
  return () => void layers.splice(layers.lastIndexOf(layer), 1);
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || (target.matches('input, textarea, select') && !target.matches('[type=checkbox], [type=radio], [type=button]')));

// What is typed belongs to the input method: Enter chooses one of its words. Safari says so by the code alone.
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

export function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const digit = /^Digit(\d)$/.exec(event.code ?? '')?.[1];
  if (event.ctrlKey || event.metaKey) return 'ctrl+' + key;
  if (event.shiftKey && digit) return 'shift+' + digit;
  return key;
}

export function press(event: KeyboardEvent, now = Date.now()): void {
  if (event.defaultPrevented || event.altKey || isComposing(event)) return;
  const name = nameOf(event);
  const held = name.startsWith('ctrl+');
  if (isWriting(event.target) && !held) return;
  if (!enabled && !held && name !== 'Escape') return;
  const sequence = prefix && now < prefixEnds ? prefix + ' ' + name : name;
  prefix = '';
  const modal = document.querySelector('dialog[open]:modal');
  for (let n = layers.length - 1; n >= 0; --n) {
    const act = layers[n]![sequence];
    if (!act || (modal && !held)) continue;
    event.preventDefault();
    act(event);
    return;
  }
  if (name === 'g' && !held) [prefix, prefixEnds] = ['g', now + 1500];
}

// Of one of several lists side by side: they count while the focus is in it.
export function keysIn(place: HTMLElement, layer: Keys): () => void {
  const pressed = (event: KeyboardEvent): void => {
    const act = layer[nameOf(event)];
    if (!act || !enabled || event.defaultPrevented || event.altKey || isWriting(event.target)) return;
    event.preventDefault();
    act(event);
  };
  place.addEventListener('keydown', pressed);
  return () => place.removeEventListener('keydown', pressed);
}

export const startKeys = (): void => document.addEventListener('keydown', (event) => press(event));
