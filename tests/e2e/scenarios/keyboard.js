// SPDX-License-Identifier: AGPL-3.0-or-later
// The web client without a mouse: whoever has a keyboard alone signs in, reads, writes and finds, and always sees where the
// focus is.
import assert from 'node:assert/strict';
import { long, until } from '../support/check.js';
import { close, desk, openClient, phone, visit } from '../support/client.js';
import { account, browser, home, password, person, post, server, status } from '../support/stage.js';
import { pngFile } from '../support/png.js';

// Where the focus is, and what is wrong with how it is shown.
const focus = (page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    const at = focused.matches('input.sr') ? focused.closest('label') : focused; // a button that chooses a file
    const name = `${location.pathname} ${at.type ?? ''} ${at.tagName.toLowerCase()}.${at.className} ${at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40)}`;
    const style = getComputedStyle(at);
    const ring = (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== 'none';
    const box = at.getBoundingClientRect();
    const [left, top, right, bottom] = [Math.max(0, box.left), Math.max(0, box.top), Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    if (right - left < 2 || bottom - top < 2) return { name, fault: 'outside of the window' };
    if (!ring) return { name, fault: 'without a ring' };
    // Something of it, at least, is not under a bar.
    const points = [0.1, 0.5, 0.9].map((part) => document.elementFromPoint((left + right) / 2, top + (bottom - top) * part));
    const free = points.some((one) => one && (at.contains(one) || one.contains(at)));
    return { name, fault: free ? '' : 'under something else' };
  });

async function sees(page) {
  await page.waitForTimeout(20); // a scroll by the browser, and what is drawn for it
  const at = await focus(page);
  assert.equal(at?.fault ?? '', '', at?.name);
  return at?.name;
}

const isAt = (locator) => locator.evaluate((element) => element === document.activeElement);

// Tab, as often as it takes.
async function tabTo(page, locator, most = 90) {
  await locator.first().waitFor();
  const stops = [];
  for (let n = 0; n < most; ++n) {
    if (await isAt(locator.first())) return sees(page);
    await page.keyboard.press('Tab');
    stops.push(await sees(page));
  }
  return assert.fail(`the keyboard does not reach ${locator}, but ${stops.join(', ')}`);
}
const choose = async (page, locator, key = 'Enter') => {
  await tabTo(page, locator);
  await page.keyboard.press(key);
};

const dialog = (page) => page.getByRole('dialog');
const gone = (page) => dialog(page).waitFor({ state: 'detached' });
const article = (page, text) => page.locator('article[data-status]', { hasText: text }).first();
const headed = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

// From post to post, until this one has the focus.
async function readTo(page, text) {
  for (let n = 0; n < 20; ++n) {
    await page.keyboard.press('j');
    await page.waitForTimeout(60);
    await sees(page);
    if (await article(page, text).evaluate((one) => one === document.activeElement).catch(() => false)) return;
  }
  assert.fail(`j does not reach "${text}"`);
}

// Tab does not lead out of what lies over the page.
async function keepsFocus(page) {
  for (let n = 0; n < 30; ++n) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() => !!document.activeElement.closest('dialog[open]') || document.activeElement === document.body);
    assert.ok(inside, `the focus is at ${await sees(page)}, under the dialog`);
  }
}

const mouseless = (page) => page.context().addInitScript(() => addEventListener('pointerdown', (event) => event.isTrusted && console.error('a policy was broken: the mouse was used'), true));

