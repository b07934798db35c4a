// SPDX-License-Identifier: AGPL-3.0-or-later
// How somebody likes the client: on this device at once, and with the account for the next one.
import { put } from './api';
import { useShortcuts } from './keys';
import { start } from './start';

const defaults = {
  language: '',
  scheme: 'auto' as 'auto' | 'light' | 'dark' | 'black',
  contrast: 'auto' as 'auto' | 'more',
  scale: 100,
  density: 'normal' as 'close' | 'normal' | 'wide',
  motion: 'auto' as 'auto' | 'still',
  media: 'default' as 'default' | 'show_all' | 'hide_all',
  openWarnings: false,
  shortcuts: true,
  altText: 'ask' as 'off' | 'ask' | 'require',
  confirmBoost: false,
  threadOrder: 'oldest' as 'oldest' | 'newest' | 'liked' | 'flat',
  searchHistory: true,
  hideCounts: false,
  homeBoosts: true,
  homeReplies: true,
  homeMedia: false,
  homeWithout: [] as string[], // languages
  noticesWithout: [] as string[], // types
  columns: [] as string[],
};
export type Prefs = typeof defaults;

export const prefs = $state<Prefs>({ ...defaults });
const place = 'dunlin-prefs';
const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');
let saving: ReturnType<typeof setTimeout> | undefined;

function apply(): void {
  const { style, dataset } = document.documentElement;
  dataset.scheme = prefs.scheme === 'auto' ? (dark.matches ? 'dark' : 'light') : prefs.scheme;
  dataset.contrast = prefs.contrast === 'more' || contrast.matches ? 'more' : 'normal';
  dataset.density = prefs.density;
  dataset.motion = prefs.motion === 'still' || matchMedia('(prefers-reduced-motion: reduce)').matches ? 'still' : 'free';
  style.setProperty('--scale', String(prefs.scale / 100));
  useShortcuts(prefs.shortcuts);
}

function take(given: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(given))
    if (key in defaults && typeof value === typeof defaults[key as keyof Prefs]) (prefs as Record<string, unknown>)[key] = value;
}

// Each account has its own; the last one used stands for colours before it is known who is here.
const placeOf = (account: string): string => place + ':' + account;
const local = (name: string): Record<string, unknown> => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
};
export const forgetPrefsOf = (accounts: readonly string[]): void => accounts.forEach((one) => localStorage.removeItem(placeOf(one)));
export function forgetPrefs(accounts: readonly string[]): void {
  forgetPrefsOf(accounts);
  localStorage.removeItem(place);
}

// Where others use this computer.
export function forgetPrefsBut(account: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(place) && key !== placeOf(account)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing anyhow.
  }
}

export function startPrefs(): void {
  take(local(place));
  apply();
  dark.addEventListener('change', apply);
  contrast.addEventListener('change', apply);
}

// What the server keeps goes before what is left on this device.
export function takeServerPrefs(): void {
  Object.assign(prefs, defaults);
  take(local(placeOf(start.me.id)));
  const kept = start.settings?.['dunlin'];
  if (kept && typeof kept === 'object') take(kept as Record<string, unknown>);
  apply();
  remember();
}

function remember(): void {
  if (start.shared) return;
  for (const name of [place, placeOf(start.me.id)]) localStorage.setItem(name, JSON.stringify(prefs));
}

export function setPref<K extends keyof Prefs>(name: K, value: Prefs[K]): void {
  prefs[name] = value;
  apply();
  remember();
  clearTimeout(saving);
  saving = setTimeout(() => void put('/api/web/settings', { data: { ...start.settings, dunlin: $state.snapshot(prefs) } }).catch(() => undefined), 800);
}
