// SPDX-License-Identifier: AGPL-3.0-or-later
// New accounts: by the page, by an app, and a forgotten password.
import assert from 'node:assert/strict';
import { refused } from '../support/check.js';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { browser, client, linkFor, newApp, oauth, password, server } from '../support/stage.js';

async function fillSignUp(page, name) {
  await page.goto(`${server.url}/auth/sign_up`);
  await page.fill('input#user_account_attributes_username', name);
  await page.fill('input#user_email', `${name}@example.org`);
  await page.fill('input#user_password', password);
  await page.fill('input#user_password_confirmation', password);
  await page.check('input#user_agreement');
}

export default {
  'signing up on the page, confirming by the letter, signing in': async () => {
    const page = await freshPage(browser);
    await fillSignUp(page, 'heron');
    await screenshot(page, 'sign_up');
    await page.click('button[type=submit]');
    assert.match(await page.textContent('main'), /letter/);

    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, 'heron', password);
    assert.match(await page.textContent('.problem'), /confirm/i, 'before the confirmation nobody gets in');

    const link = await linkFor('heron@example.org', '/auth/confirmation');
    await page.goto(link);
    assert.match(await page.textContent('main'), /confirmed/);
    assert.equal((await page.goto(link)).status(), 422, 'the link works once');

    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, 'heron@example.org', password);
    await page.goto(`${server.url}/?plain`);
    assert.match(await page.textContent('main'), /signed in as\s+@heron/);
  },

  'the page says what is wrong with a sign-up': async () => {
    const page = await freshPage(browser);
    await fillSignUp(page, 'heron'); // taken by now
    await page.fill('input#user_password_confirmation', 'something else');
    await page.click('button[type=submit]');
    const problem = await page.textContent('.problem');
    assert.match(problem, /taken/);
    assert.match(problem, /match/);
    assert.equal(await page.inputValue('input#user_email'), 'heron@example.org');
    assert.equal(await page.inputValue('input#user_password'), '', 'a password is never sent back');
  },

  'an app signs somebody up; the token works once the address is confirmed': async () => {
    const app = await newApp('urn:ietf:wg:oauth:2.0:oob');
    const { accessToken } = await oauth.token.create({
      grantType: 'client_credentials',
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
      scope: 'read write',
    });
    const wanted = { username: 'egret', email: 'egret@example.org', password, agreement: true, locale: 'en' };
    const blank = await refused(422, client(accessToken).v1.accounts.create({ ...wanted, email: '', agreement: false }));
    assert.equal(blank.details.email[0].error, 'ERR_BLANK');
    assert.equal(blank.details.agreement[0].error, 'ERR_ACCEPTED');

    const token = await client(accessToken).v1.accounts.create(wanted);
    const api = client(token.accessToken);
    await refused(403, api.v1.accounts.verifyCredentials(), 'Your login is missing a confirmed e-mail address');
    assert.equal((await api.v1.apps.verifyCredentials()).name, 'An app of the tests');
    const taken = await refused(422, client(accessToken).v1.accounts.create({ ...wanted, email: 'other@example.org' }));
    assert.equal(taken.details.username[0].error, 'ERR_TAKEN');

    await api.v1.emails.confirmations.create({ email: 'egret.2@example.org' });
    const link = await linkFor('egret.2@example.org', '/auth/confirmation');
    assert.equal((await fetch(link)).status, 200);
    assert.equal((await api.v1.accounts.verifyCredentials()).username, 'egret');
  },

  'a forgotten password is set anew by a letter, and old tokens end': async () => {
    const page = await freshPage(browser);
    await server.command('account', 'create', 'stork', '--email', 'stork@example.org', '--password', password, '--confirmed');
    const token = (await server.command('token', 'create', 'stork', '--scopes', 'read')).trim();
    assert.equal((await client(token).v1.accounts.verifyCredentials()).username, 'stork');

    await page.goto(`${server.url}/auth/password/new`);
    await page.fill('input#user_email', 'stork@example.org');
    await page.click('button[type=submit]');
    await page.goto(await linkFor('stork@example.org', '/auth/password/edit'));
    await page.fill('input#user_password', 'another password');
    await page.fill('input#user_password_confirmation', 'another password');
    await page.click('button[type=submit]');

    await refused(401, client(token).v1.accounts.verifyCredentials());
    await page.context().clearCookies();
    await page.goto(`${server.url}/auth/sign_in`);
    await signIn(page, 'stork', password);
    assert.ok(await page.isVisible('.problem'), 'the old password is gone');
    await signIn(page, 'stork', 'another password');
    await page.goto(`${server.url}/?plain`);
    assert.match(await page.textContent('main'), /signed in as\s+@stork/);
  },
};
