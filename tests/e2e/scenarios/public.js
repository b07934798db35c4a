// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages that everybody may see, in a browser without JavaScript: valid, small, without a broken link, and axe has nothing
// to say of them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { freshPage, screenshot } from '../support/browser.js';
import { accessible, desk, phone } from '../support/client.js';
import { valid } from '../support/html.js';
import { pngFile } from '../support/png.js';
import { startServer } from '../support/server.js';
import { account, browser, get, person, post, server, status } from '../support/stage.js';

const most = 20_000; // bytes on the wire

// A second of silence.
function sound() {
  const data = Buffer.alloc(8000, 128);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return new File([head, data], 'silence.wav', { type: 'audio/wav' });
}

// Somebody with everything that public pages show.
async function someone(name, walks) {
  const [ann, bob] = [await person(name), await person(`${name}_bob`)];
  await ann.api.v1.accounts.updateCredentials({ displayName: 'Ann <of the marsh>', note: 'I like birds & reeds', fieldsAttributes: [{ name: 'Where', value: 'The marsh' }] });
  await bob.api.v1.accounts.updateCredentials({ discoverable: true });
  const picture = await ann.api.v2.media.create({ file: pngFile(240, 160), description: 'A heron' });
  const noise = await ann.api.v2.media.create({ file: sound(), description: 'Silence' });
  const first = await post(ann, 'The first of many #marsh', { mediaIds: [picture.id] });
  const heard = await post(ann, 'Listen', { mediaIds: [noise.id] });
  const warned = await post(ann, 'It is muddy.', { spoilerText: 'Mud', inReplyToId: first.id });
  const answer = await post(bob, `@${name} Wear boots.`, { inReplyToId: warned.id });
  await post(bob, `@${name} Or do not.`, { inReplyToId: answer.id });
  await post(ann, 'Which?', { poll: { options: ['Boots', 'None'], expiresIn: 3600 } });
  for (let i = 0; i < walks; ++i) await post(ann, `One more walk, number ${i} https://example.org/walks?a=1&b=${i}`);
  await status(ann, first.id).pin();
  await ann.api.v1.featuredTags.create({ name: 'marsh' });
  await account(ann, bob).follow();
  await account(bob, ann).follow();
  await fetch(`${server.url}/api/v1/accounts/${bob.id}/endorse`, { method: 'POST', headers: { Authorization: `Bearer ${ann.token}` } });
  const made = await fetch(`${server.url}/api/v1/collections`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'People of the marsh', description: 'All I know', sensitive: false, discoverable: true, account_ids: [bob.id] }),
  });
  const { collection } = await made.json();
  return { name, post: first.id, sound: noise.id, picture: picture.id, collection: collection.id };
}

const pathsOf = ({ name, post, sound, collection }) => [
  '/', '/about', '/rules', '/privacy-policy', '/status', '/apps', '/explore', '/public/local', '/tags/marsh',
  `/@${name}`, `/@${name}/with_replies`, `/@${name}/media`, `/@${name}/featured`, `/@${name}/collections`, `/@${name}/tagged/marsh`,
  `/@${name}/followers`, `/@${name}/following`, `/@${name}/${post}`, `/@${name}/${post}/embed`, `/collections/${collection}`, `/media/${sound}/player`,
  `/remote_interaction_helper?uri=${encodeURIComponent(`${server.url}/@${name}`)}`, '/remote_interaction_helper',
  '/auth/sign_in', '/auth/sign_up', '/auth/password/new', '/auth/confirmation/new', '/nowhere',
];

// Another server, as far as it says where its people follow what is elsewhere.
async function startElsewhere() {
  const answering = createServer((request, response) => {
    const url = `http://${request.headers.host}`;
    const asked = new URL(request.url, url);
    if (asked.pathname !== '/.well-known/webfinger') return response.end('<!doctype html><title>at home</title>');
    response.setHeader('Content-Type', 'application/jrd+json');
    response.end(
      JSON.stringify({
        subject: asked.searchParams.get('resource'),
        links: [
          { rel: 'self', type: 'application/activity+json', href: `${url}/users/carol` },
          { rel: 'http://ostatus.org/schema/1.0/subscribe', template: `${url}/follow?uri={uri}` },
        ],
      }),
    );
  });
  await new Promise((resolve) => answering.listen(0, '127.0.0.1', resolve));
  answering.unref();
  const host = `localhost:${answering.address().port}`;
  return { host, url: `http://${host}`, close: () => (answering.closeAllConnections(), answering.close()) };
}

// Those that look like another say nothing more to axe.
const alike = /with_replies|followers|tagged|rules|privacy|confirmation|_helper$/;

const page = (path) => fetch(server.url + path, { headers: { Accept: 'text/html' }, redirect: 'manual' });

