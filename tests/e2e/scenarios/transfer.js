// SPDX-License-Identifier: AGPL-3.0-or-later
// All that somebody wrote as one file, and out of one, on the page of their account.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { pngFile } from '../support/png.js';
import { browser, client, password, person, server } from '../support/stage.js';

const run = promisify(execFile);
const hub = `${server.url}/settings/account/transfer`;

async function signedIn(name) {
  const page = await freshPage(browser);
  await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account/transfer`);
  await signIn(page, name, password);
  return page;
}

async function member(file, name) {
  const script = 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
  const { stdout } = await run('python3', ['-c', script, file, name], { encoding: 'buffer', maxBuffer: 1 << 26 });
  return stdout;
}

export default {
  'an archive is asked for, made, and taken along by its owner alone': async () => {
    const { token } = await person('arc_owner');
    const api = client(token);
    const media = await api.v2.media.create({ file: pngFile(64, 64), description: 'Nobody' });
    await api.v1.statuses.create({ status: 'a first one', mediaIds: [media.id] });
    await api.v1.statuses.create({ status: 'for myself', visibility: 'direct' });
    const page = await signedIn('arc_owner');
    await page.click('text=Ask for an archive');
    assert.match(await page.textContent('[role=status]'), /made in the background/);
    await until('it is made', async () => {
      await page.goto(hub);
      return /Ready/.test(await page.textContent('main'));
    });
    await screenshot(page, 'transfer_archive');
    const [taken] = await Promise.all([page.waitForEvent('download'), page.click('main >> text=Download')]);
    assert.match(taken.suggestedFilename(), /^arc_owner-\d{4}-\d\d-\d\d\.zip$/);
    const file = await taken.path();
    const outbox = JSON.parse(await member(file, 'outbox.json'));
    assert.equal(outbox.totalItems, 2);
    const [{ url }] = outbox.orderedItems[0].object.attachment;
    assert.match(url, /^media_attachments\/files\//);
    assert.ok((await member(file, url)).length > 100);
    assert.equal(JSON.parse(await member(file, 'actor.json')).preferredUsername, 'arc_owner');

    const written = join(await mkdtemp(join(tmpdir(), 'dunlin-archive-')), 'a.zip');
    await server.command('account', 'export', 'arc_owner', '--to', written);
    assert.equal(JSON.parse(await member(written, 'outbox.json')).totalItems, 2);

    await page.click('text=Ask for an archive');
    assert.match(await page.textContent('[role=alert]'), /once a day/);
    const address = await page.getAttribute('main a[href*="/archive/"]', 'href');
    await person('arc_thief');
    const thief = await signedIn('arc_thief');
    assert.equal((await thief.request.get(server.url + address)).status(), 404);
    assert.equal(new URL((await fetch(server.url + address)).url).pathname, '/auth/sign_in');
    await page.context().close();
    await thief.context().close();
  },

  'posts are brought along, published, and taken back': async () => {
    const old = await person('arc_old');
    const media = await client(old.token).v2.media.create({ file: pngFile(64, 48), description: 'a picture' });
    const first = await client(old.token).v1.statuses.create({ status: 'what I said', mediaIds: [media.id], spoilerText: 'old' });
    await client(old.token).v1.statuses.create({ status: 'and then', inReplyToId: first.id });
    const written = join(await mkdtemp(join(tmpdir(), 'dunlin-archive-')), 'a.zip');
    // Not before the key of a new account is made.
    await until('it is written', async () => (await server.command('account', 'export', 'arc_old', '--to', written)) !== null);

    const { token } = await person('arc_new');
    const api = client(token);
    const me = await api.v1.accounts.verifyCredentials();
    const listed = () => api.v1.accounts.$select(me.id).statuses.list();
    const page = await signedIn('arc_new');
    await page.setInputFiles('#archive', { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') });
    await page.click('text=Bring the posts along');
    assert.match(await page.textContent('[role=alert]'), /no zip archive/);
    await page.setInputFiles('#archive', written);
    await page.click('text=Bring the posts along');
    assert.match(await page.textContent('[role=status]'), /in the background/);
    await until('they are here', async () => {
      await page.goto(hub);
      return /Done: 2 of 2/.test(await page.textContent('main'));
    });
    await screenshot(page, 'transfer_posts');
    const [answer, root] = await listed();
    assert.equal(root.createdAt, first.createdAt.replace(/\.\d+/, '.000'));
    assert.equal(root.spoilerText, 'old');
    assert.equal(root.mediaAttachments[0].description, 'a picture');
    assert.equal(answer.inReplyToId, root.id);
    const open = () => fetch(`${server.url}/api/v1/statuses/${root.id}`);
    assert.equal((await open()).status, 404);
    await page.click('button:has-text("Publish them")');
    await until('everybody sees them', async () => (await open()).status === 200);
    await page.goto(hub);
    assert.match(await page.textContent('main'), /They are published/);
    await page.click('text=Take them all back');
    await until('they are gone', async () => (await listed()).length === 0);

    const again = JSON.parse(await server.command('account', 'import', 'arc_new', written, '--json'));
    assert.deepEqual({ state: again.state, posts: again.posts, failed: again.failed }, { state: 'ended', posts: 2, failed: 0 });
    const third = JSON.parse(await server.command('account', 'import', 'arc_new', written, '--json'));
    assert.equal(third.posts, 0);
    await page.context().close();
  },
};
