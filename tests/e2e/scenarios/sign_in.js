// SPDX-License-Identifier: AGPL-3.0-or-later
// Registering an app and logging in through the pages.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { refused } from '../support/check.js';
import { allow, deny, freshPage, screenshot, signIn, startCallback } from '../support/browser.js';
import { authorizeUrl, browser, client, exchange, get, newApp, oauth, password, person, scopes, server, stranger } from '../support/stage.js';

const oob = 'urn:ietf:wg:oauth:2.0:oob';

export default {
  'an app registers, its user signs in and consents, and the app acts for the user': async () => {
    await person('Wren');
    const callback = await startCallback();
    const app = await newApp(callback.url);
    assert.match(app.clientId, /^[\w-]{43}$/);
    assert.match(app.clientSecret, /^[\w-]{43}$/);
    assert.equal(app.name, 'An app of the tests');
    assert.equal(app.website, 'https://app.example');
    assert.deepEqual(app.redirectUris, [callback.url]);

    const page = await freshPage(browser);
    await page.goto(authorizeUrl(app, callback.url, { state: 'a state & more' }));
    assert.equal(new URL(page.url()).pathname, '/auth/sign_in');
    await screenshot(page, 'sign_in');
    await signIn(page, 'wren@example.org', password);

    assert.equal(new URL(page.url()).pathname, '/oauth/authorize');
    assert.match(await page.textContent('main'), /An app of the tests.*Wren@localhost/s);
    await screenshot(page, 'consent');
    const called = callback.next();
    await allow(page);
    const { code, state, ...rest } = await called;
    assert.deepEqual(rest, {});
    assert.equal(state, 'a state & more');

    const token = await exchange(app, callback.url, code);
    assert.equal(token.tokenType, 'Bearer');
    assert.equal(token.scope, scopes);
    assert.ok(Math.abs(token.createdAt - Date.now() / 1000) < 60, `created_at is ${token.createdAt}`);
    const api = client(token.accessToken);
    assert.equal((await api.v1.accounts.verifyCredentials()).username, 'Wren');
    assert.equal((await api.v1.apps.verifyCredentials()).name, 'An app of the tests');
    assert.equal((await api.v1.statuses.create({ status: 'from the app' })).application.name, 'An app of the tests');

    // The user has allowed this before and is still signed in: straight back.
    const again = callback.next();
    await page.goto(authorizeUrl(app, callback.url));
    const second = client((await exchange(app, callback.url, (await again).code)).accessToken);
    for (const both of [second, api]) assert.equal((await both.v1.accounts.verifyCredentials()).username, 'Wren');

    await page.goto(authorizeUrl(app, callback.url, { force_login: 'true' }));
    assert.equal(new URL(page.url()).pathname, '/auth/sign_in', 'force_login asks for the password');

    await oauth.revoke({ clientId: app.clientId, clientSecret: app.clientSecret, token: token.accessToken });
    await refused(401, api.v1.accounts.verifyCredentials(), 'The access token was revoked');
    callback.close();
  },

  'a denied consent tells the app, and gives it nothing': async () => {
    await person('thrush');
    const callback = await startCallback();
    const app = await newApp(callback.url);
    const page = await freshPage(browser);
    await page.goto(authorizeUrl(app, callback.url, { state: 'xyz' }));
    await signIn(page, 'thrush', password); // by name
    const called = callback.next();
    await deny(page);
    const answer = await called;
    assert.equal(answer.error, 'access_denied');
    assert.equal(answer.state, 'xyz');
    assert.equal(answer.code, undefined);
    callback.close();
  },

  'an app without an address gets a code to copy, protected by PKCE': async () => {
    await person('robin');
    const app = await newApp(oob);
    const verifier = randomBytes(32).toString('base64url');
    const pkce = { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' };
    const page = await freshPage(browser);

    const askForCode = async () => {
      await page.goto(authorizeUrl(app, oob, pkce));
      if (new URL(page.url()).pathname === '/auth/sign_in') await signIn(page, 'robin@example.org', password);
      await allow(page);
      const at = new URL(page.url());
      assert.equal(at.pathname, '/oauth/authorize/native');
      const code = await page.inputValue('input.oauth-code');
      assert.equal(code, at.searchParams.get('code'));
      await screenshot(page, 'code');
      return code;
    };

    const first = await askForCode();
    const bad = await refused(400, exchange(app, oob, first, { codeVerifier: randomBytes(32).toString('base64url') }));
    assert.equal(bad.message, 'invalid_grant');
    const missing = await refused(400, exchange(app, oob, await askForCode()));
    assert.match(missing.message, /^invalid_(request|grant)$/);

    const code = await askForCode();
    const token = await exchange(app, oob, code, { codeVerifier: verifier });
    assert.equal((await client(token.accessToken).v1.accounts.verifyCredentials()).username, 'robin');
    const twice = await refused(400, exchange(app, oob, code, { codeVerifier: verifier }));
    assert.equal(twice.message, 'invalid_grant');
  },

  'a wrong password signs nobody in': async () => {
    await person('finch');
    const page = await freshPage(browser);
    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, 'finch@example.org', 'not the password');
    assert.equal(new URL(page.url()).pathname, '/auth/sign_in');
    assert.ok(await page.isVisible('.problem'), 'the page says what is wrong');
    assert.equal(await page.inputValue('input#user_email'), 'finch@example.org');
    await signIn(page, 'finch@example.org', password);
    assert.equal(new URL(page.url()).pathname, '/home');
    assert.match(await page.content(), /<noscript>.*href="\/\?plain"/s, 'where there is no JavaScript');
    await page.goto(`${server.url}/?plain`);
    assert.match(await page.textContent('main'), /signed in as\s+@finch/);
    await screenshot(page, 'root_signed_in');

    await page.click('text=Apps that may use your account');
    assert.equal(new URL(page.url()).pathname, '/oauth/authorized_applications');
    await page.goto(`${server.url}/?plain`);
    await page.click('text=Sign out');
    await page.waitForSelector('text=Create an account');
    await screenshot(page, 'root');
  },

  'an unregistered address or app is refused on a page, not by a redirect': async () => {
    const app = await newApp(oob);
    const page = await freshPage(browser);
    const wrong = await page.goto(authorizeUrl(app, 'https://evil.example/back'));
    assert.ok(wrong.status() >= 400 && wrong.status() < 500, `answered ${wrong.status()}`);
    assert.equal(new URL(page.url()).host, server.host);
    const unknown = await page.goto(authorizeUrl({ clientId: 'nobody' }, oob));
    assert.ok(unknown.status() >= 400 && unknown.status() < 500, `answered ${unknown.status()}`);
  },

  'a token of the app itself is no user': async () => {
    const app = await newApp(oob);
    const credentials = { grantType: 'client_credentials', clientId: app.clientId, clientSecret: app.clientSecret, redirectUri: oob };
    const token = await oauth.token.create({ ...credentials, scope: 'read write' });
    assert.equal(token.scope, 'read write');
    assert.equal((await client(token.accessToken).v1.apps.verifyCredentials()).name, 'An app of the tests');
    await refused(422, client(token.accessToken).v1.accounts.verifyCredentials(), 'This method requires an authenticated user');
    await refused(401, oauth.token.create({ ...credentials, clientSecret: 'wrong', scope: 'read' }), 'invalid_client');
    await refused(401, client('x'.repeat(43)).v1.accounts.verifyCredentials(), 'The access token is invalid');
  },

  'a token may do what its scopes say and no more': async () => {
    const { name } = await person('dipper');
    const token = (await server.command('token', 'create', name, '--scopes', 'read:accounts')).trim();
    assert.equal((await client(token).v1.accounts.verifyCredentials()).username, 'dipper');
    await refused(403, client(token).v1.statuses.create({ status: 'no' }), 'This action is outside the authorized scopes');
    await refused(403, client(token).v1.timelines.home.list(), 'This action is outside the authorized scopes');
    assert.equal((await get('/api/v1/accounts/verify_credentials')).status, 401);
  },

  'the addresses of OAuth can be discovered': async () => {
    const metadata = await (await get('/.well-known/oauth-authorization-server')).json();
    assert.equal(metadata.issuer.replace(/\/$/, ''), server.url);
    assert.equal(metadata.authorization_endpoint, `${server.url}/oauth/authorize`);
    assert.equal(metadata.token_endpoint, `${server.url}/oauth/token`);
    assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
    await refused(422, stranger.v1.apps.create({ clientName: 'bad', redirectUris: 'javascript:alert(1)', scopes: 'read' }));
  },
};
