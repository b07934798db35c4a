// SPDX-License-Identifier: AGPL-3.0-or-later
// The pages of the team without JavaScript: from the desk to a resolved report by keyboard, sign-ups, other servers.
import assert from 'node:assert/strict';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { accessible, close, desk, openClient, phone } from '../support/client.js';
import { valid } from '../support/html.js';
import { api, asStaff, hub, moderator, press, signedIn, tabTo } from '../support/staff.js';
import { browser, client, password, person, post, server } from '../support/stage.js';

const plain = ['', '/cases', '/reports', '/held', '/sign_ups', '/accounts', '/appeals', '/rules', '/rules/add', '/rules/json', '/words', '/trends', '/servers', '/servers/add', '/lists', '/sources', '/labels', '/relays', '/blocks', '/emojis', '/invites', '/announcements', '/presets', '/house_rules', '/site', '/roles', '/roles/add', '/webhooks', '/webhooks/add', '/audit', '/transparency'];
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

// Reported by somebody, with a picture and a warning.
async function reported(name) {
  const [ann, bad] = [await person(`${name}_ann`), await person(`${name}_bad`)];
  const media = await bad.api.v2.media.create({ file: new Blob([png], { type: 'image/png' }), description: 'a dot' });
  const rude = await post(bad, 'rude words', { mediaIds: [media.id], spoilerText: 'careful' });
  const made = await ann.api.v1.reports.create({ accountId: bad.id, statusIds: [rude.id], comment: 'Please look at this', category: 'spam' });
  return { ann, bad, id: made.id };
}

// The page of the first case that waits, below the hub.
async function caseOf(page) {
  await page.goto(`${hub}/cases`);
  return (await page.locator('.rows a[href*="/cases/"]').first().getAttribute('href')).replace('/settings/moderation', '');
}

