// SPDX-License-Identifier: AGPL-3.0-or-later
// What a tab that stays open shows: it stays true when others write, when one acts, and when one goes back.
import assert from 'node:assert/strict';
import { until } from '../support/check.js';
import { close, openClient, postOf } from '../support/client.js';
import { pngFile } from '../support/png.js';
import { api, asStaff, moderator } from '../support/staff.js';
import { account, person, post, server, status } from '../support/stage.js';

// As a click inside the page goes there, without loading it anew.
async function to(page, path) {
  await page.locator(`a[href="${path}"]`).locator('visible=true').first().click();
  await page.waitForURL(server.url + path);
  await page.locator('main h1').waitFor();
  await settled(page);
}
const settled = (page) => page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
const item = (page, name) => page.getByRole('menuitem', { name, exact: true });
const say = (page, text) => page.getByRole('status').getByText(text, { exact: true });
const sure = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const act = async (page, text, name) => {
  await postOf(page, text).getByRole('button', { name: 'More actions' }).click();
  await item(page, name).click();
};
const focused = (page) => page.evaluate(() => document.activeElement.closest('[data-row]')?.textContent ?? document.activeElement.tagName);

async function friends(...names) {
  const people = [];
  for (const name of names) people.push(await person(name));
  for (const one of people) for (const other of people) if (one !== other) await account(one, other).follow();
  return people;
}