async function signInByKeys(name) {
  const context = await browser.newContext({ viewport: desk, serviceWorkers: 'block' });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await mouseless(page);
  await page.goto(`${server.url}/auth/sign_in?return_to=/home`);
  await page.locator('input#user_email').waitFor();
  await tabTo(page, page.locator('input#user_email'));
  await page.keyboard.type(`${name}@example.org`);
  await tabTo(page, page.locator('input#user_password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/home`);
  await page.locator('main h1').waitFor();
  return page;
}

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];

async function reading() {
  const [kay, ben] = [await person('key_kay'), await person('key_ben')];
  await account(kay, ben).follow();
  const warned = await post(ben, 'It is muddy there.', { spoilerText: 'Mud' });
  const pictures = await Promise.all(['One', 'Two'].map((description) => ben.api.v2.media.create({ file: pngFile(80, 60), description })));
  await post(ben, 'Two pictures', { mediaIds: pictures.map(({ id }) => id) });
  const first = await post(ben, 'The first of the day');
  const page = await signInByKeys('key_kay');
  await article(page, 'The first of the day').waitFor();

  // Past the menu, into the page.
  await page.keyboard.press('Tab');
  assert.match(await sees(page), /skip/);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');

  await readTo(page, 'The first of the day');
  await page.keyboard.press('f');
  await page.keyboard.press('b');
  await page.keyboard.press('d');
  await until('liked, boosted and kept', async () => {
    const { favourited, reblogged, bookmarked } = await status(kay, first.id).fetch();
    return favourited && reblogged && bookmarked;
  });
  await page.keyboard.press('r');
  await dialog(page).waitFor();
  await until('the mention is there', async () => (await dialog(page).getByRole('textbox').first().inputValue()) === '@key_ben ');
  await sees(page);
  await keepsFocus(page);
  await tabTo(page, dialog(page).getByRole('textbox').first());
  await page.keyboard.type('good morning');
  await page.keyboard.press('Control+Enter');
  await gone(page);
  assert.equal((await newest(kay)).inReplyToId, first.id);
  assert.ok(await article(page, 'The first of the day').evaluate((one) => one === document.activeElement), 'the focus comes back to the post');

  await page.keyboard.press('Enter');
  await page.waitForURL(`**/@key_ben/${first.id}`);
  await article(page, 'good morning').waitFor();
  assert.match(await sees(page), / h1/);
  await choose(page, page.getByRole('button', { name: 'Back' }));
  await page.waitForURL('**/home');

  await readTo(page, 'Two pictures');
  await page.keyboard.press('e');
  await dialog(page).getByText('1 / 2').waitFor();
  await keepsFocus(page);
  await page.keyboard.press('ArrowRight');
  await dialog(page).getByText('2 / 2').waitFor();
  await dialog(page).getByText('Two', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await gone(page);
  assert.ok(await article(page, 'Two pictures').evaluate((one) => one === document.activeElement), 'from the pictures back to the post');
  await page.keyboard.press('h');
  await article(page, 'Two pictures').locator('.cover').waitFor();
  await readTo(page, 'Mud');
  await page.keyboard.press('x');
  await article(page, 'It is muddy there.').waitFor();
  assert.ok(warned.id);

  // A menu, and a dialog out of it.
  const more = article(page, 'It is muddy there.').getByRole('button', { name: 'More actions' });
  await choose(page, more);
  await page.getByRole('menu').waitFor();
  await until('the menu has the focus', () => page.evaluate(() => document.activeElement.getAttribute('role') === 'menuitem'));
  await page.keyboard.press('ArrowDown');
  await sees(page);
  await page.keyboard.press('Escape');
  assert.ok(await more.evaluate((one) => one === document.activeElement), 'from the menu back to its button');
  await page.keyboard.press('Enter');
  await until('the menu has the focus', () => page.evaluate(() => document.activeElement.getAttribute('role') === 'menuitem'));
  for (let n = 0; n < 20 && !/ Mute key_ben/.test((await focus(page)).name); ++n) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  await sees(page);
  await page.keyboard.press('Escape');
  await gone(page);
  assert.ok(await more.evaluate((one) => one === document.activeElement), 'from the dialog back to the button of the menu');

  await page.keyboard.press('?');
  await dialog(page).getByText('Ctrl+K').waitFor();
  await page.keyboard.press('Escape');
  await gone(page);
  await close(page);
}

async function writing() {
  const kim = await person('key_kim');
  const page = await openClient(kim);
  await mouseless(page);
  await page.keyboard.press('n');
  const sheet = dialog(page);
  const field = sheet.getByRole('textbox', { name: 'What is on your mind?' });
  await field.waitFor();
  await until('the field has the focus', () => isAt(field));
  await page.keyboard.type('Which way?');
  await choose(page, sheet.getByRole('button', { name: 'Content warning' }), 'Space');
  await tabTo(page, sheet.getByRole('textbox', { name: 'What readers should be warned of' }));
  await page.keyboard.type('a choice');
  await tabTo(page, sheet.getByRole('combobox', { name: 'Who will see this' }));
  await page.keyboard.press('ArrowDown');
  await choose(page, sheet.getByRole('button', { name: 'Poll' }), 'Space');
  await tabTo(page, sheet.getByRole('textbox', { name: 'Option 1' }));
  await page.keyboard.type('Left');
  await tabTo(page, sheet.getByRole('textbox', { name: 'Option 2' }));
  await page.keyboard.type('Right');
  await choose(page, sheet.getByRole('button', { name: 'Post', exact: true }));
  await gone(page);
  const asked = await newest(kim);
  assert.deepEqual([asked.spoilerText, asked.visibility, asked.poll.options.map(({ title }) => title)], ['a choice', 'unlisted', ['Left', 'Right']]);

  await page.keyboard.press('n');
  await until('the field has the focus', () => isAt(field));
  await page.keyboard.type('A picture');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose(page, sheet.getByRole('button', { name: 'Add' }))]);
  await chooser.setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(await pngFile(90, 60).arrayBuffer()) });
  await tabTo(page, sheet.getByLabel(/^Describe/));
  await page.keyboard.type('From red to blue');
  await tabTo(page, sheet.locator('.shot'));
  await page.keyboard.press('Enter'); // there is no place where it was pressed
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
  await until('what must be seen is known', async () => (await sheet.locator('.spot').getAttribute('style')) === 'left: 60%; top: 45%;');
  await choose(page, sheet.getByRole('button', { name: 'Post', exact: true }));
  await gone(page);
  const [media] = (await newest(kim)).mediaAttachments;
  assert.deepEqual([media.description, media.meta.focus], ['From red to blue', { x: 0.2, y: 0.1 }]);

  // What is half written is there when the dialog was closed by a key.
  await page.keyboard.press('n');
  await until('the field has the focus', () => isAt(field));
  await page.keyboard.type('half a');
  await page.keyboard.press('Escape');
  await gone(page);
  await page.keyboard.press('n');
  await until('it is back', async () => (await field.inputValue()) === 'half a');
  await close(page);
}

