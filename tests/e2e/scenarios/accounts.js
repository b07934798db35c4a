// SPDX-License-Identifier: AGPL-3.0-or-later
// Several accounts of this server in one browser: each tab is one of them, and nothing of one shows in another.
import assert from 'node:assert/strict';
import { screenshot, signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { accessible, clickShown, close, compose, openClient, postOf, pushed, visit, write } from '../support/client.js';
import { browser, get, password, person, post, server, status } from '../support/stage.js';

const newest = async (who) => (await who.account.statuses.list({ limit: 1 }))[0];
const me = (page) => page.locator('nav .me-button');
const isOf = (page, name) => until(`the tab is of ${name}`, async () => (await me(page).innerText()).includes(name));

async function add(page, who) {
  await page.goto(`${server.url}/auth/sign_in?add=1&return_to=/home`);
  await signIn(page, `${who.name}@example.org`, password);
  await page.waitForURL('**/home');
  await me(page).waitFor();
}
async function choose(page, item) {
  await me(page).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}
const secretsIn = async (context) => ((await context.cookies(server.url)).find(({ name }) => name === 'dunlin_session')?.value ?? '').split('.').filter(Boolean);

// Names of what the device keeps, and of whom.
const keptHere = (page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).length) return Object.keys(localStorage);
    const opening = indexedDB.open('dunlin');
    await new Promise((done) => (opening.onsuccess = done));
    const asking = opening.result.transaction('kept').objectStore('kept').getAllKeys();
    await new Promise((done) => (asking.onsuccess = done));
    opening.result.close();
    return [...asking.result.map(String), ...Object.keys(localStorage)];
  });

