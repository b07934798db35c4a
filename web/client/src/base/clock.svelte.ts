// SPDX-License-Identifier: AGPL-3.0-or-later
// One clock for all relative times of a page.
import { currentLanguage } from './text';

let now = $state(Date.now());
const look = (): void => void (document.hidden || (now = Date.now()));
if (typeof document !== 'undefined') {
  setInterval(look, 30_000);
  document.addEventListener('visibilitychange', look);
}

const steps: [number, Intl.RelativeTimeFormatUnit][] = [[60, 'second'], [60, 'minute'], [24, 'hour'], [7, 'day'], [4.35, 'week'], [12, 'month'], [Infinity, 'year']];
let short: Intl.RelativeTimeFormat | undefined;
let long: Intl.RelativeTimeFormat | undefined;
let absolute: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

// The narrow style is not for people: in French it says "-6 min".
const inShort = (): Intl.RelativeTimeFormat => (short ??= new Intl.RelativeTimeFormat(currentLanguage(), { style: 'short' }));
const inWords = (): Intl.RelativeTimeFormat => (long ??= new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' }));

function spoken(seconds: number, format: Intl.RelativeTimeFormat): string {
  let amount = seconds;
  if (Math.abs(amount) < 1) return inWords().format(0, 'second');
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return format.format(Math.round(amount), unit);
    amount /= size;
  }
  return '';
}

export const currentTime = (): number => now;
// What has just come is younger than the last look at the clock, and clocks differ: nothing that has happened lies ahead.
const since = (iso: string): number => Math.min(0, (Date.parse(iso) - now) / 1000);
export const ago = (iso: string): string => spoken(since(iso), inShort());
export const agoAloud = (iso: string): string => spoken(since(iso), inWords());
export const ahead = (iso: string): string => spoken(Math.max(0, (Date.parse(iso) - now) / 1000), inShort());
export const exactly = (iso: string): string => (absolute ??= new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' })).format(Date.parse(iso));
export const onDay = (iso: string): string => (day ??= new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' })).format(Date.parse(iso));
