// SPDX-License-Identifier: AGPL-3.0-or-later
// One clock for all relative times of a page.
import { currentLanguage } from './text';

let now = $state(Date.now());
if (typeof document !== 'undefined') setInterval(() => document.hidden || (now = Date.now()), 30_000);

const steps: [number, Intl.RelativeTimeFormatUnit][] = [[60, 'second'], [60, 'minute'], [24, 'hour'], [7, 'day'], [4.35, 'week'], [12, 'month'], [Infinity, 'year']];
let relative: Intl.RelativeTimeFormat | undefined;
let long: Intl.RelativeTimeFormat | undefined;
let absolute: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

function spoken(iso: string, format: Intl.RelativeTimeFormat): string {
  let amount = (Date.parse(iso) - now) / 1000;
  for (const [size, unit] of steps) {
    if (Math.abs(amount) < size) return format.format(Math.round(amount), unit);
    amount /= size;
  }
  return '';
}

export const currentTime = (): number => now;
export const ago = (iso: string): string => spoken(iso, (relative ??= new Intl.RelativeTimeFormat(currentLanguage(), { style: 'narrow', numeric: 'always' })));
export const agoAloud = (iso: string): string => spoken(iso, (long ??= new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' })));
export const exactly = (iso: string): string => (absolute ??= new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' })).format(Date.parse(iso));
export const onDay = (iso: string): string => (day ??= new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' })).format(Date.parse(iso));
