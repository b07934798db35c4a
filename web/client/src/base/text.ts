// SPDX-License-Identifier: AGPL-3.0-or-later
// Every word people read. One language is loaded, area by area; another one needs a new page.
import { catalogues, languages } from 'virtual:messages';
import type { Messages } from './messages';
import { forgetLanguage } from './plural';

export type Area = 'core' | 'compose' | 'settings' | 'more';
export const t = {} as Messages;
export { languages };
const loaded = new Set<Area>();
let language = 'en';

export const currentLanguage = (): string => language;

// The best of ours for what is wished: "pt" is served by "pt-BR", "de-AT" by "de"; traditional Chinese by simplified only where
// nothing else is wished that there is. As the server chooses (src/base/text/spoken_languages.hpp).
export function choose(wishes: readonly string[], ours: readonly string[] = languages.map((one) => one.code)): string {
  const traditional = (wish: string): boolean => /^zh-(hant|tw|hk|mo)\b/i.test(wish);
  const base = (tag: string): string => tag.split(/[-_]/)[0]!.toLowerCase();
  for (const wish of [...wishes.filter((one) => !traditional(one)), ...wishes.filter(traditional)]) {
    const found = ours.find((one) => one.toLowerCase() === wish.toLowerCase()) ?? ours.find((one) => base(one) === base(wish));
    if (found) return found;
  }
  return 'en';
}

export async function useLanguage(wishes: readonly string[]): Promise<void> {
  language = choose(wishes);
  document.documentElement.lang = language;
  document.documentElement.dir = languages.find((one) => one.code === language)?.direction ?? 'ltr';
  forgetLanguage();
  loaded.clear();
  await loadArea('core');
}

export async function loadArea(area: Area): Promise<void> {
  if (loaded.has(area)) return;
  Object.assign(t, (await catalogues[language]![area]!()).default);
  loaded.add(area);
}

const names = new Map<string, string>();
export function languageName(code: string): string {
  let name = names.get(code);
  if (name) return name;
  try {
    name = new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
  } catch {
    name = code; // not a language tag: some servers send what they like
  }
  names.set(code, name);
  return name;
}

const lists = (): Intl.ListFormat => new Intl.ListFormat(language, { type: 'conjunction' });
export const listed = (items: string[]): string => lists().format(items);
const short = (): Intl.NumberFormat => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
let compact: Intl.NumberFormat | undefined;
export const count = (n: number): string => (n < 1000 ? String(n) : (compact ??= short()).format(n));
