// SPDX-License-Identifier: AGPL-3.0-or-later
// What was added to a text and what was taken out, word by word.
export interface Part { kind: 'same' | 'added' | 'removed'; text: string }

export function difference(before: string, after: string): Part[] {
  const a = before.split(/(\s+)/);
  const b = after.split(/(\s+)/);
  const width = b.length + 1;
  if (a.length * b.length > 4_000_000) return [{ kind: 'removed', text: before }, { kind: 'added', text: after }];
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
  const parts: Part[] = [];
  const add = (kind: Part['kind'], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) parts.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i]!);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) add('removed', a[i++]!);
    else add('added', b[j++]!);
  }
  return parts;
}