export default {
  'menus open, show each thing once and keep inside of the window': async () => {
    const [ann] = await friends('live_ann');
    for (let n = 0; n < 6; ++n) await post(ann, `menu ${n}`);
    const page = await openClient(ann, { viewport: { width: 390, height: 844 } });
    await page.locator('nav.foot').getByRole('button', { name: 'Menu' }).click();
    const names = await page.getByRole('menuitem').allInnerTexts();
    assert.deepEqual(names, [...new Set(names)]);
    assert.ok(['Profile', 'Settings', 'Sign out'].every((name) => names.includes(name)), names.join(', '));
    await page.keyboard.press('Escape');

    await page.setViewportSize({ width: 1280, height: 500 });
    const more = postOf(page, 'menu 4').getByRole('button', { name: 'More actions' });
    await more.evaluate((button) => scrollBy(0, button.getBoundingClientRect().top - 240));
    await more.click();
    const box = await page.getByRole('menu').boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 500, JSON.stringify(box));
    await page.getByRole('menuitem').last().click();
    await page.getByRole('dialog').waitFor();
    await close(page);
  },

  'what comes while another screen is shown is there on the way back': async () => {
    const [bea, cas] = await friends('live_bea', 'live_cas');
    await post(cas, 'the first');
    const page = await openClient(bea);
    await postOf(page, 'the first').waitFor();
    await to(page, '/conversations');
    await to(page, '/notifications');
    await to(page, '/bookmarks');
    const second = await post(cas, 'the second');
    const asks = await post(cas, '@live_bea do you hear me?');
    await post(cas, '@live_bea in a letter', { visibility: 'direct' });
    await page.goBack();
    await page.getByRole('button', { name: /new$/ }).click();
    await page.getByText('do you hear me?').waitFor();
    await to(page, '/conversations');
    await page.getByText('in a letter').waitFor();
    await to(page, '/bookmarks');
    await to(page, '/conversations');
    await page.getByText('in a letter').waitFor();
    await to(page, '/home');
    await page.getByRole('button', { name: /^\d+ new/ }).click();
    await postOf(page, 'the second').getByRole('button', { name: 'Bookmark' }).click();
    await until('it is kept', async () => (await status(bea, second.id).fetch()).bookmarked);
    await to(page, '/bookmarks');
    await postOf(page, 'the second').waitFor();
    await status(bea, asks.id).unbookmark();

    // What waits behind the button has not been read.
    await to(page, '/notifications');
    await page.getByText('do you hear me?').waitFor();
    await page.locator('nav.side .badge').waitFor({ state: 'detached' });
    await post(cas, '@live_bea and now?');
    await page.getByRole('button', { name: /^1 new/ }).waitFor();
    await page.waitForTimeout(2500);
    assert.equal(await page.locator('nav.side .badge').innerText(), '1');
    await page.getByRole('button', { name: /^1 new/ }).click();
    await page.locator('nav.side .badge').waitFor({ state: 'detached' });
    await close(page);
  },

  'conversations stay in order when they are marked, and when their last letter goes': async () => {
    const [gil, hal, ida] = await friends('live_vic', 'live_wes', 'live_xia');
    const letter = (who, text, more = {}) => post(who, '@live_vic ' + text, { visibility: 'direct', ...more });
    const early = await letter(hal, 'early');
    await letter(ida, 'between');
    const late = await letter(hal, 'late', { inReplyToId: early.id });
    const page = await openClient(gil, { path: '/conversations' });
    await page.getByText('between').waitFor();
    const rows = () => page.locator('main [data-row]').allInnerTexts();
    const ordered = async (...texts) => until(texts.join(' above '), async () => {
      const all = await rows();
      return all.length === texts.length && texts.every((text, n) => all[n].includes(text));
    });
    await ordered('late', 'between');
    const [, lower] = await gil.api.v1.conversations.list();
    await gil.api.v1.conversations.$select(lower.id).read();
    await gil.api.v1.conversations.$select(lower.id).unread();
    await page.waitForTimeout(1000);
    await ordered('late', 'between');
    await status(hal, late.id).remove();
    await ordered('between', 'early');
    await letter(hal, 'newest', { inReplyToId: early.id });
    await ordered('newest', 'between');
    await close(page);
  },

  'what one does is counted and said at once': async () => {
    const [dee, eli] = await friends('live_dee', 'live_eli');
    await person('live_fin');
    const asked = await post(eli, 'who is coming?');
    await post(eli, 'something else');
    const page = await openClient(dee, { path: '/@live_fin' });
    const followers = page.locator('.counts a[href$="/followers"]');
    assert.equal((await followers.innerText()).split(' ')[0], '0');
    await page.getByRole('button', { name: /^Follow live_fin/ }).click();
    await until('the number has risen', async () => (await followers.innerText()).startsWith('1 '));

    await to(page, '/home');
    await postOf(page, 'who is coming?').getByRole('button', { name: /^Reply/ }).click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('@live_eli I am');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the answer counts once', async () => (await status(dee, asked.id).fetch()).repliesCount === 1);
    await page.locator(`article[data-status="${asked.id}"]`).getByRole('button', { name: 'Reply, 1' }).waitFor();
    assert.match(await page.locator(`article[data-status="${asked.id}"] time`).innerText(), /^(now|\d+ (sec|min)\. ago)$/);

    await page.keyboard.press('n');
    await page.getByRole('dialog').getByRole('textbox').first().fill('mine to pin');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await to(page, '/@live_dee');
    await postOf(page, 'mine to pin').waitFor();
    await act(page, 'mine to pin', 'Pin to profile');
    await say(page, 'Pinned to your profile').waitFor();
    await act(page, 'mine to pin', 'Mute this conversation');
    await say(page, 'You hear no more of this conversation').waitFor();

    await to(page, '/home');
    await act(page, 'something else', /^Block/);
    await sure(page, 'Block');
    await say(page, 'Blocked').waitFor();
    await page.waitForFunction(() => !/who is coming|something else/.test(document.querySelector('main').textContent));
    await close(page);
  },

  'a request that has been answered asks no more': async () => {
    const gil = await person('live_gil');
    const hal = await person('live_hal');
    const ida = await person('live_ida');
    await gil.api.v1.accounts.updateCredentials({ locked: true });
    await account(hal, gil).follow();
    await account(ida, gil).follow();
    const page = await openClient(gil);
    await page.goto(`${server.url}/requests`);
    await page.getByRole('button', { name: 'Accept live_hal' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Accepted').waitFor();
    assert.match(await focused(page), /live_hal/);
    await to(page, '/notifications');
    await page.getByRole('button', { name: 'Decline live_ida' }).focus();
    assert.equal(await page.getByRole('button', { name: 'Accept live_hal' }).count(), 0);
    await page.keyboard.press('Enter');
    await page.getByText('Declined').waitFor();
    assert.match(await focused(page), /live_ida/);
    await page.goBack();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    assert.equal(await page.getByRole('button', { name: /^Accept/ }).count(), 0);
    await close(page);
  },

  'a thread follows what is written, changed and deleted in it': async () => {
    const [jon, kim] = await friends('live_jon', 'live_kim');
    const lea = await person('live_lea');
    const begun = await post(jon, 'a thread begins');
    const first = await post(kim, '@live_jon a first answer', { inReplyToId: begun.id });
    const page = await openClient(jon, { path: `/@live_jon/${begun.id}` });
    await postOf(page, 'a first answer').waitFor();
    await status(kim, first.id).update({ status: '@live_jon a better answer' });
    await postOf(page, 'a better answer').waitFor();
    await post(lea, '@live_jon from a stranger', { inReplyToId: begun.id });
    await postOf(page, 'from a stranger').waitFor();
    await status(kim, first.id).remove();
    await postOf(page, 'a better answer').waitFor({ state: 'detached' });

    // Whoever quotes a post of one's own may be told not to.
    const quoting = await post(kim, 'look at this', { quotedStatusId: begun.id });
    await to(page, '/home');
    await act(page, 'look at this', 'Remove my post from this quote');
    await sure(page, 'Remove my post from this quote');
    await say(page, 'Your post is no longer quoted there').waitFor();
    await until('it is withdrawn', async () => (await status(kim, quoting.id).fetch()).quote.state === 'revoked');
    await close(page);
  },

  'back leads to the same place in a thread and in what was missed': async () => {
    const [mia, ned] = await friends('live_mia', 'live_ned');
    const begun = await post(ned, 'a long thread begins');
    for (let n = 0; n < 25; ++n) await post(ned, `answer ${n}. ${'Words to make it longer. '.repeat(n % 4)}`, { inReplyToId: begun.id });
    const page = await openClient(mia, { path: `/@live_ned/${begun.id}`, viewport: { width: 1280, height: 600 } });
    await postOf(page, 'answer 0.').waitFor();
    const backs = async (what) => {
      await page.evaluate(() => scrollTo(0, 1500));
      await page.waitForTimeout(400);
      const row = await page.evaluate(() => [...document.querySelectorAll('main article')].find((one) => one.getBoundingClientRect().top > 60).dataset.status);
      const at = () => page.evaluate((id) => document.querySelector(`article[data-status="${id}"]`)?.getBoundingClientRect().top ?? 0, row);
      const before = await at();
      await page.locator('nav.side a[href="/bookmarks"]').click();
      await page.waitForURL('**/bookmarks');
      await page.waitForTimeout(300);
      await page.goBack();
      await until(`back to ${what}`, async () => Math.abs((await at()) - before) <= 2);
    };
    await backs('the thread');
    await page.goto(`${server.url}/catchup`);
    await page.getByRole('combobox', { name: 'Order' }).selectOption('time');
    await postOf(page, 'answer 3.').waitFor();
    await backs('what was missed');
    await close(page);
  },

  'the focus stays near what has changed': async () => {
    const [oda, pia] = await friends('live_oda', 'live_pia');
    for (const text of ['focus one', 'focus two', 'focus three']) await post(oda, text);
    const { id } = await pia.api.v2.media.create({ file: pngFile(60, 40), description: 'a picture' });
    await post(pia, 'covered up', { mediaIds: [id], sensitive: true });
    await post(pia, 'which of them?', { poll: { options: ['tea', 'ale'], expiresIn: 3600 } });
    const page = await openClient(oda);
    await postOf(page, 'which of them?').getByRole('radio', { name: 'tea' }).check();
    await postOf(page, 'which of them?').getByRole('button', { name: 'Vote' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Your vote').waitFor();
    assert.match(await focused(page), /which of them/);
    await postOf(page, 'covered up').getByRole('button', { name: /Show/ }).focus();
    await page.keyboard.press('Enter');
    await postOf(page, 'covered up').getByRole('img', { name: 'a picture' }).waitFor();
    assert.match(await focused(page), /covered up/);
    await act(page, 'focus two', 'Delete');
    await sure(page, 'Delete');
    await postOf(page, 'focus two').waitFor({ state: 'detached' });
    await until('the next post has the focus', async () => /focus one/.test(await focused(page)));
    await post(pia, 'something new');
    await page.getByRole('button', { name: /^1 new/ }).focus();
    await page.keyboard.press('Enter');
    await until('the new post has the focus', async () => /something new/.test(await focused(page)));
    await close(page);
  },

  'what is deleted is shown nowhere any more': async () => {
    const [tia, uwe] = await friends('live_tia', 'live_uwe');
    const mine = await post(tia, 'mine and pinned');
    await status(tia, mine.id).pin();
    const page = await openClient(tia, { path: '/@live_tia' });
    const shown = (text) => page.locator('main article', { hasText: text });
    await until('it stands twice', async () => (await shown('mine and pinned').count()) === 2);
    await act(page, 'mine and pinned', 'Delete');
    await sure(page, 'Delete');
    await until('it stands nowhere', async () => (await shown('mine and pinned').count()) === 0);
    for (const [path, text] of [['/notifications', 'for the bell'], ['/search?q=curlews', 'curlews in a search'], ['/catchup', 'missed meanwhile']]) {
      const theirs = await post(uwe, `@live_tia ${text}`);
      await until('it is found', async () => path[1] !== 's' || (await tia.api.v2.search.list({ q: 'curlews' })).statuses.length > 0);
      await page.goto(server.url + path);
      await shown(text).first().waitFor();
      await status(uwe, theirs.id).remove();
      await until(`${text} is gone`, async () => (await shown(text).count()) === 0);
    }
    await close(page);
  },

  'a poll fits the window whatever its options are, and a vote that is refused shows why': async () => {
    const [yan, zoe] = await friends('live_yan', 'live_zoe');
    const asked = await post(zoe, 'What is it called?', { poll: { options: ['W'.repeat(50), 'tea'], expiresIn: 3600 } });
    const page = await openClient(yan, { path: `/@live_zoe/${asked.id}`, viewport: { width: 360, height: 740 } });
    await postOf(page, 'What is it called?').getByRole('radio', { name: 'tea' }).check();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page is wider than its window');
    await yan.api.v1.polls.$select(asked.poll.id).votes.create({ choices: [1] });
    await postOf(page, 'What is it called?').getByRole('button', { name: 'Vote' }).click();
    await page.getByText('Your vote').waitFor();
    await close(page);
  },

  'a filter that blurs covers the pictures of a post and not its words': async () => {
    const [abe, bix] = await friends('live_abe', 'live_bix');
    await abe.api.v2.filters.create({ title: 'Spiders', context: ['home'], filterAction: 'blur', keywordsAttributes: [{ keyword: 'spider', wholeWord: true }] });
    const { id } = await bix.api.v2.media.create({ file: pngFile(60, 40), description: 'eight legs' });
    await post(bix, 'a spider, in words and a picture', { mediaIds: [id] });
    const page = await openClient(abe);
    const one = postOf(page, 'a spider, in words');
    await one.waitFor();
    assert.equal(await one.getByRole('img', { name: 'eight legs' }).count(), 0);
    await one.getByRole('button', { name: /Spiders/ }).click();
    await one.getByRole('img', { name: 'eight legs' }).waitFor();
    await close(page);
  },

  'going back closes what lies over the page before it changes the page': async () => {
    const page = await openClient(await person('live_sol'));
    await to(page, '/bookmarks');
    await page.keyboard.press('n');
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/bookmarks');
    await page.getByRole('heading', { level: 1, name: 'Bookmarks' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/home');

    // A session that has ended is said once, and not again by itself.
    const other = await page.context().newPage();
    await other.goto(`${server.url}/auth/sign_out`);
    await other.click('button[type=submit]');
    const ended = page.getByRole('dialog', { name: 'You have been signed out' });
    await ended.waitFor();
    await page.keyboard.press('Escape');
    await ended.waitFor({ state: 'detached' });
    await page.waitForTimeout(5000);
    assert.equal(await ended.count(), 0);
    await close(page);
  },

  'a warning says whose it is, and leads to where one may appeal': async () => {
    const rob = await person('live_rob');
    await moderator('live_team');
    await api(await asStaff(), 'POST', `/api/v1/admin/accounts/${rob.id}/action`, { type: 'none', text: 'Please be kind.' });
    const page = await openClient(rob);
    await to(page, '/notifications');
    await page.getByText('The moderators have sent you a warning').waitFor();
    await page.getByText('Please be kind.').waitFor();
    await page.getByRole('link', { name: 'See it, or appeal' }).click();
    await page.waitForURL('**/settings/account/strikes');
    await close(page);
  },
};
