// SPDX-License-Identifier: AGPL-3.0-or-later
// What becomes of a session of the web client: planted by a neighbour, before a sign-in, in caches, and after a sign-out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createECDH, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { close, compose, openClient, postOf, pushed, shownBy, visit } from '../support/client.js';
import { startServer } from '../support/server.js';
import { browser, password, person, post, server, status } from '../support/stage.js';

const proofOf = (page) => page.evaluate(() => document.querySelector('meta[name="dunlin-authorization"]').content);
const sessionIn = async (context) => (await context.cookies(server.url)).find(({ name }) => name === 'dunlin_session');

// What is on the device of pages of ours.
const left = (page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const keys = databases.length
      ? await new Promise((resolve) => {
          const opening = indexedDB.open('dunlin');
          opening.onsuccess = () => {
            const asking = opening.result.transaction('kept').objectStore('kept').getAllKeys();
            asking.onsuccess = () => (opening.result.close(), resolve(asking.result.map(String)));
          };
        })
      : [];
    return { keys, caches: await caches.keys(), workers: (await navigator.serviceWorker.getRegistrations()).length, tab: Object.keys(sessionStorage), storage: Object.keys(localStorage) };
  });
const nothing = { keys: [], caches: [], workers: 0, tab: [], storage: [] };
const isEmpty = (found) => JSON.stringify(found) === JSON.stringify(nothing);

// TLS in front of the server, for home.test and its neighbour evil.home.test, who sets what cookies he likes.
async function behindTls(plant) {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-tls-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=home.test'], { stdio: 'ignore' });
  let behind;
  const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (from, to) => {
    if (from.headers.host.startsWith('evil.')) return to.writeHead(200, { 'Content-Type': 'text/html', 'Set-Cookie': plant }).end('<!doctype html><title>A neighbour</title>');
    from.pipe(ask(behind + from.url, { method: from.method, headers: { ...from.headers, 'X-Forwarded-Proto': 'https' } }, (answer) => (to.writeHead(answer.statusCode, answer.headers), answer.pipe(to))));
  });
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address();
  const home = await startServer([], `https://home.test:${port}`);
  behind = home.address;
  return { home, port, stop: async () => (proxy.closeAllConnections(), proxy.close(), await home.stop()) };
}