async function inspect(name, viewport, colorScheme, locale = 'en') {
  const shown = await someone(name, 2);
  const context = await browser.newContext({ viewport, colorScheme, locale });
  context.setDefaultTimeout(60_000);
  const tab = await context.newPage();
  for (const path of pathsOf(shown).filter((one) => !alike.test(one))) {
    await tab.goto(server.url + path);
    assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${path} is too wide`);
    await accessible(tab, `${path} ${viewport.width} ${colorScheme} ${locale}`);
    await screenshot(tab, `public${path.replace(/\?.*/, '').replace(shown.post, 'post').replace(shown.collection, 'one').replace(shown.sound, 'sound').replaceAll('/', '_').replace(`@${name}`, 'ann')}_${viewport.width}_${colorScheme}_${locale}`);
  }
  await context.close();
}

export default {
  'every public page is valid, small, without a script, and no link of it is broken': async () => {
    const shown = await someone('pub_ann', 25);
    const links = new Map();
    for (const path of pathsOf(shown)) {
      const answer = await page(path);
      assert.equal(answer.status, path === '/nowhere' ? 404 : 200, path);
      const html = await answer.text();
      valid(html, path);
      assert.doesNotMatch(html, /<script|\son[a-z]+="|javascript:/i, path);
      const size = gzipSync(html).length;
      assert.ok(size <= most, `${path} has ${size} bytes`);
      for (const [, to] of html.matchAll(/\s(?:href|src|poster|action)="([^"]*)"/g)) {
        const address = new URL(to.replaceAll('&amp;', '&'), server.url + path);
        if (address.origin === server.url) links.set(address.pathname + address.search, path);
      }
    }
    for (const [link, from] of links) {
      const { status } = await page(link);
      const form = ['/auth', '/auth/password', '/auth/confirmation', '/language'].includes(link); // takes POST
      assert.ok(status < 400 || form, `${from} leads to ${link}, which is answered with ${status}`);
    }
  },

  'who is at home elsewhere has their server remembered on this device, and forgotten again': async () => {
    const ann = await person('pub_home');
    const site = await startServer(['--test-mode', '--allow-http-peers', '--allow-private-addresses', '127.0.0.0/8']);
    const there = await startElsewhere();
    const tab = await freshPage(browser);
    const form = `${site.url}/remote_interaction_helper?uri=${encodeURIComponent(`${site.url}/@${ann.name}`)}`;
    const cookie = async () => (await tab.context().cookies()).find((one) => one.name === 'dunlin_home');
    const goOn = () => Promise.all([tab.waitForURL(`${there.url}/follow?**`), tab.click('text=Go on there')]);
    await tab.goto(form);
    await tab.fill('#acct', `@carol@${there.host}`);
    await goOn();
    assert.equal(await cookie(), undefined, 'nothing is kept unasked');
    await tab.goto(form);
    assert.equal(await tab.inputValue('#acct'), '');
    await tab.fill('#acct', `@carol@${there.host}`);
    await tab.check('text=Remember my server on this device');
    await goOn();
    const kept = await cookie();
    assert.deepEqual([kept.httpOnly, kept.sameSite, kept.path], [true, 'Lax', '/']);
    await tab.goto(form);
    assert.equal(await tab.inputValue('#acct'), `carol@${there.host}`);
    valid(await tab.content(), 'the form');
    await screenshot(tab, 'public_home_remembered');
    await goOn(); // one button
    assert.equal(new URL(tab.url()).searchParams.get('uri'), `${site.url}/@${ann.name}`);
    await tab.goto(form);
    await tab.click('text=Forget it');
    assert.equal(await tab.inputValue('#acct'), '');
    assert.equal(await cookie(), undefined);
    await tab.context().close();
    there.close();
    await site.stop();
  },

  'attachments have short addresses, and a sound a player': async () => {
    const { sound: noise, picture } = await someone('pub_media', 0);
    const short = await get(`/media/${picture}`);
    assert.equal(short.status, 302);
    assert.equal((await fetch(short.headers.get('location'))).headers.get('content-type'), 'image/png');
    assert.equal((await get(`/media/${picture}/player`)).status, 404);
    assert.equal((await get(`/media_proxy/${noise}/original`)).status, 302);
    const secret = await person('pub_secret');
    const hidden = await secret.api.v2.media.create({ file: pngFile(24, 24) });
    await post(secret, 'for friends', { mediaIds: [hidden.id], visibility: 'private' });
    for (const path of [`/media/${hidden.id}`, `/media_proxy/${hidden.id}/original`, '/media/1', '/media/x', '/media/1/2'])
      assert.equal((await get(path)).status, 404, path);
  },

  'a long line of code stays inside its post, and a sign-up says beside each field what is wrong with it': async () => {
    const ned = await person('pub_ned');
    const code = await post(ned, '```\n' + 'curlew | '.repeat(80) + '\n```', { content_type: 'text/markdown' });
    const page = await freshPage(browser);
    await page.setViewportSize(phone);
    await page.goto(code.url);
    assert.equal(await page.locator('.post pre').count(), 1);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= phone.width);
    await screenshot(page, 'public_code');

    await page.goto(`${server.url}/auth/sign_up`);
    assert.equal(await page.locator('label a[href="/rules"]').count(), 1);
    await page.fill('#user_account_attributes_username', 'pub_ned');
    await page.fill('#user_email', 'pub_new@example.org');
    await page.fill('#user_password', 'long enough for all');
    await page.fill('#user_password_confirmation', 'something else here');
    await page.check('#user_agreement');
    await page.click('button.button');
    assert.match(await page.textContent('#username_wrong'), /taken/);
    assert.match(await page.textContent('#password_confirmation_wrong'), /match/);
    assert.equal(await page.locator('#email_wrong').count(), 0);
    valid(await page.content(), 'the refused sign-up');
    await screenshot(page, 'public_sign_up_refused');
    await page.goto(`${server.url}/explore`);
    await screenshot(page, 'public_explore');
    await page.context().close();
  },

  'axe has nothing to say of public pages on a phone': () => inspect('pub_light', phone, 'light'),
  'axe has nothing to say of public pages on a desk in the dark': () => inspect('pub_dark', desk, 'dark'),
  'axe has nothing to say of public pages from right to left': () => inspect('pub_ar', phone, 'light', 'ar'),
};
