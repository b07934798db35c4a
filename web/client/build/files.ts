// SPDX-License-Identifier: AGPL-3.0-or-later
// Beside what is built: routes.json, which tells the server what a page needs, and SOURCE, which tells of what it was built.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { languages } from './messages';
import { sourceHash } from './source.mjs';

interface Line { pattern: string; page: string; areas: string[]; first: string[] }

// The table of src/app/routes.ts, read as text: it names pages by dynamic imports, which only a browser may run.
export function routeLines(source: string): Line[] {
  const line = /\{ pattern: '([^']+)', load: \(\) => import\('([^']+)'\)(?:, areas: \[([^\]]*)\])?(?:, first: \[([^\]]*)\])? \}/g;
  const names = (list: string | undefined): string[] => [...(list ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1]!);
  return [...source.matchAll(line)].map(([, pattern, page, areas, first]) => ({ pattern: pattern!, page: page!, areas: names(areas), first: names(first) }));
}

export function files(): Plugin {
  return {
    name: 'dunlin-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one): one is Rolldown.OutputChunk => one.type === 'chunk');
      const main = chunks.find((one) => one.name === 'main' && one.isEntry)!;
      const withImports = (chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> => {
        if (found.has(chunk.fileName)) return found;
        found.add(chunk.fileName);
        for (const name of chunk.imports) withImports(bundle[name] as Rolldown.OutputChunk, found);
        return found;
      };
      const always = withImports(main);
      const folder = resolve(import.meta.dirname, '../src/app');
      const lines = routeLines(readFileSync(resolve(folder, 'routes.ts'), 'utf8'));
      const routes = lines.map(({ pattern, page, first }) => {
        const module = resolve(folder, page);
        const chunk = chunks.find((one) => one.facadeModuleId === module) ?? chunks.find((one) => one.moduleIds.includes(module))!;
        const needed = [...withImports(chunk)].filter((name) => !always.has(name)).sort();
        return { path: pattern, files: needed, ...(first.length && { first }) };
      });
      const table = {
        entry: main.fileName,
        style: 'main.css',
        languages: Object.fromEntries(languages().map((language) => [language, [`core.${language}.js`]])),
        routes,
      };
      this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(table, null, 1) + '\n' });
      this.emitFile({ type: 'asset', fileName: 'SOURCE', source: sourceHash() + '\n' });
    },
  };
}
