// SPDX-License-Identifier: AGPL-3.0-or-later
// One's own account on the pages without JavaScript: the second step of signing in, password, address, sessions, the end.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { refused, until } from '../support/check.js';
import { accessible, desk, openClient, phone } from '../support/client.js';
import { valid } from '../support/html.js';
import { engine, startServer } from '../support/server.js';
import { authorizeUrl, browser, client, get, linkFor, newApp, oauth, password, person, server } from '../support/stage.js';

const hub = `${server.url}/settings/account`;
const at = (page) => new URL(page.url()).pathname;

// RFC 6238, written once more.
function totp(secret, drift = 0) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replaceAll(' ', '')].map((c) => letters.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + drift));
  const hash = createHmac('sha1', key).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function signedIn(name) {
  const page = await freshPage(browser);
  await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account`);
  await signIn(page, name, password);
  return page;
}

// An authenticator app and ten recovery codes, by the pages.
async function withApp(page) {
  await page.goto(`${hub}/second_factor`);
  await page.fill('#add_app', password);
  await page.click('text=Set up an app');
  assert.ok(await page.isVisible('svg.qr'));
  const secret = await page.textContent('code');
  await screenshot(page, 'account_app');
  // One step behind, so that the code of now is left for signing in; not so late in a step that it is two behind when it comes.
  while (Date.now() % 30_000 > 20_000) await new Promise((resolve) => setTimeout(resolve, 500));
  await page.fill('#code', totp(secret, -1));
  await page.click('text=Use this app');
  const codes = await page.locator('.codes code').allTextContents();
  assert.equal(codes.length, 10);
  await screenshot(page, 'account_codes');
  return { secret, codes };
}

// A browser with JavaScript and an authenticator of Chromium's.
async function withAuthenticator() {
  const context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const chromium = await context.newCDPSession(page);
  await chromium.send('WebAuthn.enable');
  await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return page;
}

const everyday = {
  'an authenticator app is asked for after the password, and no code serves twice': async () => {
    await person('acc_app');
    const page = await signedIn('acc_app');
    const { secret, codes } = await withApp(page);

    const other = await signedIn('acc_app');
    assert.equal(at(other), '/auth/second_factor');
    await screenshot(other, 'second_factor');
    await other.fill('#code', '000000');
    await other.click('#second_factor button');
    assert.match(await other.textContent('.problem'), /wrong/);
    const code = totp(secret);
    await other.fill('#code', code);
    await other.click('#second_factor button');
    assert.equal(at(other), '/settings/account');

    const thief = await signedIn('acc_app');
    await thief.fill('#code', code);
    await thief.click('#second_factor button');
    assert.match(await thief.textContent('.problem'), /used already/);
    await thief.fill('#code', codes[0]);
    await thief.click('#second_factor button');
    assert.equal(at(thief), '/settings/account', 'a recovery code');
    const again = await signedIn('acc_app');
    await again.fill('#code', codes[0]);
    await again.click('#second_factor button');
    assert.equal(at(again), '/auth/second_factor', 'but once');
  },

  'a stolen password alone signs nobody in': async () => {
    await person('acc_robbed');
    await withApp(await signedIn('acc_robbed'));
    const thief = await signedIn('acc_robbed');
    for (const path of ['/settings/account', '/settings/account/password', '/oauth/authorized_applications']) {
      await thief.goto(server.url + path);
      assert.equal(at(thief), '/auth/sign_in', path);
    }
    const app = await newApp('urn:ietf:wg:oauth:2.0:oob');
    await thief.goto(authorizeUrl(app, 'urn:ietf:wg:oauth:2.0:oob'));
    await signIn(thief, 'acc_robbed@example.org', password);
    assert.equal(at(thief), '/auth/second_factor', 'the way of an app, too');
    const grant = { grantType: 'password', clientId: app.clientId, clientSecret: app.clientSecret, username: 'acc_robbed@example.org', password, scope: 'read' };
    await refused(400, oauth.token.create(grant), 'unsupported_grant_type');
    const cookies = (await thief.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const start = await fetch(`${server.url}/web/start`, { headers: { Cookie: cookies } });
    assert.equal(start.status, 401);
  },

  'lists are brought along as a file, say what failed, and are taken along again': async () => {
    await person('acc_mover');
    const bob = await person('acc_left');
    const page = await signedIn('acc_mover');
    await page.goto(`${hub}/transfer`);
    const csv = `Account address,Show boosts\nacc_left@${new URL(server.url).host},false\nacc_nobody\n`;
    await page.selectOption('#kind', 'following');
    await page.setInputFiles('#file', { name: 'following.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.click('text=Bring it along');
    assert.match(await page.textContent('[role=status]'), /gone through/);
    await until('it is done', async () => {
      await page.goto(`${hub}/transfer`);
      return /Done: 2 of 2/.test(await page.textContent('main'));
    });
    assert.match(await page.textContent('.events'), /acc_nobody\s+There is no such account/);
    await screenshot(page, 'account_transferred');
    assert.equal((await bob.api.v1.accounts.$select(bob.id).followers.list()).length, 1);
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('text=People you follow')]);
    assert.equal(file.suggestedFilename(), 'following_accounts.csv');
    const taken = (await readFile(await file.path())).toString();
    assert.match(taken, /^Account address,Show boosts,Notify on new posts,Languages\nacc_left@[^,]+,false,false,\n$/);
    // A file of megabytes comes in pieces, and is for those who are signed in.
    await page.setInputFiles('#file', { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a@b.example\n'.repeat(300_000)) });
    await page.click('text=Bring it along');
    assert.match(await page.textContent('[role=alert]'), /more than 20,000 lines/);
    const form = new FormData();
    form.set('file', new Blob(['a@b.example\n'.repeat(300_000)]), 'a.csv');
    const stranger = await fetch(`${hub}/transfer/import`, { method: 'POST', body: form, redirect: 'manual' }).catch((error) => error);
    assert.ok(stranger instanceof Error || [302, 413].includes(stranger.status), `${stranger.status}`);
  },

  'a passkey is made, is the second step, and signs in without a password': async () => {
    await person('acc_key');
    const page = await withAuthenticator();
    await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account`);
    await signIn(page, 'acc_key', password);
    await page.goto(`${hub}/second_factor`);
    await page.fill('#add_passkey', password);
    await page.click('text=Add a passkey');
    await page.fill('#name', 'My laptop');
    await screenshot(page, 'account_passkey');
    await page.click('text=Make the passkey');
    await page.waitForSelector('.codes');
    await page.goto(`${hub}/second_factor`);
    assert.match(await page.textContent('.key'), /My laptop/);
    await screenshot(page, 'account_second_factor');

    await page.context().clearCookies();
    await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account`);
    await signIn(page, 'acc_key', password);
    assert.equal(at(page), '/auth/second_factor');
    await page.click('text=Use a passkey');
    await page.waitForURL(hub);

    await page.context().clearCookies();
    await page.goto(`${server.url}/auth/sign_in?return_to=/settings/account`);
    await page.click('text=Sign in with a passkey');
    await page.click('text=Use a passkey');
    await page.waitForURL(hub);
    assert.match(await page.textContent('main'), /acc_key/);
    await page.context().close();
  },

  'a role requires a second step, and the operator removes a lost one': async () => {
    const { name, token } = await person('acc_staff');
    await server.command('role', 'set', 'Guarded', '--position', '3', '--permissions', 'view_dashboard', '--require-second-factor', 'yes');
    const owner = (await server.command('token', 'create', 'landlord', '--scopes', 'admin:read admin:write read')).trim();
    const roles = await (await get('/api/dunlin/v1/moderation/roles', owner)).json();
    const { id } = await client(token).v1.accounts.verifyCredentials();
    const given = await fetch(`${server.url}/api/dunlin/v1/moderation/accounts/${id}/role`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ role_id: roles.find((role) => role.name === 'Guarded').id }),
    });
    assert.equal(given.status, 200);
    await refused(403, client(token).v1.accounts.verifyCredentials(), 'Your login is currently disabled');

    const page = await freshPage(browser);
    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, name, password);
    assert.equal(at(page), '/settings/account/second_factor');
    assert.match(await page.textContent('.notice'), /role asks/);
    await withApp(page);
    assert.equal((await client(token).v1.accounts.verifyCredentials()).username, name);

    await server.command('account', 'modify', name, '--remove-second-factor');
    await refused(403, client(token).v1.accounts.verifyCredentials());
    const log = JSON.parse(await server.command('audit', 'list', '--json'));
    assert.ok(log.some((entry) => entry.action === 'disable_2fa' && entry.target_name === name));
  },

  'password, address and sessions are changed, and the account ends': async () => {
    const { name, token } = await person('acc_all');
    const page = await signedIn(name);
    const other = await signedIn(name);
    await screenshot(page, 'account');
    await page.click('text=Where you are signed in');
    await screenshot(page, 'account_sessions');
    assert.equal(await page.locator('.rows li').count(), 2);
    await page.click('text=End all others');
    assert.match(await page.textContent('.notice'), /ended/);
    await other.goto(hub);
    assert.equal(at(other), '/auth/sign_in');

    await page.goto(`${hub}/email`);
    await page.fill('#email', 'acc_new@example.org');
    await page.fill('#password', password);
    await page.click('text=Send the letter');
    await page.goto(await linkFor('acc_new@example.org', '/auth/confirmation'));
    await page.goto(hub);
    assert.match(await page.textContent('main'), /acc_new@example.org/);

    await page.goto(`${hub}/password`);
    await page.fill('#current', password);
    await page.fill('#password', 'another battery');
    await page.fill('#password_confirmation', 'another battery');
    await page.click('text=Change the password');
    assert.match(await page.textContent('.notice'), /changed/);
    await refused(401, client(token).v1.accounts.verifyCredentials(), 'The access token was revoked');

    await page.goto(`${hub}/deletion`);
    await screenshot(page, 'account_deletion');
    await page.fill('#password', 'another battery');
    await page.check('[name=sure]');
    await page.click('text=Delete it for good');
    assert.match(await page.textContent('main'), /deleted/);
    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, 'acc_new@example.org', 'another battery');
    assert.equal(at(page), '/auth/sign_in', 'nobody of that name');
    assert.equal((await get(`/@${name}`)).status, 410);
  },

  'somebody goes on in another account of theirs': async () => {
    const old = await person('acc_old');
    await person('acc_young');
    const fan = await person('acc_fan');
    await fan.api.v1.accounts.$select(old.id).follow();
    const there = await signedIn('acc_young');
    await there.goto(`${hub}/move`);
    await there.fill('#alias', 'acc_old');
    await there.click('button:has-text("Name it")');
    assert.match(await there.textContent('.notice'), /named/);
    const here = await signedIn('acc_old');
    await here.goto(`${hub}/move`);
    await screenshot(here, 'account_move');
    await here.fill('#target', 'acc_young');
    await here.fill('#password', password);
    await here.click('text=Move my followers');
    assert.match(await here.textContent('.notice'), /moved/);
    assert.equal((await get('/@acc_old')).status, 200);
  },
};

const shutOut = {
  'who is suspended reads why and appeals, without JavaScript, and sees nothing else': async () => {
    const eve = await person('acc_eve');
    const staff = (await server.command('token', 'create', 'landlord', '--scopes', 'read admin:read admin:write')).trim();
    const there = await signedIn('acc_eve');
    await client(staff).v1.admin.accounts.$select(eve.id).action.create({ type: 'suspend', text: 'Three reports of rude words.' });
    await there.goto(`${server.url}/settings/account`);
    assert.equal(at(there), '/settings/account/strikes', 'a session of before');

    const page = await signedIn('acc_eve');
    assert.equal(at(page), '/settings/account/strikes');
    assert.match(await page.textContent('blockquote'), /Three reports/);
    valid(await (await page.request.get(`${hub}/strikes`)).text(), 'strikes');
    await screenshot(page, 'account_shut_out');
    for (const path of ['/home', '/settings/account/password', '/oauth/authorized_applications', '/@acc_eve']) {
      await page.goto(server.url + path);
      assert.ok(['/auth/sign_in', '/settings/account/strikes', '/@acc_eve'].includes(at(page)), path);
      assert.doesNotMatch(await page.content(), /signed in as <strong>@acc_eve<\/strong>[^]*Your account</, path);
    }
    await page.goto(`${hub}/strikes`);
    await page.fill('textarea', 'It was a quotation.');
    await page.click('button:has-text("Appeal")');
    assert.match(await page.textContent('main'), /The moderators will look at it/);
    const open = await (await get('/api/dunlin/v1/moderation/appeals', staff)).json();
    assert.equal(open.find((one) => one.strike.target_account.id === eve.id).text, 'It was a quotation.');

    for (const [viewport, colorScheme] of [[phone, 'light'], [desk, 'dark']]) {
      const context = await browser.newContext({ viewport, colorScheme, storageState: await page.context().storageState() });
      const tab = await context.newPage();
      await tab.goto(`${hub}/strikes`);
      await accessible(tab, `shut out ${viewport.width}`);
      await screenshot(tab, `account_shut_out_${viewport.width}_${colorScheme}`);
      await context.close();
    }
    await page.click('button:has-text("Sign out")');
    assert.equal(at(page), '/');
  },
};

// A database that is shared has an owner already.
const fresh = engine !== 'SQLite' ? {} : {
  'who opens a fresh server is led from the owner to a home': async () => {
    const site = await startServer();
    const context = await browser.newContext({ viewport: phone });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const link = (await site.log()).match(/http:\S+\/setup\?code=[\w-]+/)[0];
    const fill = async (name) => {
      await page.fill('#user_account_attributes_username', name);
      await page.fill('#user_email', 'founder@example.org');
      await page.fill('#user_password', password);
      await page.click('button[type=submit]');
    };
    await page.goto(`${link}x`);
    await fill('intruder');
    assert.match(await page.textContent('.problem'), /not the code/, 'who guesses the code is nobody');
    await page.goto(site.url);
    assert.equal(at(page), '/setup', 'there is nothing else yet');
    await page.goto(link);
    assert.equal(await page.inputValue('#code'), link.split('code=')[1], 'it stands in the form');
    await accessible(page, '/setup');
    await fill('founder');
    assert.equal(at(page), '/setup/next');
    await accessible(page, '/setup/next');
    await page.fill('#title', 'The "Marsh"');
    await page.selectOption('#registrations', 'approval');
    await page.click('text=Write the lines for me');
    assert.match(await page.textContent('pre'), /^title = "The \\"Marsh\\""\n/);
    assert.match(await page.textContent('pre'), /\nregistrations = "approval"\n/);
    await accessible(page, '/setup/next with lines');
    await screenshot(page, 'first_steps');
    await page.click('text=To your profile, and to people');
    await page.locator('main h1').waitFor();
    assert.equal(at(page), '/welcome');
    await page.goto(`${site.url}/home`);
    await page.locator('main h1').waitFor();
    await screenshot(page, 'first_home');
    await page.goto(`${site.url}/?plain`);
    assert.match(await page.textContent('main'), /signed in as\s+@founder/);
    assert.equal((await page.goto(link)).status(), 404, 'the link works once');
    await context.close();
    assert.equal((await site.stop()).status, 0);
  },
};

const paths = ['', '/password', '/email', '/second_factor', '/second_factor/app', '/sessions', '/move', '/transfer', '/strikes', '/deletion'];

async function inspect(name, viewport, colorScheme, locale = 'en') {
  const who = await person(name);
  const page = await openClient(who, { viewport, colorScheme, locale });
  await page.goto(`${hub}/second_factor`);
  await page.fill('#add_app', password);
  await page.click('form:has(#add_app) button');
  for (const path of paths) {
    await page.goto(hub + path);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${path} is too wide`);
    await accessible(page, `${path} ${viewport.width} ${colorScheme} ${locale}`);
    assert.equal(await page.getAttribute('html', 'lang'), locale);
    valid(await (await page.request.get(hub + path)).text(), path);
    await screenshot(page, `account${path.replaceAll('/', '_')}_${viewport.width}_${colorScheme}_${locale}`);
  }
  await page.goto(`${server.url}/auth/passkey`);
  await accessible(page, 'passkey');
  await page.context().close();
}

export default {
  ...everyday,
  ...shutOut,
  ...fresh,
  'axe has nothing to say of the pages of an account on a phone': () => inspect('acc_axe_light', phone, 'light'),
  'axe has nothing to say of the pages of an account on a desk in the dark': () => inspect('acc_axe_dark', desk, 'dark'),
  'axe has nothing to say of the pages of an account from right to left': () => inspect('acc_axe_ar', phone, 'light', 'ar'),
  'axe has nothing to say of the pages of an account in German': () => inspect('acc_axe_de', desk, 'dark', 'de'),
};
