// SPDX-License-Identifier: AGPL-3.0-or-later
// What one is told of and how one is shown, in the client and as forms without JavaScript; and what people without an account can
// do: report, and read what is announced.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { freshPage, screenshot, signIn } from '../support/browser.js';
import { until } from '../support/check.js';
import { accessible, close, desk, openClient, phone, visit } from '../support/client.js';
import { valid } from '../support/html.js';
import { pngFile } from '../support/png.js';
import { browser, get, password, person, post, server } from '../support/stage.js';

const hub = '/settings/account';
const choice = async (who) => (await get('/api/dunlin/v1/notification_choice', who.token)).json();
const file = async (name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(await pngFile(120, 80).arrayBuffer()) });

async function signedIn(who) {
  const page = await freshPage(browser);
  await page.goto(`${server.url}/auth/sign_in?return_to=${hub}`);
  await signIn(page, `${who.name}@example.org`, password);
  return page;
}

const save = (page) => Promise.all([page.waitForNavigation(), page.getByRole('button', { name: 'Save' }).click()]);

async function reported(page) {
  await page.check('input[name=category][value=legal]');
  await page.fill('#comment', 'It is against the law, in two places.');
  await page.check('input[name=sure]');
  await page.click('text=Send the report');
}

const scenarios = {
  'a profile is changed without JavaScript, pictures and all': async () => {
    const ann = await person('cho_ann');
    const page = await signedIn(ann);
    await page.click('text=Your profile');
    valid(await page.content(), 'the form');
    await page.fill('#display_name', 'Ann of the Marsh');
    await page.fill('#note', 'I count #waders');
    await page.setInputFiles('#avatar', await file('me.png'));
    await page.fill('#avatar_description', 'A curlew');
    await page.fill('#field_0', 'Home');
    await page.fill('#value_0', 'The sea wall');
    await page.check('input[name=discoverable]');
    await save(page);
    assert.equal(await page.textContent('.notice'), 'Your profile is saved.');
    assert.equal(await page.inputValue('#value_0'), 'The sea wall');
    await screenshot(page, 'choices_profile');
    const me = await ann.api.v1.accounts.verifyCredentials();
    assert.equal(me.displayName, 'Ann of the Marsh');
    assert.match(me.note, /tags\/waders/);
    assert.match(me.avatar, /\/media\//);
    assert.equal(me.discoverable, true);
    assert.equal(me.fields[0].value, 'The sea wall');
    const shown = me.avatar;
    await page.fill('#display_name', 'Ann');
    await save(page);
    assert.equal((await ann.api.v1.accounts.verifyCredentials()).avatar, shown, 'it stays where no other is given');
    await page.check('input[name=remove_avatar]');
    await save(page);
    assert.notEqual((await ann.api.v1.accounts.verifyCredentials()).avatar, shown);
    await page.setInputFiles('#header', { name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await save(page);
    await page.locator('.problem').waitFor();
    await page.context().close();
  },

  'mails and quiet hours are chosen without JavaScript': async () => {
    const ben = await person('cho_ben');
    const page = await signedIn(ben);
    await page.goto(`${server.url}${hub}/notifications`);
    valid(await page.content(), 'the form');
    assert.equal(await page.locator('input[name=mail_report]').count(), 0);
    await page.uncheck('input[name=mail_mention]');
    await page.check('input[name=mail_favourite]');
    await page.fill('#quiet_from', '22:00');
    await page.fill('#quiet_until', '06:30');
    await page.fill('#time_zone', 'Europe/Berlin');
    await save(page);
    assert.equal(await page.textContent('.notice:not(form *)'), 'It is saved.');
    await screenshot(page, 'choices_notifications');
    const chosen = await choice(ben);
    assert.deepEqual([chosen.mail_mention, chosen.mail_favourite, chosen.quiet_from, chosen.quiet_until, chosen.time_zone], [false, true, '22:00', '06:30', 'Europe/Berlin']);
    await page.fill('#quiet_until', '');
    await save(page);
    assert.match(await page.textContent('.problem'), /beginning and an end/);
    assert.equal((await choice(ben)).quiet_until, '06:30');
    await page.context().close();
  },

  'mails and quiet hours are chosen in the client': async () => {
    const cat = await person('cho_cat');
    const page = await openClient(cat);
    await visit(page, '/settings/notifications');
    await page.getByLabel('Boosts of my posts').first().check();
    await until('the kind is chosen', async () => (await choice(cat)).mail_reblog);
    await page.getByLabel('From', { exact: true }).fill('23:15');
    await page.getByLabel('Until', { exact: true }).fill('07:00');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save' }).click();
    await until('the hours are chosen', async () => (await choice(cat)).quiet_from === '23:15');
    assert.equal((await choice(cat)).time_zone, 'Asia/Tokyo');
    await visit(page, '/settings/notifications');
    assert.equal(await page.getByLabel('Until', { exact: true }).inputValue(), '07:00');
    await close(page);
  },

  'what becomes of posts with a label is chosen in the client': async () => {
    const [fay, joker] = [await person('cho_fay'), await person('cho_joker')];
    await server.command('label', 'create', 'cho_satire', '--text', 'Meant as a joke', '--effect', 'warn');
    await server.command('label', 'put', 'cho_satire', '--account', 'cho_joker');
    const joke = await post(joker, 'The sea is empty');
    const effect = async () => (await fay.api.v1.statuses.$select(joke.id).fetch()).filtered?.[0]?.filter.filterAction ?? 'none';
    assert.equal(await effect(), 'warn');
    const page = await openClient(fay);
    await visit(page, '/settings/labels');
    const choices = page.getByRole('group', { name: 'Meant as a joke' });
    assert.ok(await choices.getByLabel('As the site has it').isChecked());
    await choices.getByLabel('Hides the post').check();
    await until('it is hidden', async () => (await effect()) === 'hide');
    await visit(page, '/settings/labels');
    assert.ok(await choices.getByLabel('Hides the post').isChecked(), 'it is kept');
    await choices.getByLabel('Shows the post as it is').check();
    await until('it is shown', async () => (await effect()) === 'none');
    await choices.getByLabel('As the site has it').check();
    await until('it is what the site has', async () => (await effect()) === 'warn');
    await close(page);
    await server.command('label', 'delete', 'cho_satire', '--yes');
  },

  'hashtags of the profile, and filters as a file, in the client': async () => {
    const dan = await person('cho_dan');
    await post(dan, 'Many #waders today');
    const page = await openClient(dan);
    await visit(page, '/settings/profile');
    await page.getByLabel('Another hashtag').fill('#marsh');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await until('the hashtag is featured', async () => (await dan.api.v1.featuredTags.list()).some((one) => one.name === 'marsh'));
    await page.getByRole('button', { name: 'Remove #marsh' }).click();
    await until('it is not any more', async () => (await dan.api.v1.featuredTags.list()).length === 0);

    await dan.api.v2.filters.create({ title: 'Films', context: ['home'], filterAction: 'hide', keywordsAttributes: [{ keyword: 'the boat', wholeWord: true }] });
    await visit(page, '/filters');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as a file' }).click()]);
    const saved = await readFile(await download.path());
    const [kept] = await dan.api.v2.filters.list();
    await dan.api.v2.filters.$select(kept.id).remove();
    await page.locator('input[type=file]').setInputFiles({ name: 'filters.json', mimeType: 'application/json', buffer: saved });
    await until('the filter is back', async () => (await dan.api.v2.filters.list())[0]?.keywords[0]?.keyword === 'the boat');
    await page.locator('input[type=file]').setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('[1]') });
    await page.getByText('There are no filters in this file.').waitFor();
    await close(page);
  },

  'a stranger reports a post, and is told that it arrived': async () => {
    const eve = await person('cho_eve');
    const bad = await post(eve, 'Something unlawful');
    const page = await freshPage(browser);
    await page.goto(`${server.url}/about`);
    await page.click('text=Report something');
    valid(await page.content(), 'the form');
    await page.fill('#about', 'https://elsewhere.example/1');
    await page.fill('#email', 'stranger@example.com');
    await reported(page);
    assert.match(await page.textContent('.problem'), /nothing at this address/);
    assert.equal(await page.inputValue('#comment'), 'It is against the law, in two places.', 'what was typed stays');
    await page.fill('#about', bad.url);
    await page.click('text=Send the report');
    const number = (await page.textContent('.notice strong')).trim();
    assert.match(number, /^\d+$/);
    valid(await page.content(), 'the receipt');
    await screenshot(page, 'choices_reported');
    await until('a letter tells of it', async () => (await server.letters('stranger@example.com')).some((one) => one.includes(number)));
    await page.context().close();
  },

  'what is announced for everybody is read without an account': async () => {
    const page = await freshPage(browser);
    const staff = await freshPage(browser);
    await server.command('account', 'create', 'cho_boss', '--email', 'cho_boss@example.org', '--password', password, '--confirmed', '--role', 'owner');
    await staff.goto(`${server.url}/auth/sign_in?return_to=/settings/moderation/announcements`);
    await signIn(staff, 'cho_boss@example.org', password);
    await staff.fill('#text', 'For members: the password of the hall is under the mat.');
    await staff.click('text=Announce it');
    await staff.fill('#text', 'The server moves on Sunday.');
    await staff.check('input[name=open]');
    await staff.click('text=Announce it');
    await page.goto(`${server.url}/announcements`);
    valid(await page.content(), 'the page');
    const said = await page.textContent('main');
    assert.match(said, /moves on Sunday/);
    assert.doesNotMatch(said, /mat/);
    await page.click('article footer a');
    assert.match(await page.textContent('main'), /moves on Sunday/);
    while (await staff.locator('form[action$="/remove"] button').count()) await staff.locator('form[action$="/remove"] button').first().click();
    await page.context().close();
    await staff.context().close();
  },
};

for (const [viewport, colorScheme] of [[phone, 'light'], [phone, 'dark'], [desk, 'light'], [desk, 'dark']])
  scenarios[`axe has nothing to say of them, ${viewport.width} px, ${colorScheme}`] = async () => {
    const who = await person(`cho_axe_${viewport.width}_${colorScheme}`);
    const page = await openClient(who, { viewport, colorScheme });
    for (const path of ['/settings/notifications', '/settings/labels', '/settings/profile', '/filters', `${hub}/profile`, `${hub}/notifications`, `${hub}/severed`, '/report', '/announcements/1', '/notification_mails/none']) {
      await page.goto(server.url + path);
      await page.locator('main h1').waitFor();
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
      await accessible(page, `${path} ${viewport.width} ${colorScheme}`);
      await screenshot(page, `choices${path.replace(/\W+/g, '_')}-${viewport.width}-${colorScheme}`);
    }
    await close(page);
  };

export default scenarios;