export default {
  'five accounts live in one browser, each with its own words, settings and likes; one leaves, then all': async () => {
    const people = [];
    for (const name of ['five_a', 'five_b', 'five_c', 'five_d', 'five_e']) people.push(await person(name));
    const [a, b] = people;
    const page = await openClient(a);
    for (const one of people.slice(1)) await add(page, one);
    assert.equal((await secretsIn(page.context())).length, 5);
    await me(page).click();
    const own = await me(page).innerText();
    for (const { name } of people) assert.equal(await page.getByRole('menuitem', { name: `@${name}`, exact: true }).count(), own.includes(name) ? 0 : 1, name);
    assert.equal(await page.getByRole('menuitem', { name: 'Add another account' }).count(), 0, 'five at most');
    await accessible(page, 'the menu of five accounts');
    await screenshot(page, 'five-accounts');
    await page.keyboard.press('Escape');

    // A tab for each of two; what is begun in one is not found in the other.
    await visit(page, '/home');
    if (!(await me(page).innerText()).includes('five_a')) await choose(page, '@five_a');
    await isOf(page, 'five_a');
    const other = await page.context().newPage();
    await other.goto(`${server.url}/home`);
    await me(other).waitFor();
    if (!(await me(other).innerText()).includes('five_b')) await choose(other, '@five_b');
    await isOf(other, 'five_b');
    await page.keyboard.press('n');
    await compose(page).fill('a draft of the first');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await other.keyboard.press('n');
    await compose(other).waitFor();
    assert.equal(await compose(other).inputValue(), '');
    await compose(other).fill('from the second');
    await other.keyboard.press('Control+Enter');
    await other.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal((await newest(b)).content, '<p>from the second</p>');
    assert.equal(await newest(a), undefined);

    const seen = await post(b, 'liked by one of them');
    for (const tab of [page, other]) {
      await visit(tab, `/@five_b/${seen.id}`);
      await postOf(tab, 'liked by one of them').waitFor();
    }
    await isOf(page, 'five_a');
    const star = (tab) => postOf(tab, 'liked by one of them').getByRole('button', { name: /^Favourite/ });
    await star(page).click();
    await until('the like is known', async () => (await status(a, seen.id).fetch()).favourited);
    await other.waitForTimeout(300); // what tabs tell each other takes none
    assert.equal(await star(other).getAttribute('aria-pressed'), 'false');

    await visit(page, '/settings/appearance');
    await page.getByText('Black', { exact: true }).click();
    await until('it is kept', async () => (await (await get('/api/v1/accounts/verify_credentials', a.token)).json()) && (await page.evaluate(() => document.documentElement.dataset.scheme)) === 'black');
    await visit(other, '/home');
    assert.notEqual(await other.evaluate(() => document.documentElement.dataset.scheme), 'black');

    // One leaves: what was kept of it goes, and the tab is of another.
    const ids = people.map((one) => one.id);
    assert.ok((await keptHere(page)).some((key) => key.startsWith(`${a.id}/`)));
    await choose(page, 'Sign out @five_a');
    await page.waitForURL('**/home');
    await me(page).waitFor();
    await until('it is of another', async () => !(await me(page).innerText()).includes('five_a'));
    assert.equal((await secretsIn(page.context())).length, 4);
    assert.deepEqual((await keptHere(page)).filter((key) => key.includes(a.id)), []);
    await isOf(other, 'five_b');
    await write(other, 'still here');
    assert.equal((await newest(b)).content, '<p>still here</p>');

    // Then all.
    await choose(other, 'Sign out of all accounts');
    await other.getByRole('dialog').getByRole('button', { name: 'Sign out of all accounts' }).click();
    await other.waitForURL(`${server.url}/`);
    assert.deepEqual(await secretsIn(page.context()), []);
    assert.deepEqual((await keptHere(other)).filter((key) => key.includes('dunlin') || ids.some((id) => key.includes(id))), []);
    await page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
    await close(page);
  },

  'a session that is ended from another device ends here, over what is there, and others of the browser go on': async () => {
    const [hal, ida] = [await person('end_hal'), await person('end_ida')];
    const page = await openClient(hal);
    await page.keyboard.press('n');
    await compose(page).fill('half a line');
    const devices = await browser.newContext({ javaScriptEnabled: false });
    const there = await devices.newPage();
    await there.goto(`${server.url}/auth/sign_in?return_to=/settings/account/sessions`);
    await signIn(there, 'end_hal@example.org', password);
    await there.waitForURL('**/settings/account/sessions');
    await screenshot(there, 'sessions');
    await there.locator('form[action$="end_others"] button').click();
    await page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, 'end_hal@example.org', password);
    await page.waitForURL('**/home');
    await page.locator('main h1').waitFor();
    await page.keyboard.press('n');
    await until('what was being written is there', async () => (await compose(page).inputValue()) === 'half a line');
    await page.keyboard.press('Escape');
    await add(page, ida);
    assert.equal((await secretsIn(page.context())).length, 2);
    await devices.close();
    await close(page);
  },

  'a push message of the second account opens its post as that account': async () => {
    const [jon, kay, lou] = [await person('push_jon'), await person('push_kay'), await person('push_lou')];
    const page = await openClient(jon, { worker: true });
    await add(page, kay);
    if (!(await me(page).innerText()).includes('push_jon')) await choose(page, '@push_jon');
    await isOf(page, 'push_jon');
    const said = await post(lou, '@push_kay for your eyes');
    const notice = await until('she is told', async () => (await kay.api.v1.notifications.list({ limit: 5 })).find((one) => one.type === 'mention'));
    const push = { notification_id: notice.id, notification_type: 'mention', title: 'push_lou wrote to you', body: 'for your eyes', preferred_locale: 'en' };
    await pushed(page, push);
    await clickShown(page);
    await page.waitForURL(`${server.url}/@push_lou/${said.id}`);
    await postOf(page, 'for your eyes').waitFor();
    await isOf(page, 'push_kay');
    // And in a window of its own, as when no tab is open.
    await page.goto(`${server.url}/home`);
    await choose(page, '@push_jon');
    await isOf(page, 'push_jon');
    await page.goto(`${server.url}/@push_lou/${said.id}?as=${kay.id}`);
    await postOf(page, 'for your eyes').waitFor();
    await isOf(page, 'push_kay');
    assert.equal(new URL(page.url()).search, '');
    await close(page);
  },
};