async function finding() {
  const [kit, abe] = [await person('key_kit'), await person('key_abe')];
  await post(abe, '@key_kit hello');
  const list = await kit.api.v1.lists.create({ title: 'Shore birds' });
  const page = await openClient(kit);
  await mouseless(page);
  await page.keyboard.press('/');
  await until('the field has the focus', () => page.evaluate(() => document.activeElement.type === 'search'));
  await page.keyboard.type('key_abe');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=key_abe**');
  await choose(page, page.locator('main').getByRole('button', { name: /^Follow/ }));
  await until('he is followed', async () => (await kit.api.v1.accounts.relationships.fetch({ id: [abe.id] }))[0].following);

  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await headed(page, 'Notifications');
  await page.getByText('mentioned you').first().waitFor();
  await sees(page);
  await page.keyboard.press('Control+k');
  await dialog(page).waitFor();
  await page.keyboard.type('Shore');
  await dialog(page).getByRole('option', { name: 'Shore birds' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/lists/${list.id}`);
  await headed(page, 'Shore birds');
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.waitForURL('**/home');

  // The menu of the account, to the end of the session.
  await choose(page, page.locator('nav .me-button'));
  await until('the menu has the focus', () => page.evaluate(() => document.activeElement.getAttribute('role') === 'menuitem'));
  await page.keyboard.press('End');
  assert.match((await focus(page)).name, /Sign out$/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${server.url}/`);
  assert.ok(await home(kit));
  await close(page);
}

// Every stop of Tab on a screen is seen.
async function walked(viewport, paths) {
  const who = await person(`key_walk_${viewport.width}`);
  const first = await post(who, 'A post with #words and https://example.org/');
  await post(who, 'covered', { spoilerText: 'careful' });
  await who.api.v1.lists.create({ title: 'Friends' });
  const page = await openClient(who, { viewport });
  for (const path of paths) {
    await visit(page, path.replace('POST', `/@${who.name}/${first.id}`));
    const seen = new Set();
    for (let n = 0; n < 60; ++n) {
      await page.keyboard.press('Tab');
      const name = await sees(page);
      if (name === undefined && seen.size) break;
      seen.add(name);
    }
    assert.ok(seen.size > 5, path);
  }
  await close(page);
}

export default {
  'somebody signs in, reads, answers, likes and looks at pictures by keyboard alone': reading,
  'a warning, a poll, a picture with its words and what must be seen of it, by keyboard alone': writing,
  'search, follow, notifications, a list and the end, by keyboard alone': finding,
  'the focus is seen at every stop, on a desk': () => walked(desk, ['/home', 'POST', ...(long ? ['/notifications', '/lists', '/search', '/explore', '/conversations', '/filters/new', '/settings', '/settings/appearance', '/compose'] : [])]),
  'the focus is seen at every stop, on a phone': () => walked(phone, ['/settings/profile', ...(long ? ['/home', 'POST', '/lists/edit', '/compose'] : [])]),
};
