// SPDX-License-Identifier: AGPL-3.0-or-later
// Every scenario, one after the other, on one server. `run` starts this once per database.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import test from 'node:test';
import { takeComplaints } from './support/browser.js';
import { long } from './support/check.js';
import { engine } from './support/server.js';
import { browser, server } from './support/stage.js';

const only = process.argv.slice(2);
const every = ['sign_in', 'sign_up', 'account', 'transfer', 'posts', 'follows', 'privacy', 'notifications', 'pages', 'public', 'profile', 'changes', 'server', 'toot', 'moderation', 'staff', 'team', 'everyday', 'media', 'translation', 'streaming', 'streams', 'languages', 'client', 'foreign', 'sessions', 'keyboard', 'crawl', 'lasting', 'answers', 'accounts', 'pictures', 'columns', 'finding', 'choices', 'writing', 'plain', 'live'];
test(`${engine}: no file of scenarios is left out`, async () => {
  const files = (await readdir(new URL('./scenarios/', import.meta.url))).map((name) => name.replace(/\.js$/, ''));
  assert.deepEqual([...every].sort(), files.sort());
});
// What a browser shows does not depend on the database, and takes as long as all the rest; and minutes on a busy machine. So with
// PostgreSQL pages are looked at in the long run alone: what they ask of it, the unit tests of each ask, too.
const page = (name) => ['account', 'transfer', 'pages', 'public', 'profile', 'staff', 'team', 'plain'].includes(name);
const shown = (name, title) => ['client', 'languages', 'foreign', 'sessions', 'keyboard', 'crawl', 'lasting', 'answers', 'accounts', 'pictures', 'columns', 'finding', 'choices', 'writing', 'live'].includes(name) || title.startsWith('axe ');
const withoutComplaints = (scenario) => async () => {
  takeComplaints();
  await scenario();
  assert.deepEqual(takeComplaints(), [], 'what the browser complained of');
};
for (const name of only.length ? only : every) {
  const { default: scenarios } = await import(`./scenarios/${name}.js`);
  for (const [title, scenario] of Object.entries(scenarios)) {
    if (!only.length && engine !== 'SQLite' && (shown(name, title) || (page(name) && !long))) continue;
    test(`${engine}: ${name}: ${title}`, { timeout: shown(name, title) ? 600_000 : 300_000 }, withoutComplaints(scenario));
  }
}

test(`${engine}: the server stops when told to, and has logged no error`, { timeout: 60_000 }, async () => {
  await browser.close();
  const { status, log } = await server.stop();
  assert.equal(status, 0, `it ended with ${status}; its log:\n${log}`);
  const errors = log.split('\n').filter((line) => / error: |AddressSanitizer|runtime error|WARNING: ThreadSanitizer/.test(line));
  assert.deepEqual(errors, []);
});
