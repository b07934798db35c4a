// SPDX-License-Identifier: AGPL-3.0-or-later
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { files } from './build/files';
import { messages } from './build/messages';

const server = process.env.DUNLIN ?? 'http://127.0.0.1:3000';

// Beside a server, with a token: only while developing.
const token = (): Plugin => ({
  name: 'dunlin-token',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('dunlin-authorization" content=""', `dunlin-authorization" content="Bearer ${process.env.TOKEN ?? ''}"`),
});

const name = (chunk: { name: string; facadeModuleId: string | null }): string => {
  const words = /messages\/([\w-]+)\/(\w+)$/.exec(chunk.facadeModuleId ?? '');
  return words ? `${words[2]}.${words[1]}.js` : '[name].js';
};

// What every screen with posts needs, in one file.
const shared = /node_modules\/svelte\/|client\/src\/(base|parts)\/(?!push)|client\/src\/accounts\/(accounts|Avatar|FollowButton)|client\/src\/statuses\/(?!MediaViewer|History|PolicySheet|difference)|client\/src\/timelines\/(timelines|Posts|HomePage)/;

export default defineConfig({
  base: './', // the server puts a version into the path, so that file names stay and every answer may be kept for ever
  plugins: [messages(), svelte(), files(), token()],
  resolve: process.env.VITEST ? { conditions: ['browser'] } : undefined,
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      input: { main: 'src/main.ts', sw: 'src/sw.ts' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: name,
        assetFileNames: (asset) => (asset.names[0]?.endsWith('.css') ? 'main.css' : '[name][extname]'),
        codeSplitting: { groups: [{ name: 'shared', test: shared }] },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/api', '/static', '/media', '/oauth', '/auth'].map((path) => [path, { target: server, ws: true }])) },
  test: { environment: 'jsdom', include: ['tests/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
