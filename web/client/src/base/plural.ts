// SPDX-License-Identifier: AGPL-3.0-or-later
// What compiled texts call: numbers, plurals, choices. In the language of the page.
type Cases = Record<string, () => string>;

let rules: Intl.PluralRules | undefined;
let numbers: Intl.NumberFormat | undefined;
const language = (): string => document.documentElement.lang || 'en';

export const N = (value: number): string => (numbers ??= new Intl.NumberFormat(language())).format(value);
export const P = (value: number, cases: Cases): string =>
  (cases[value] ?? cases[(rules ??= new Intl.PluralRules(language())).select(value)] ?? cases.other)!();
export const S = (value: string, cases: Cases): string => (cases[value] ?? cases.other)!();
export const forgetLanguage = (): void => void (rules = numbers = undefined);
