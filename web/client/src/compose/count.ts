// SPDX-License-Identifier: AGPL-3.0-or-later
// How long a post is, as the server counts it: graphemes; an address is 23 long, and of a mention only the name counts.
const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const addresses = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?'()\[\]]/gi;
const mentions = /(^|[^/\w])@([\p{L}\p{N}_]+)@[\p{L}\p{N}.-]+[\p{L}\p{N}]/giu;

export function length(text: string, perAddress = 23): number {
  const shortened = text.replace(addresses, 'x'.repeat(perAddress)).replace(mentions, '$1@$2');
  let n = 0;
  for (const _ of segments.segment(shortened)) n++;
  return n;
}

// Whom a text names: "alice" or "alice@example.org", each once.
export function named(text: string): string[] {
  const found = [...text.matchAll(/(?:^|[^/\w])@([\p{L}\p{N}_]+(?:@[\p{L}\p{N}.-]+[\p{L}\p{N}])?)/giu)].map((match) => match[1]!);
  return [...new Set(found)];
}

// The word before the cursor, when it begins with @, # or : and may be completed.
export function wordAt(text: string, cursor: number): { start: number; word: string } | undefined {
  const found = /(?:^|[\s(])([@#:][^\s@#:()]*(?:@[^\s@#:()]*)?)$/u.exec(text.slice(0, cursor));
  const word = found?.[1];
  return word && word.length > 1 ? { start: cursor - word.length, word } : undefined;
}