async function inspect(name, viewport, colorScheme, locale) {
  await moderator(name);
  const { bad, id } = await reported(name);
  await server.command('domain', 'block', `${name.replaceAll('_', '-')}.example`, '--severity', 'silence');
  const list = JSON.parse(await server.command('list', 'add', `https://lists.example/${name}`, '--name', 'Their list', '--json'));
  const group = JSON.parse(await server.command('list', 'group', `Group ${name}`, '--agree', '1', '--member', list.id, '--json'));
  const page = await openClient({ name }, { viewport, colorScheme, locale });
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.waitForURL(hub);
  for (const path of [...plain, `/reports/${id}`, `/accounts/${bad.id}`, await caseOf(page), '/roles/-99', `/sources/${group.id}`, `/sources/${list.id}/end`]) {
    await page.goto(hub + path);
    await page.locator('details.covered').evaluateAll((all) => all.forEach((one) => (one.open = true)));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${path} is too wide`);
    await accessible(page, `${path} ${viewport.width} ${colorScheme} ${locale}`);
    assert.equal(await page.getAttribute('html', 'lang'), locale);
    valid(await (await page.request.get(hub + path)).text(), path);
    await screenshot(page, `staff${path.replace(/\d{5,}/, 'one').replaceAll('/', '_')}_${viewport.width}_${colorScheme}_${locale}`);
  }
  await close(page);
}

export default {
  'a report goes from the desk to a limited account by keyboard alone': async () => {
    await moderator('staff_mona');
    const { bad, id } = await reported('staff_key');
    const page = await signedIn('staff_mona');
    await press(page, 'a[href="/settings/moderation/reports"]');
    await press(page, `a[href="/settings/moderation/reports/${id}"]`);
    assert.equal(await page.locator('details.covered img').first().isVisible(), false, 'covered until somebody looks');
    await tabTo(page, 'details.covered summary');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByText('careful').first().isVisible(), true);
    await press(page, 'form[action$="/assign"] button');
    assert.match(await page.textContent('main'), /taken by staff_mona/);
    await tabTo(page, 'input[type=radio]:checked');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('input[value=silence]').isChecked(), true);
    await tabTo(page, '#text');
    await page.keyboard.type('Enough of this.');
    await press(page, 'form[action$="/act"] button');
    assert.match(await page.textContent('.notice'), /It is done/);
    assert.match(await page.textContent('.facts'), /Resolved/);
    const token = (await server.command('token', 'create', 'landlord', '--scopes', 'admin:read')).trim();
    const shown = await client(token).v1.admin.accounts.$select(bad.id).fetch();
    assert.equal(shown.silenced, true);
    assert.equal((await client(token).v1.admin.reports.$select(id).fetch()).actionTakenByAccount.username, 'staff_mona');
    await page.click('form[action$="/unsilence"] button');
    assert.equal((await client(token).v1.admin.accounts.$select(bad.id).fetch()).silenced, false);
    await page.context().close();
  },

  'a case goes from the desk to its end in three steps by keyboard alone': async () => {
    await moderator('staff_casey');
    const { bad } = await reported('staff_case');
    const page = await signedIn('staff_casey');
    await press(page, 'a[href="/settings/moderation/cases"]');
    await press(page, '.rows li:has-text("@staff_case_bad") a');
    assert.match(await page.textContent('main'), /Please look at this/);
    assert.equal(await page.locator('details.covered img').first().isVisible(), false, 'covered until somebody looks');
    await press(page, 'form[action$="/close"] button');
    assert.match(await page.textContent('.notice'), /resolved/);
    await page.goto(`${hub}/cases?queue=closed`);
    assert.match(await page.textContent('main'), /staff_case_bad/);
    const token = await asStaff();
    assert.equal((await client(token).v1.admin.accounts.$select(bad.id).fetch()).silenced, false);
    await page.context().close();
  },

  'what a rule holds back is removed, taken back and published': async () => {
    await moderator('staff_hilde');
    const token = await asStaff();
    const author = await person('staff_held');
    const rule = await api(token, 'POST', '/api/dunlin/v1/moderation/rules', { rule: { name: 'Eggs', subject: 'post', if: [{ field: 'text', op: 'contains_word', values: ['heldeggs'] }], then: [{ act: 'hold' }] } });
    await api(token, 'POST', `/api/dunlin/v1/moderation/rules/${rule.id}/mode`, { mode: 'on' });
    const held = await post(author, 'heldeggs and <ham>');
    assert.equal(held.visibility, 'direct');
    const page = await signedIn('staff_hilde', { width: 320, height: 640 });
    await page.click('a[href="/settings/moderation/held"]');
    const row = page.locator('.rows li', { hasText: '@staff_held' });
    await row.locator('summary').click();
    assert.match(await row.textContent(), /heldeggs and <ham>/);
    await row.locator('form[action$="/set_aside"] button').click();
    assert.match(await page.textContent('.notice'), /removed/);
    await page.locator('.rows li', { hasText: '@staff_held' }).locator('form[action$="/take_up"] button').click();
    assert.match(await page.textContent('.notice'), /taken back/);
    await page.locator('.rows li', { hasText: '@staff_held' }).locator('form[action$="/release"] button').click();
    assert.match(await page.textContent('.notice'), /published/);
    assert.equal((await author.api.v1.statuses.$select(held.id).fetch()).visibility, 'public');
    await api(token, 'POST', `/api/dunlin/v1/moderation/rules/${rule.id}/mode`, { mode: 'off' });
    await page.context().close();
  },

  'a list of servers is looked at, applied and taken back': async () => {
    await moderator('staff_liz');
    const page = await signedIn('staff_liz');
    await page.goto(`${hub}/lists`);
    await page.setInputFiles('input[type=file]', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('#domain,#severity\nlisted-a.example,suspend\nlisted-b.example,silence\nno domain,suspend\n') });
    await page.click('form[action$="/preview"] button');
    assert.match(await page.textContent('main'), /listed-a\.example/);
    assert.match(await page.textContent('main'), /no domain/);
    await screenshot(page, 'staff_list_preview');
    await page.fill('input[name=name]', 'A list of friends');
    await page.click('form[action$="/lists"] button');
    assert.match(await page.textContent('.notice'), /comes into force/);
    const token = await asStaff();
    const limited = async () => (await client(token).v1.admin.domainBlocks.list()).map((one) => one.domain);
    for (let tries = 0; !(await limited()).includes('listed-a.example') && tries < 100; ++tries) await new Promise((go) => setTimeout(go, 100));
    assert.ok((await limited()).includes('listed-b.example'));
    await page.reload();
    await page.locator('.rows li', { hasText: 'A list of friends' }).locator('button').click();
    assert.match(await page.textContent('.notice'), /taken back/);
    for (let tries = 0; (await limited()).includes('listed-a.example') && tries < 100; ++tries) await new Promise((go) => setTimeout(go, 100));
    assert.ok(!(await limited()).includes('listed-b.example'));
    await page.fill('input[name=domain]', 'friend.example');
    await page.click('form[action$="/exceptions"] button');
    await page.locator('.rows li', { hasText: 'friend.example' }).locator('button').click();
    assert.match(await page.textContent('.notice'), /removed/);
    await page.context().close();
  },

  'an emoji is added, switched off and removed': async () => {
    await moderator('staff_emma');
    const page = await signedIn('staff_emma');
    await page.goto(`${hub}/emojis`);
    const add = async (name, buffer) => {
      await page.fill('input[name=shortcode]', name);
      await page.setInputFiles('input[type=file]', { name: 'a.png', mimeType: 'image/png', buffer });
      await page.click('form[action$="/emojis"] button');
    };
    await add('staffdot', Buffer.from('no picture'));
    assert.match(await page.textContent('.problem'), /cannot be used/);
    await add('staffdot', png);
    assert.match(await page.textContent('.notice'), /added/);
    const names = async () => (await (await fetch(`${server.url}/api/v1/custom_emojis`)).json()).map((one) => one.shortcode);
    assert.ok((await names()).includes('staffdot'));
    await page.locator('.rows li', { hasText: ':staffdot:' }).locator('form[action$="/disable"] button').click();
    assert.ok(!(await names()).includes('staffdot'));
    await page.locator('.rows li', { hasText: ':staffdot:' }).locator('form[action$="/remove"] button').click();
    assert.doesNotMatch(await page.textContent('main'), /staffdot/);
    await page.context().close();
  },

  'sign-ups are let in or not, and servers limited, without JavaScript': async () => {
    await moderator('staff_fred');
    await server.command('registrations', 'approval');
    const page = await freshPage(browser);
    for (const name of ['staff_yes', 'staff_no']) {
      await page.goto(`${server.url}/auth/sign_up`);
      await page.fill('#user_account_attributes_username', name);
      await page.fill('#user_email', `${name}@example.org`);
      await page.fill('#user_password', password);
      await page.fill('#user_password_confirmation', password);
      await page.fill('textarea', `I am ${name}`);
      await page.check('#user_agreement');
      await page.click('main button[type=submit]');
    }
    await page.context().close();
    const staff = await signedIn('staff_fred', { width: 320, height: 640 });
    await staff.click('a[href="/settings/moderation/sign_ups"]');
    assert.match(await staff.textContent('main'), /I am staff_yes/);
    await staff.locator('section', { hasText: '@staff_yes' }).locator('form[action$="/approve"] button').click();
    assert.match(await staff.textContent('.notice'), /approved/);
    await staff.locator('section', { hasText: '@staff_no' }).locator('form[action$="/reject"] button').click();
    assert.match(await staff.textContent('main'), /Nobody waits/);
    await server.command('registrations', 'open');

    await staff.click('nav a[href="/settings/moderation/servers"]');
    await staff.click('a[href="/settings/moderation/servers/add"]');
    await staff.fill('#domain', 'Staff.Example');
    await staff.check('input[value=suspend]');
    await staff.fill('#private_comment', 'asked for by the team');
    await screenshot(staff, 'staff_add_320');
    await staff.click('main form button.button');
    assert.match(await staff.textContent('main'), /staff\.example/);
    await staff.click('a:has-text("staff.example")');
    assert.equal(await staff.inputValue('#private_comment'), 'asked for by the team');
    assert.equal(await staff.locator('input[value=suspend]').isChecked(), true);
    await staff.click('form[action$="/remove"] button');
    assert.match(await staff.textContent('.notice'), /removed/);
    await staff.context().close();
  },

  'who is not of the team gets nowhere': async () => {
    await person('staff_nobody');
    const page = await freshPage(browser);
    await page.goto(`${server.url}/auth/sign_in?return_to=/settings/moderation`);
    await signIn(page, 'staff_nobody@example.org', password);
    for (const path of plain) {
      const answer = await page.goto(hub + path);
      assert.equal(answer.status(), 403, path);
      assert.match(await page.textContent('main'), /may not/);
    }
    await page.goto(`${server.url}/settings/account`);
    assert.equal(await page.locator('a[href="/settings/moderation"]').count(), 0);
    await page.context().close();
  },

  'axe has nothing to say of the pages of the team on a narrow phone': () => inspect('staff_axe_light', { width: 320, height: 800 }, 'light', 'en'),
  'axe has nothing to say of the pages of the team on a desk in the dark': () => inspect('staff_axe_dark', desk, 'dark', 'en'),
  'axe has nothing to say of the pages of the team from right to left': () => inspect('staff_axe_ar', phone, 'light', 'ar'),
  'axe has nothing to say of the pages of the team in German': () => inspect('staff_axe_de', { width: 320, height: 800 }, 'dark', 'de'),
};