export default {
  'a neighbour plants no session: browsers take the cookie of this host alone': async () => {
    const plant = ['__Host-dunlin_session=planted; Secure; Path=/', '__Host-dunlin_session=planted; Domain=home.test; Secure; Path=/', 'dunlin_session=planted; Domain=home.test; Secure; Path=/'];
    const { home, port, stop } = await behindTls(plant);
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      await home.command('account', 'create', 'alice', '--email', 'alice@example.org', '--password', password, '--confirmed');
      const page = await context.newPage();
      await page.goto(`https://evil.home.test:${port}/`);
      await page.goto(`${home.url}/auth/sign_in`);
      const sent = await context.cookies(home.url);
      assert.deepEqual(sent.filter(({ name, value }) => name === '__Host-dunlin_session' || (value === 'planted' && name !== 'dunlin_session')), []);
      assert.ok(sent.some(({ name }) => name === 'dunlin_session'), 'the neighbour does set what he may');
      await signIn(page, 'alice@example.org', password);
      await page.waitForURL(`${home.url}/home`);
      await page.locator('main h1').waitFor();
      const cookie = (await context.cookies(home.url)).find(({ name }) => name === '__Host-dunlin_session');
      assert.deepEqual([cookie.domain, cookie.path, cookie.httpOnly, cookie.secure, cookie.sameSite], ['home.test', '/', true, true, 'Lax']);
      // Now that she is signed in, it is neither replaced nor sent to him.
      await page.goto(`https://evil.home.test:${port}/`);
      assert.equal((await context.cookies(home.url)).find(({ name }) => name === '__Host-dunlin_session').value, cookie.value);
      await page.goto(`${home.url}/home`);
      await page.locator('main h1').waitFor();
    } finally {
      await context.close();
      await stop();
    }
  },

  'a session that was there before a sign-in is over with it': async () => {
    const [thief, victim] = [await person('ses_thief'), await person('ses_victim')];
    const his = await openClient(thief);
    const proof = await proofOf(his);
    const planted = await sessionIn(his.context());
    const context = await browser.newContext();
    await context.addCookies([planted]);
    const page = await context.newPage();
    await page.goto(`${server.url}/auth/sign_in?force=1`);
    await signIn(page, `${victim.name}@example.org`, password);
    await page.waitForURL('**/home');
    assert.match((await sessionIn(context)).value, /^[\w-]{43}$/);
    assert.notEqual((await sessionIn(context)).value, planted.value);
    const known = await his.evaluate(async (header) => (await fetch('/api/v1/accounts/verify_credentials', { headers: { Authorization: header } })).status, proof);
    assert.equal(known, 401);
    await context.close();
    await close(his);
  },

  'a browser that keeps answers shows nobody what another was answered': async () => {
    const alice = await person('ses_cached');
    const written = await post(alice, 'seen by all, liked by one');
    await status(alice, written.id).favourite();
    const page = await openClient(alice);
    const proof = await proofOf(page);
    const told = () =>
      page.evaluate(
        async ({ id, header }) => {
          const liked = async (headers) => (await (await fetch(`/api/v1/statuses/${id}`, { headers })).json()).favourited;
          return [await liked({}), await liked({ Authorization: header }), await liked({}), await liked({ Authorization: header })];
        },
        { id: written.id, header: proof },
      );
    assert.deepEqual(await told(), [undefined, true, undefined, true]);
    // One address, two faces: the public page does not come back for who is signed in, nor the client for who is not.
    const address = `${server.url}/@${alice.name}/${written.id}`;
    await page.goto(address);
    await postOf(page, 'liked by one').waitFor();
    await page.goto(`${server.url}/auth/sign_out`);
    await page.click('button[type=submit]');
    await page.goto(address);
    assert.equal(await page.locator('#app').count(), 0);
    await page.goBack();
    await page.goto(`${server.url}/home`);
    await page.waitForURL('**/auth/sign_in**');
    await page.goBack();
    assert.doesNotMatch(await page.content(), /dunlin-authorization/);
    await close(page);
  },

  'who signs out leaves nothing behind: no session, no stream, nothing on the device': async () => {
    const alice = await person('ses_leaving');
    await post(alice, 'kept for a start without a net');
    const page = await openClient(alice, { worker: true });
    await postOf(page, 'kept for a start').waitFor();
    const proof = await proofOf(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.reload();
    await postOf(page, 'kept for a start').waitFor();
    assert.ok((await left(page)).keys.length > 0 && (await left(page)).caches.length > 0, 'something is kept while she is there');
    const other = await page.context().newPage();
    await other.goto(`${server.url}/about`);
    const stolen = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const closed = page.evaluate(
      (protocol) =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(location.origin.replace('http', 'ws') + '/api/v1/streaming', [protocol]);
          socket.onopen = () => (window.opened = true);
          socket.onclose = () => (window.opened ? resolve() : reject(new Error('refused')));
        }),
      proof.replace('Session ', 'session.'),
    );
    closed.catch(() => {});
    await page.waitForFunction(() => window.opened);
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/web/session'));
    await page.locator('nav .me-button').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    assert.equal((await (await answered).allHeaders())['clear-site-data'], '"cache", "storage"');
    await page.waitForURL(`${server.url}/`);
    assert.equal(await sessionIn(page.context()), undefined);
    const again = await fetch(`${server.url}/api/v1/accounts/verify_credentials`, { headers: { Cookie: stolen, Authorization: proof } });
    assert.equal(again.status, 401);
    await until('nothing is kept', async () => isEmpty(await left(page))).catch(async (error) => assert.deepEqual(await left(page), nothing, error.message));
    await close(page);
  },

  'who signs out on a page without scripts leaves nothing behind either, and takes nothing of others along': async () => {
    const [alice, bob] = [await person('ses_plain_a'), await person('ses_plain_b')];
    const page = await openClient(alice, { worker: true });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.keyboard.press('n');
    await compose(page).fill('half a letter');
    await page.keyboard.press('Escape');
    // It is written down a moment after the key.
    await until('the draft is kept', async () => (await left(page)).keys.some((key) => key.startsWith(`${alice.id}/draft-for:`)));
    await page.goto(`${server.url}/auth/sign_in?add=1&return_to=/home`);
    await signIn(page, `${bob.name}@example.org`, password);
    await page.waitForURL('**/home');
    await page.locator('main h1').waitFor();
    const owners = async () => new Set((await left(page)).keys.map((key) => key.replace('/start:', '').split('/')[0]).filter(Boolean));
    await until('something is kept of both', async () => (await owners()).has(alice.id) && (await owners()).has(bob.id));
    // The page of the server signs out whoever is first: bob, who came last.
    await page.goto(`${server.url}/auth/sign_out`);
    await page.click('main button[type=submit]');
    await page.waitForURL('**/home');
    await page.locator('main h1').waitFor();
    await until('nothing is kept of bob', async () => !(await owners()).has(bob.id));
    assert.ok((await owners()).has(alice.id));
    await page.keyboard.press('n');
    await until('her draft is there', async () => (await compose(page).inputValue()) === 'half a letter');
    await page.keyboard.press('Escape');
    await page.goto(`${server.url}/auth/sign_out`);
    await page.click('main button[type=submit]');
    await page.waitForURL(`${server.url}/`);
    await until('nothing is left', async () => isEmpty(await left(page))).catch(async (error) => assert.deepEqual(await left(page), nothing, error.message));
    await close(page);
  },

  'who signs out is told nothing more in this browser, and what was shown is taken off the screen': async () => {
    const [alice, bob] = [await person('ses_told_a'), await person('ses_told_b')];
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const ended = [];
    const page = await openClient(alice, { worker: true });
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: server.url });
    await context.exposeFunction('addressEnded', () => ended.push(1));
    // The part of the browser's maker, whom nobody reaches from here.
    const maker = ({ p256dh, auth }) => {
      const address = {
        endpoint: 'https://push.example/to/this/browser',
        toJSON: () => ({ endpoint: address.endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => (localStorage.removeItem('at-the-maker'), await window.addressEnded(), true),
      };
      PushManager.prototype.subscribe = async () => (localStorage.setItem('at-the-maker', '1'), address);
      PushManager.prototype.getSubscription = async () => (localStorage.getItem('at-the-maker') ? address : null);
    };
    await context.addInitScript(maker, { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') });
    const turnOn = async () => {
      await visit(page, '/settings/notifications');
      await page.getByRole('button', { name: 'Turn on for this device', exact: true }).click();
      await page.getByRole('button', { name: 'Turn off', exact: true }).waitFor();
    };
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await turnOn();
    await page.goto(`${server.url}/auth/sign_in?add=1&return_to=/home`);
    await signIn(page, `${bob.name}@example.org`, password);
    await page.waitForURL('**/home');
    await turnOn();
    await pushed(page, { notification_id: '7', notification_type: 'mention', title: 'Somebody wrote to you', body: 'for your eyes', preferred_locale: 'en' });
    const leave = async (name) => {
      await page.locator('nav .me-button').click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await leave('Sign out @ses_told_b');
    await page.waitForURL('**/home');
    await page.locator('main h1').waitFor();
    assert.deepEqual(await shownBy(page), [], 'what he was told is not left on the screen');
    assert.deepEqual(ended, [], 'she is still told at the address of this browser');
    const known = await page.evaluate(async () => {
      const { proof } = await (await fetch('/web/start?for=/home')).json();
      return (await fetch('/api/v1/push/subscription', { headers: { Authorization: 'Session ' + proof } })).status;
    });
    assert.equal(known, 200);
    await leave('Sign out');
    await page.waitForURL(`${server.url}/`);
    await until('the address of the browser has ended', async () => ended.length === 1);
    await until('nothing is left', async () => isEmpty(await left(page))).catch(async (error) => assert.deepEqual(await left(page), nothing, error.message));
    await close(page);
  },

  'on a shared computer the cookie ends with the browser': async () => {
    await person('ses_shared');
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/auth/sign_in`);
    await page.check('input[name=shared]');
    await signIn(page, 'ses_shared@example.org', password);
    await page.waitForURL('**/home');
    await page.locator('main h1').waitFor();
    assert.equal((await sessionIn(context)).expires, -1);
    // Nor does the page keep anything, or start a worker.
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    const kept = await page.evaluate(async () => ({ databases: (await indexedDB.databases()).length, storage: localStorage.length, workers: (await navigator.serviceWorker.getRegistrations()).length, caches: await caches.keys() }));
    assert.deepEqual(kept, { databases: 0, storage: 0, workers: 0, caches: [] });
    // An account that is added changes nothing of that.
    await person('ses_added');
    await page.goto(`${server.url}/auth/sign_in?add=1&return_to=/home`);
    await signIn(page, 'ses_added@example.org', password);
    await page.waitForURL('**/home');
    assert.equal((await sessionIn(context)).expires, -1);
    await context.close();
  },
};
