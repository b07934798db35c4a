// SPDX-License-Identifier: AGPL-3.0-or-later
// What the team looks after by keyboard alone and without JavaScript: who may not sign up, what trends, relays, roles and webhooks.
// Each page is looked at while there is something on it.
import assert from 'node:assert/strict';
import { freshPage, screenshot } from '../support/browser.js';
import { until } from '../support/check.js';
import { accessible, desk } from '../support/client.js';
import { valid } from '../support/html.js';
import { api, asStaff, hub, moderator, press, signedIn, tabTo } from '../support/staff.js';
import { browser, password, person, post, server } from '../support/stage.js';

const row = (page, text) => page.locator('.rows li', { hasText: text });
const says = async (page, what) => assert.match(await page.textContent('.notice'), what);
const refuses = async (page) => assert.ok((await page.textContent('main .problem')).trim().length > 3);

async function type(page, field, text) {
  await tabTo(page, field);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}
async function tick(page, box) {
  await tabTo(page, box);
  await page.keyboard.press('Space');
}

// As others of the team see it, in their own browsers.
async function looksWell(page, path) {
  const storageState = await page.context().storageState();
  for (const [viewport, colorScheme, locale] of [[{ width: 320, height: 800 }, 'light', 'en'], [desk, 'dark', 'ar']]) {
    const context = await browser.newContext({ viewport, colorScheme, locale, storageState });
    const seen = await context.newPage();
    await seen.goto(hub + path);
    assert.equal(await seen.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${path} is too wide`);
    await accessible(seen, `${path} ${viewport.width}`);
    valid(await (await seen.request.get(hub + path)).text(), path);
    await screenshot(seen, `team${path.replace(/\d{5,}/, 'one').replaceAll('/', '_')}_${viewport.width}`);
    await context.close();
  }
}

// Whether somebody with that name and address may sign up.
async function signsUp(name, email) {
  const page = await freshPage(browser);
  await page.goto(`${server.url}/auth/sign_up`);
  await page.fill('input#user_account_attributes_username', name);
  await page.fill('input#user_email', email);
  await page.fill('input#user_password', password);
  await page.fill('input#user_password_confirmation', password);
  await page.check('input#user_agreement');
  await page.click('main button[type=submit]');
  const refused = await page.locator('.problem').count();
  await page.context().close();
  return !refused;
}

export default {
  'who may not sign up is written down, holds, and is taken back': async () => {
    await moderator('team_bea');
    const page = await signedIn('team_bea', { width: 320, height: 640 });
    await press(page, 'a[href="/settings/moderation/blocks"]');
    await type(page, '#domain_0', 'throwaway.example');
    await press(page, 'form[action$="/blocks/email_domains"] button');
    await says(page, /added/);
    await type(page, '#ip_1', 'no network');
    await press(page, 'form[action$="/blocks/networks"] button');
    await refuses(page);
    assert.equal(await page.inputValue('#ip_1'), 'no network', 'what was written is not lost');
    await type(page, '#ip_1', '203.0.113.7/24');
    await tabTo(page, '#severity_1');
    await page.keyboard.press('ArrowDown');
    await type(page, '#comment_1', 'Asked for by the team');
    await press(page, 'form[action$="/blocks/networks"] button');
    assert.match(await row(page, '203.0.113.0/24').textContent(), /No sign-ups[^]*Asked for by the team/);
    await type(page, '#username_2', 'team_squatter');
    await press(page, 'form[action$="/blocks/names"] button');
    await type(page, '#email_3', 'E.vil+1@team.example');
    await press(page, 'form[action$="/blocks/emails"] button');
    await says(page, /added/);
    await looksWell(page, '/blocks');

    assert.equal(await signsUp('team_first', 'someone@throwaway.example'), false);
    assert.equal(await signsUp('team_squatter', 'squatter@team.example'), false);
    assert.equal(await signsUp('team_second', 'evil@team.example'), false);
    assert.equal(await signsUp('team_third', 'good@team.example'), true, 'nobody else is kept out');

    await page.goto(`${hub}/blocks`);
    for (const what of ['throwaway.example', '203.0.113.0/24', 'team_squatter']) {
      await press(page, `.rows li:has-text("${what}") button`);
      await says(page, /removed/);
      assert.equal(await row(page, what).count(), 0);
    }
    assert.equal(await signsUp('team_squatter', 'someone@throwaway.example'), true);
    await page.context().close();
  },

  'what trends is approved and rejected': async () => {
    await moderator('team_tess');
    // What those say counts who would like to be found.
    for (let n = 0; n < 6; ++n) {
      const who = await person(`team_trend${n}`);
      await who.api.v1.accounts.updateCredentials({ discoverable: true });
      await post(who, 'Look at this #teamtide');
    }
    // Trends are worked out by the clock, and at a start.
    const workedOut = async () => (await server.crash(), server.begin());
    await workedOut();
    const page = await signedIn('team_tess');
    const shown = async () => (await (await fetch(`${server.url}/api/v1/trends/tags`)).json()).some((one) => one.name === 'teamtide');
    await until('the hashtag is among those that trend', async () => {
      await page.goto(`${hub}/trends`);
      return row(page, '#teamtide').count();
    });
    assert.match(await row(page, '#teamtide').textContent(), /Nobody has decided/);
    assert.equal(await shown(), false, 'nobody sees what nobody has looked at');
    await press(page, '.rows li:has-text("#teamtide") form[action$="/approve"] button');
    await says(page, /saved/);
    assert.match(await row(page, '#teamtide').textContent(), /Approved/);
    await workedOut();
    await until('everybody sees it', shown);
    await looksWell(page, '/trends');
    await press(page, '.rows li:has-text("#teamtide") form[action$="/reject"] button');
    assert.match(await row(page, '#teamtide').textContent(), /Rejected/);
    await workedOut();
    await until('nobody sees it', async () => !(await shown()));
    await page.context().close();
  },

  'a relay is asked and left': async () => {
    await moderator('team_rolf');
    const page = await signedIn('team_rolf', { width: 320, height: 640 });
    await press(page, 'a[href="/settings/moderation/relays"]');
    await type(page, '#address_0', 'not an address');
    await press(page, 'form[action$="/relays"] button');
    await refuses(page);
    assert.equal(await page.inputValue('#address_0'), 'not an address');
    await type(page, '#address_0', 'https://relay.invalid/inbox');
    await press(page, 'form[action$="/relays"] button');
    await says(page, /added/);
    assert.match(await row(page, 'relay.invalid').textContent(), /Waiting/, 'until it answers');
    await looksWell(page, '/relays');
    await press(page, '.rows li:has-text("relay.invalid") button');
    await says(page, /removed/);
    assert.equal(await row(page, 'relay.invalid').count(), 0);
    await page.context().close();
  },

  'a role is made, given, widened and ended': async () => {
    await moderator('team_rita');
    const lib = await person('team_lib');
    const page = await signedIn('team_rita');
    await press(page, 'a[href="/settings/moderation/roles"]');
    await press(page, 'main a[href$="/roles/add"]');
    await type(page, '#name_0', 'Librarian');
    await type(page, '#position_0', '5');
    await tick(page, 'input[name="permissions[]"][value=manage_taxonomies]');
    await press(page, 'main form button');
    await says(page, /added/);
    assert.match(await row(page, 'Librarian').textContent(), /manage_taxonomies/);
    const where = await row(page, 'Librarian').locator('a').getAttribute('href');
    await looksWell(page, '/roles');
    await looksWell(page, where.replace('/settings/moderation', ''));

    await api(await asStaff(), 'PUT', `/api/dunlin/v1/moderation/accounts/${lib.id}/role`, { role_id: where.split('/').at(-1) });
    const hers = await signedIn('team_lib');
    const parts = () => hers.locator('main .rows a').evaluateAll((all) => all.map((one) => one.getAttribute('href').split('/').at(-1)));
    assert.deepEqual(await parts(), ['labels', 'trends'], 'what the role is for, and nothing else');
    assert.equal((await hers.goto(`${hub}/reports`)).status(), 403);

    await press(page, `a[href="${where}"]`);
    await tick(page, 'input[name="permissions[]"][value=manage_reports]');
    await press(page, `form[action="${where}"] button`);
    await says(page, /saved/);
    await hers.goto(hub);
    assert.deepEqual((await parts()).sort(), ['cases', 'labels', 'reports', 'trends']);

    await press(page, `a[href="${where}"]`);
    await press(page, 'form[action$="/remove"] button');
    await says(page, /removed/);
    assert.equal((await hers.goto(hub)).status(), 403, 'with the role goes what it was for');
    await hers.context().close();
    await page.context().close();
  },

  'a webhook is set up, gets another secret, is stopped and removed': async () => {
    await moderator('team_wim');
    const page = await signedIn('team_wim', { width: 320, height: 640 });
    await press(page, 'a[href="/settings/moderation/webhooks"]');
    await press(page, 'main a[href$="/webhooks/add"]');
    await type(page, '#url_0', 'nowhere');
    await tick(page, 'input[name="events[]"][value="report.created"]');
    await press(page, 'main form button');
    await refuses(page);
    assert.equal(await page.inputValue('#url_0'), 'nowhere');
    assert.equal(await page.locator('input[value="report.created"]').isChecked(), true);
    await type(page, '#url_0', 'https://hooks.invalid/in');
    await press(page, 'main form button');
    await says(page, /added/);
    assert.match(await row(page, 'hooks.invalid').textContent(), /Active[^]*report\.created/);
    const open = () => press(page, '.rows a:has-text("hooks.invalid")');
    await open();
    const where = new URL(page.url()).pathname.replace('/settings/moderation', '');
    const secret = await page.textContent('.facts dd');
    assert.ok(secret.length >= 20);
    await looksWell(page, where);
    await press(page, 'form[action$="/rotate"] button');
    await says(page, /saved/);
    await open();
    assert.notEqual(await page.textContent('.facts dd'), secret);
    await tick(page, 'input[name=enabled]');
    await press(page, `form[action$="${where}"] button`);
    assert.match(await row(page, 'hooks.invalid').textContent(), /Stopped/);
    await looksWell(page, '/webhooks');
    await open();
    await press(page, 'form[action$="/remove"] button');
    await says(page, /removed/);
    assert.equal(await row(page, 'hooks.invalid').count(), 0);
    await page.context().close();
  },
};
