// SPDX-License-Identifier: AGPL-3.0-or-later
// What becomes of a session of the web client: planted by a neighbour, before a sign-in, in caches, and after a sign-out.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { close, openClient, postOf } from '../support/client.js';
import { startServer } from '../support/server.js';
import { browser, password, person, post, server, status } from '../support/stage.js';

const proofOf = (page) => page.evaluate(() => document.querySelector('meta[name="dunlin-authorization"]').content);
const sessionIn = async (context) => (await context.cookies(server.url)).find(({ name }) => name === 'dunlin_session');

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
    const left = () =>
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
        return { keys, caches: await caches.keys(), workers: (await navigator.serviceWorker.getRegistrations()).length, tab: Object.keys(sessionStorage) };
      });
    assert.ok((await left()).keys.length > 0 && (await left()).caches.length > 0, 'something is kept while she is there');
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
    assert.equal((await (await answered).allHeaders())['clear-site-data'], '"cache"');
    await page.waitForURL(`${server.url}/`);
    assert.equal(await sessionIn(page.context()), undefined);
    const again = await fetch(`${server.url}/api/v1/accounts/verify_credentials`, { headers: { Cookie: stolen, Authorization: proof } });
    assert.equal(again.status, 401);
    await until('nothing is kept', async () => JSON.stringify(await left()) === JSON.stringify({ keys: [], caches: [], workers: 0, tab: [] })).catch(async (error) => assert.deepEqual(await left(), { keys: [], caches: [], workers: 0, tab: [] }, error.message));
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
