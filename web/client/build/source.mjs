// SPDX-License-Identifier: AGPL-3.0-or-later
// The hash of everything dist/ is made of, in the way tools/check computes it: names and contents, sorted by name.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const parts = ['web/client/src', 'web/client/build', 'web/client/package-lock.json', 'web/client/vite.config.ts', 'web/client/svelte.config.js', 'web/client/tsconfig.json', 'web/locales', 'web/languages.json'];

function* filesOf(path) {
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return yield path;
  }
  for (const entry of entries) yield* filesOf(resolve(path, entry.name));
}

export function sourceHash() {
  const names = parts.flatMap((part) => [...filesOf(resolve(root, part))]).map((path) => relative(root, path));
  const ours = names.filter((name) => !/^web\/locales\/[^/]+\.json$/.test(name)).sort((a, b) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const name of ours) hash.update(name + '\0').update(readFileSync(resolve(root, name))).update('\0');
  return hash.digest('hex');
}
